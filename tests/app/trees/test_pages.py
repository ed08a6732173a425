"""Pages of the trees: the list, an unfolded branch, the path to a code; and trees by old names."""

from urllib.parse import quote

import pytest
from bs4 import Tag
from starlette.testclient import TestClient

from bullscows.tree.storage import default_folder
from bullscows_web.trees.library import Library
from bullscows_web.trees.pages import CLASSICS, MAX_SHOWN, PAPER, GamesPage
from bullscows_web.trees.position import GamePosition
from tests.support.pages import HTMX, get, one, text

TREES = ["small-bulls-cows", "small-mastermind"]


@pytest.mark.parametrize("tree", TREES)
def test_every_code_is_found_along_its_path(client: TestClient, library: Library, tree: str):
    entry = library.tree(tree)
    for secret in range(0, entry.rules.size, 7):
        code = entry.rules.text(secret)
        page = get(client, f"/trees/{tree}?secret={code}")
        guesses = [entry.rules.text(node.guess) for node in entry.tree.play(secret)]
        crumbs = page.select(".crumbs li")[2:]
        shown = [text(one(crumb, ".code > .unseen")).replace(" ", "") for crumb in crumbs]
        assert shown == guesses
        assert one(page, "[data-secret]")["data-secret"] == code


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_every_turn_links_to_its_node(client: TestClient, prefix: str):
    page = get(client, f"{prefix}/trees/small-bulls-cows?secret=432")
    links = page.select(".crumbs li:nth-child(n+3) a")
    assert len(links) > 2
    assert [a["href"] for a in page.select(".path td a")] == [a["href"] for a in links]
    for link in links:
        guess = text(one(link, ".code > .unseen")).replace(" ", "")
        assert one(get(client, str(link["href"])), "[data-guess]")["data-guess"] == guess


def test_searching_below_a_node_searches_the_tree(client: TestClient):
    whole, below = (f"/trees/small-bulls-cows{node}?secret=432" for node in ("", "/0.1"))
    assert get(client, whole).main == get(client, below).main


def test_other_trees_of_the_game_tell_their_turn(
    shipped_client: TestClient, shipped_library: Library
):
    page = get(shipped_client, "/trees/avg-mastermind?secret=3350")
    links = [str(link["href"]) for link in page.select(".elsewhere a")]
    names = [link.removeprefix("/trees/").partition("?")[0] for link in links]
    assert "crush-mastermind" in names
    for name, row in zip(names, page.select(".elsewhere tbody tr"), strict=True):
        entry = shipped_library.tree(name)
        secret = entry.rules.parse_code("3350")
        assert text(one(row, "td")) == str(len(entry.tree.play(secret)))


@pytest.mark.parametrize(
    "path", ["/ru/trees/small-bulls-cows", "/play/small-bulls-cows/0/0.1/none"]
)
@pytest.mark.parametrize("secret", ["01", "0011", "abc", "٠١٢", "<b>", "0 1", "9" * 40])
def test_text_that_is_no_code_is_reported_next_to_the_field(
    client: TestClient, path: str, secret: str
):
    page = get(client, f"{path}?secret={quote(secret)}", 422)
    field = one(page, "#secret")
    assert (field["aria-invalid"], field["value"]) == ("true", secret)
    assert text(one(page, f"#{field['aria-describedby']}"))


@pytest.mark.parametrize(
    "path", ["/trees/small-bulls-cows", "/play/small-bulls-cows/0/0.1-1.1/none"]
)
def test_spaces_in_a_code_do_not_matter(client: TestClient, path: str):
    written = get(client, f"{path}?secret={quote(' 4 3 2 ')}")
    assert text(one(written, "main")) == text(one(get(client, f"{path}?secret=432"), "main"))
    assert int(str(one(written, "#secret")["maxlength"])) > len(" 4 3 2 ")


def test_trees_of_other_games_are_a_line_each_classic_games_first(
    shipped_client: TestClient, shipped_library: Library
):
    page = get(shipped_client, "/trees")
    marked = [article for article in page.select("article.tree") if "Slovesnov’s" in text(article)]
    links = [str(one(article, "h3 a")["href"]) for article in marked]
    assert sorted(links) == sorted(f"/trees/{name}" for name in PAPER)
    rows = page.select("#others tbody tr")
    shown = {str(one(row, "th a")["href"]).removeprefix("/trees/"): row for row in rows}
    in_full = {
        entry.name for game in GamesPage(shipped_library.games).featured for entry in game.entries
    }
    assert shown.keys() == {entry.name for entry in shipped_library} - in_full
    for name, row in shown.items():
        entry = shipped_library.tree(name)
        figures = [text(cell) for cell in row.select("td")][:3]
        assert figures == [f"{entry.rules.size:,}", f"{entry.average:.3f}", str(entry.record.depth)]
    is_classic = [shipped_library.tree(name).rules in CLASSICS.values() for name in shown]
    assert is_classic == sorted(is_classic, reverse=True)


TREE, OTHER = "avg-bulls-cows", "crush-bulls-cows"
PAGES = [
    *("/", "/trees", f"/trees/{TREE}", f"/trees/{TREE}/0.1", f"/trees/{TREE}?secret=1234"),
    *("/statistics", "/statistics/columns", f"/statistics/{TREE}", "/compare", "/about"),
    *(f"/compare/{TREE}/{OTHER}", f"/compare/{TREE}/avg-mastermind", f"/play/{TREE}/0/0.1"),
    "/guess/p4c10n/k3f9/0123-4567-0456-4620",
]


@pytest.mark.parametrize("path", PAGES)
def test_page_shows_no_name_of_a_file(shipped_client: TestClient, path: str):
    page = get(shipped_client, path, 409 if path.endswith("avg-mastermind") else 200)
    for code in page.select("code, pre"):
        code.decompose()
    said = one(page, "main").get_text(" ") + one(page, "head title").get_text()
    assert TREE not in said
    assert OTHER not in said


OLD, NEW = "front-p4c10n-26274-69", "pareto-p4c10n-26274-69"


@pytest.mark.parametrize(
    "path", ["/trees/{}", "/ru/trees/{}/0.1?depth=2", "/trees/{}.json", "/play/{}/k3/0.1-1.1"]
)
def test_page_under_an_old_name_redirects(shipped_client: TestClient, path: str):
    sent = shipped_client.get(path.format(OLD), follow_redirects=False)
    assert (sent.status_code, sent.headers["location"]) == (301, path.format(NEW))
    assert shipped_client.get(path.format(NEW)).status_code == 200


def test_moved_file_of_the_results_redirects(shipped_client: TestClient):
    sent = shipped_client.get("/results/front/26274-69.json", follow_redirects=False)
    assert (sent.status_code, sent.headers["location"]) == (301, "/results/pareto/26274-69.json")


def test_api_accepts_an_old_name(shipped_client: TestClient):
    assert shipped_client.get(f"/api/v1/trees/{OLD}").json()["name"] == NEW
    begun = shipped_client.post("/api/v1/sessions", json={"tree": OLD, "shuffle": False})
    assert begun.json()["id"].startswith(NEW)
    assert shipped_client.get("/trees/front-p4c10n-1-1", follow_redirects=True).status_code == 404


@pytest.mark.parametrize("prefix", ["", "/ru"])
@pytest.mark.parametrize("path", ["/play", "/guess"])
def test_every_box_leads_to_its_game(
    shipped_client: TestClient, shipped_library: Library, prefix: str, path: str
):
    links = get(shipped_client, prefix + path).select(".boxes a")
    shelf = GamesPage(shipped_library.games).classics
    assert len(links) == len(CLASSICS) == len(shelf)
    for box, link in zip(shelf, links, strict=True):
        href = str(link["href"])
        assert shipped_client.get(href, follow_redirects=True).status_code == 200
        way = "/guess/" if path == "/guess" else "/play" if box.entry else "/analyse/"
        assert href.startswith(prefix + way)
        assert (str(box.rules) in href) == (way != "/play")
    assert prefix or text(links[1]) == "Super Mastermind"


ROOT = "/trees/small-bulls-cows"


def shown(page: Tag) -> list[str]:
    """The addresses of all nodes that the page shows below its own."""
    return [str(link["href"]) for link in page.select(".branches [data-answer]")]


def below(position: GamePosition, depth: int) -> list[str]:
    """The same from the tree, in the same order."""
    paths = []
    for choice in position.choices:
        if not choice.position.is_finished:
            paths.append(f"/trees/{choice.position.parts[0]}/{choice.position.parts[2]}")
            if depth > 1:
                paths += below(choice.position, depth - 1)
    return paths


@pytest.mark.parametrize("depth", range(1, 7))
def test_page_shows_the_tree_to_its_depth(client: TestClient, library: Library, depth: int):
    position = GamePosition.parse(library, "small-bulls-cows", "0", "")
    page = get(client, f"{ROOT}?depth={depth}")
    assert shown(page) == below(position, depth)
    above = below(position, depth - 1) if depth > 1 else []
    inner = [path for path in above if not is_leaf(library, path)]
    assert len(page.select("details[open]")) == len(inner)


def is_leaf(library: Library, path: str) -> bool:
    name, answers = path.split("/")[2:]
    return GamePosition.parse(library, name, "0", answers).remaining == 1


def test_large_view_stops_where_the_page_is_full(shipped_client: TestClient):
    page = get(shipped_client, "/trees/avg-bulls-cows?depth=99")
    assert len(shown(page)) <= MAX_SHOWN
    assert text(one(page, ".depths [aria-current]")).endswith("3")
    assert "shows no deeper levels" in text(one(page, ".stage"))


def test_what_is_folded_still_comes_on_demand(client: TestClient):
    page = get(client, f"{ROOT}?depth=2")
    folded = page.select("details[hx-get]")
    assert folded
    assert not page.select("details[open][hx-get]")
    part = get(client, str(folded[0]["hx-get"]), headers=HTMX)
    assert part.select(".branches [data-answer]")


@pytest.mark.parametrize(
    ("path", "file", "said"),
    [
        ("/trees/avg-mastermind", "/atlas/p4c6r.proof.xz", "No strategy takes fewer turns"),
        ("/trees/crush-mastermind", "/trees/crush-mastermind.proof.xz", "serves the goal"),
        ("/ru/trees/avg-mastermind", "/trees/avg-mastermind.proof.xz", "доказательство проверено"),
        ("/atlas/p4c10n", "/atlas/p4c10n.proof.xz", "Proof checked"),
    ],
)
def test_page_links_the_proof_that_no_strategy_does_better(
    shipped_client: TestClient, path: str, file: str, said: str
):
    page = get(shipped_client, path)
    assert one(page, f'main a[href="{file}"]').has_attr("download")
    assert said in text(one(page, "main"))
    name = file.rpartition("/")[2]
    sent = shipped_client.get(file)
    assert sent.content == (default_folder() / "proofs" / name).read_bytes()
    assert sent.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert sent.headers["content-type"] == "application/x-xz"


def test_page_says_if_there_is_no_proof_of_an_optimal_tree(shipped_client: TestClient):
    for path in ("/trees/avg-mastermind-5x7", "/atlas/p5c7r"):
        assert "Optimality not checked" in text(one(get(shipped_client, path), "main"))
    rule = text(one(get(shipped_client, "/trees/larmouth-rule-mastermind"), "main"))
    assert "checked" not in rule
    assert "a one-step rule" in rule.lower()


def test_api_has_the_proofs_of_trees(shipped_client: TestClient):
    found = shipped_client.get("/api/v1/trees/avg-mastermind-5").json()["proofs"]
    path = "/trees/avg-mastermind-5.proof.xz"
    goal = {"objective": "average,last", "max_turns": 5, "claim": 1297 * 5626 + 540}
    assert found == [goal | {"path": path}]
    assert shipped_client.get("/api/v1/trees/avg-mastermind-5x7").json()["proofs"] == []
    atlas = shipped_client.get("/atlas/p4c6r.json").json()
    assert atlas["proofs"] == {"p4c6r": "http://testserver/atlas/p4c6r.proof.xz"}


@pytest.mark.parametrize(
    "path", ["/trees/larmouth-rule-mastermind.proof.xz", "/atlas/p5c7r.proof.xz"]
)
def test_a_proof_that_does_not_ship_is_not_found(shipped_client: TestClient, path: str):
    assert shipped_client.get(path).status_code == 404
