"""The pages as a reader sees them: texts and links, parsed from the HTML."""

import re
from urllib.parse import quote

import pytest
from bs4 import BeautifulSoup
from starlette.testclient import TestClient

from bullscows_web.play.pages import suspects
from bullscows_web.trees.library import Library
from bullscows_web.trees.position import GamePosition
from tests.app.language.test_catalogues import english
from tests.app.play.test_pages import positions
from tests.support.pages import HTMX, every_page, get, one, open_pages, parse, text

pytestmark = pytest.mark.large

GAME = "/play/small-bulls-cows/0"
PEGS = "/play/small-mastermind/0"
PAGES = [
    "/",
    "/about",
    "/trees",
    "/trees/small-mastermind",
    GAME,
    f"{GAME}/0.1",
    f"{GAME}/0.1/none",
]
EACH = sorted({*PAGES, *open_pages()})
"""Those, and every page that a package adds."""


def answers(page: BeautifulSoup) -> dict[str, str]:
    return {str(link["data-answer"]): str(link["href"]) for link in page.select("[data-answer]")}


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_starting_leads_to_a_new_game(client: TestClient, prefix: str):
    response = client.get(f"{prefix}/play?tree=small-bulls-cows")
    assert (response.status_code, response.headers["location"]) == (303, prefix + GAME)
    assert response.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_address_of_a_tree_alone_starts_a_game(client: TestClient, prefix: str):
    path = f"{prefix}/play/small-bulls-cows"
    places = set()
    for _ in range(20):
        response = client.get(path)
        assert (response.status_code, response.headers["cache-control"]) == (303, "no-store")
        places.add(response.headers["location"])
    assert len(places) > 1
    assert all(place.startswith(f"{path}/") for place in places)
    assert client.get(places.pop()).status_code == 200
    assert client.get(f"{prefix}/play/none").status_code == 404


QUERIES = ["/trees/small-bulls-cows/0.1?depth=2&a=%00%2f", f"{GAME}/0.1/none?secret=012"]


@pytest.mark.parametrize("path", [*every_page(), *QUERIES])
def test_slash_at_the_end_of_any_page_leads_to_the_page(client: TestClient, path: str):
    page, mark, query = path.partition("?")
    for prefix in ("", "/ru"):
        response = client.get(f"{prefix}{page}/{mark}{query}")
        place = f"http://testserver{prefix}{path}"
        assert (response.status_code, response.headers["location"]) == (307, place)


@pytest.mark.parametrize("path", ["//evil.example/", "/none/", "/static/", "/%2F/", "/api/v2/"])
def test_slash_at_the_end_leads_to_existing_addresses_only(client: TestClient, path: str):
    assert client.get(f"http://testserver{path}").status_code == 404


@pytest.mark.parametrize("prefix", ["", "/ru"])
@pytest.mark.parametrize("path", [*PAGES, "/statistics"])
def test_nothing_unproved_is_called_optimal(client: TestClient, prefix: str, path: str):
    """The small trees follow a one-step rule."""
    page = get(client, prefix + path)
    said = str(one(page, "meta[name=description]")["content"])
    if path != "/about":  # which explains the words
        said += text(one(page, "main"))
    assert not re.search("proved|no question is wasted|доказан|не пропадает зря", said)


def test_game_shows_guess_candidates_and_possible_answers(client: TestClient, library: Library):
    position = GamePosition.start(library.tree("small-bulls-cows"), shuffle=False)
    page = get(client, GAME)
    assert one(page, "[data-guess]")["data-guess"] == position.guess
    assert one(page, "[data-remaining]")["data-remaining"] == "60"
    assert answers(page) == {
        str(choice.answer): f"/play/{choice.position.path}" for choice in position.choices
    }
    assert text(one(page, "#status")) == "Guess 1: 0 1 2. 60 codes left."
    assert not page.select("[data-secret]")


def test_answer_link_names_its_answer(client: TestClient):
    link = one(get(client, GAME), "[data-answer='0.1']")
    assert text(one(link, ".unseen")) == "0 bulls, 1 cow"
    link = one(get(client, PEGS), "[data-answer='0.1']")
    assert text(one(link, ".unseen")) == "0 black, 1 white"


def test_end_shows_the_secret_and_the_turns(client: TestClient):
    page = get(client, f"{GAME}/3.0")
    assert one(page, "[data-secret]")["data-secret"] == "012"
    assert not page.select("[data-answer], [data-guess]")
    assert text(one(page, "#status")) == "Your code is 0 1 2, found in 1 turn."
    assert text(one(page, ".stage .turns .here th")) == "1"
    assert page.select("a[href='/play?tree=small-bulls-cows']")


@pytest.mark.parametrize("path", [GAME, f"{GAME}/0.1-1.1", f"{GAME}/3.0", f"{GAME}/0.1/none", PEGS])
def test_fragment_is_the_content_of_the_page(client: TestClient, path: str):
    whole = get(client, path)
    part = get(client, path, headers=HTMX)
    heading = one(part, "h1[autofocus]")
    del heading["autofocus"]
    for turns in part.select(".fresh"):  # the last turn is animated
        turns["class"].remove("fresh")  # type: ignore[union-attr]
    board = str(part.select("#board, .board")[0])
    assert board == str(whole.select("#content > :is(#board, .board)")[0])
    assert not part.select("html, header.site-head, script")
    assert text(one(part, "title")) == text(one(whole, "title"))
    assert text(one(part, "#status[hx-swap-oob]")) == text(one(whole, "#status"))


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"HX-Request": "false"},
        HTMX | {"HX-Request-Type": "full"},
        HTMX | {"HX-History-Restore-Request": "true"},
        {"HX-Request": "true", "HX-History-Restore-Request": "true"},
    ],
)
def test_page_is_whole_unless_htmx_wants_a_part(client: TestClient, headers: dict[str, str]):
    assert get(client, GAME, headers=headers).select("html > body header.site-head")


def test_htmx_two_names_no_request_type(client: TestClient):
    assert not get(client, GAME, headers={"HX-Request": "true"}).select("body")


def test_contradiction_offers_corrections(client: TestClient):
    page = get(client, f"{GAME}/0.1-1.1-0.0", 409)
    assert text(one(page, "h1")) == "Something does not fit"
    corrections = page.select("a.correction")
    assert corrections
    for correction in corrections:
        assert client.get(str(correction["href"])).status_code == 200


def test_saying_the_right_answer_shortens_the_list(client: TestClient):
    place = f"{GAME}/0.1-1.1/none"
    page = get(client, place)
    links = page.select("a[data-unoffered]")
    assert links
    for link in links:
        assert link["href"] == f"{place}?answer={link['data-unoffered']}"
        shorter = get(client, str(link["href"]))
        found = {(a.text, a["href"]) for a in shorter.select("a.correction")}
        assert len(found) < len(page.select("a.correction"))
        assert {place for _, place in found} <= {a["href"] for a in page.select("a.correction")}


@pytest.mark.parametrize(
    ("answer", "status"), [("0.1", 303), ("9.9", 422), ("", 200), ("<b>", 422), ("1" * 50, 422)]
)
def test_answer_in_the_address_is_checked(client: TestClient, answer: str, status: int):
    response = client.get(f"{GAME}/none", params={"answer": answer})
    assert response.status_code == status
    if status == 303:
        assert response.headers["location"] == f"{GAME}/0.1"


def test_first_guess_leaves_nothing_to_doubt(client: TestClient):
    assert not get(client, GAME).select(".doubt")
    assert not get(client, f"{GAME}/none").select("a.correction")


def is_settled(position: GamePosition) -> bool:
    """Whether every code of the game gives one of the answers offered; by trying all of them."""
    rules = position.entry.rules
    guess = position.node.guess
    given = {rules.answers[rules.respond(guess, code)] for code in range(rules.size)}
    return given == {choice.answer for choice in position.choices}


def test_two_mistakes_are_named_only_if_one_is_not_enough(
    client: TestClient, shipped_client: TestClient, library: Library, shipped_library: Library
):
    states = set()
    known = ("avg-bulls-cows", "0", "0.1")
    cases = [(shipped_client, GamePosition.parse(shipped_library, *known))]
    for entry in library:
        cases += [(client, each) for each in positions(GamePosition.start(entry, shuffle=False))]
    for server, position in cases:
        if position.is_finished:
            continue
        shown = get(server, f"/play/{position.path}/none")
        page = text(one(shown, ".stage"))
        heading = text(one(shown, "h1"))
        settled = is_settled(position)
        corrections = suspects(position)
        assert not (settled and corrections)
        assert ("Whatever your code is" in page) == settled
        assert (heading == "Look again: your answer is among those offered") == settled
        assert (heading == "Something does not fit") == (not settled)
        assert heading in text(one(shown, "title"))
        assert text(one(shown, "#status")).startswith(heading)
        assert ("one of the earlier answers was wrong" in page) == (not settled)
        assert ("at least two are wrong" in page) == (not settled and not corrections)
        states.add((settled, bool(position.history)))
    assert (True, True) in states


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_nothing_is_doubted_after_the_end(client: TestClient, prefix: str):
    response = client.get(f"{prefix}{GAME}/3.0/none")
    assert (response.status_code, response.headers["location"]) == (303, f"{prefix}{GAME}/3.0")


@pytest.mark.parametrize(
    ("secret", "said"), [("zzz", "not a code of this game"), ("012", "if your code is 012")]
)
def test_result_for_a_revealed_code_is_shown_next_to_the_form(
    client: TestClient, secret: str, said: str
):
    """The answer is visible without scrolling, and screen readers announce it."""
    page = get(client, f"{GAME}/0.1-1.1/none?secret={secret}", 422 if secret == "zzz" else 200)
    assert said in text(one(page, "#status"))
    assert said in text(one(page, "#told"))
    assert str(one(page, "form.reveal")["action"]).endswith("#told")
    assert bool(page.select("#secret[autofocus]")) == (secret == "zzz")


def test_revealing_the_secret_marks_the_wrong_answers(client: TestClient):
    page = get(client, f"{GAME}/0.1-1.1/none?secret=012")
    assert len(page.select(".checks .wrong")) == 2
    assert text(one(page, "h1")) == "Something does not fit"
    assert not page.select("a.correction, a[data-unoffered]"), "nothing is left to be guessed"
    assert one(page, ".stage .button.primary")["href"] == f"{GAME}/3.0"


def test_telling_a_secret_that_fits_gives_the_next_answer(client: TestClient, library: Library):
    secret = GamePosition.parse(library, "small-bulls-cows", "0", "0.1-1.1").candidates[0]
    page = get(client, f"{GAME}/0.1-1.1/none?secret={secret}")
    assert not page.select(".checks .wrong")
    assert text(one(page, "h1")) == "Nothing is wrong so far"
    link = str(one(page, ".stage .button.primary")["href"])
    assert client.get(link).status_code == 200


def test_trees_are_listed_with_their_figures(client: TestClient, library: Library):
    page = get(client, "/trees")
    for entry, card in zip(library, page.select("article.tree"), strict=True):
        assert one(card, "h3 a")["href"] == f"/trees/{entry.name}"
        counts = [text(cell) for cell in card.select(".turns td:last-child")]
        assert counts == [str(count) for count in entry.record.distribution]
        assert f"{entry.average:.3f}" in text(card)


def test_node_shows_path_parts_and_string(client: TestClient, library: Library):
    page = get(client, "/trees/small-bulls-cows")
    entry = library.tree("small-bulls-cows")
    assert one(page, "#tree-string").get_text().replace("\\x7f", "\x7f") == entry.record.string
    page = get(client, "/trees/small-bulls-cows/0.1-1.1")
    crumbs = [link["href"] for link in page.select(".crumbs a")]
    assert crumbs == ["/trees", "/trees/small-bulls-cows", "/trees/small-bulls-cows/0.1"]
    assert not page.select("#tree-string")


TREE, OWN = "/trees/small-bulls-cows", "/guess/p3c5n/k3f9"
BAD = {
    404: [
        *("/nothing", "/play/none/0", "/play?tree=none", "/trees/none", "/trees/%00"),
        *("/static/none.css", f"{TREE}.pdf", "/guess/p4c3n"),
    ],
    409: [
        *(f"{GAME}/3.0-0.1", f"{GAME}/0.1-1.1-0.0", f"{TREE}/3.0", f"{TREE}/0.1-1.1-0.0"),
        "/compare/small-bulls-cows/small-mastermind",
        "/compare/small-bulls-cows/small-bulls-cows/0.1-1.1-0.0",
    ],
    414: [f"{GAME}/" + "0" * 10_000],
    422: [
        *(f"{GAME}/2.1", f"{GAME}/5.0", f"{GAME}/%D9%A1.0", f"{GAME}/%00", f"{GAME}/0.1-"),
        *("/play/small-bulls-cows/0k", "/play/small-bulls-cows/zzzzzz", f"/play?tree={'x' * 200}"),
        *("/play?tree=small-bulls-cows&shuffle=perhaps", f"{GAME}/0.1/none?answer=7.7"),
        *(f"{GAME}/0.1/none?secret={'1' * 50}", f"{GAME}/0.1/none?secret=999"),
        *(f"{GAME}/" + "0.0-" * 200 + "0.0", f"{TREE}?secret=9", f"{TREE}?depth=many"),
        *(f"{TREE}?depth=0", f"{TREE}?depth=", f"{TREE}?depth=100", "/guess/p3c5n/K"),
        *(f"{OWN}/01", f"{OWN}?guess=01", f"{OWN}?guess=011", f"{OWN}?guess=x12"),
        *(f"{OWN}/012?guess=012", "/guess/p2c4r/k3f9?peg1=1"),
    ],
}


@pytest.mark.parametrize(
    ("path", "status"), [(path, status) for status, paths in BAD.items() for path in paths]
)
def test_bad_address_gets_a_clear_page_in_each_language(client: TestClient, path: str, status: int):
    for prefix, language in (("", "en"), ("/ru", "ru")):
        page = get(client, prefix + path, status)
        assert one(page, "html")["lang"] == language
        assert text(one(page, "h1"))
        assert page.select("main a[href]") or path.startswith("/compare/small-bulls-cows/small-m")
        assert prefix == "" or english(str(page)) == []
    assert not page.select("main [lang=en]:not([hreflang])")


@pytest.mark.parametrize("payload", ["<script>alert(1)</script>", "\"'><img src=x>", "{{ 7*7 }}"])
def test_nothing_is_repeated_unescaped(client: TestClient, payload: str):
    for path in (
        f"/play/{quote(payload, safe='')}/0",
        f"{GAME}/{quote(payload, safe='')}",
        f"{GAME}/0.1/none?secret={quote(payload)}",
        f"/trees/{quote(payload, safe='')}",
        f"/{quote(payload, safe='')}",
    ):
        response = client.get(path)
        assert response.status_code < 500
        page = parse(response)
        assert not page.select("img, main script")
        assert "49" not in text(one(page, "main"))


@pytest.mark.parametrize("prefix", [pytest.param("", marks=pytest.mark.slow), "/ru"])
def test_no_link_inside_the_site_is_dead(client: TestClient, prefix: str):
    waiting = [f"{prefix}/"]
    seen = set[str]()
    while waiting and len(seen) < 80:
        path = waiting.pop()
        seen.add(path)
        response = client.get(path)
        assert response.status_code in (200, 303), path
        if not response.headers.get("content-type", "").startswith("text/html"):
            continue
        for tag in parse(response).select("[href], [src], [hx-get], form[action]"):
            for name in ("href", "src", "hx-get", "action"):
                target = str(tag.get(name, "")).partition("#")[0]
                if target.startswith("/") and target not in seen and target not in waiting:
                    waiting.append(target)
    assert len(seen) > 50


@pytest.mark.parametrize("path", EACH)
def test_page_has_no_inline_code_and_labels_that_point_somewhere(client: TestClient, path: str):
    page = get(client, path)
    assert not page.select("style, [style], script:not([src])")
    assert not [tag for tag in page.find_all(True) if any(a.startswith("on") for a in tag.attrs)]
    ids = [str(tag["id"]) for tag in page.select("[id]")]
    assert len(ids) == len(set(ids))
    for tag in page.select("[aria-labelledby]"):
        assert tag["aria-labelledby"] in ids
    for use in page.select("use:not([href=''])"):  # a script fills those of templates
        assert str(use["href"]).removeprefix("#") in ids


PEGGED = [PEGS, f"{PEGS}/0.1/none", "/trees/small-mastermind/0.1", "/guess/p2c4r/k3f9/03"]


@pytest.mark.parametrize("path", [*EACH, *PEGGED])
def test_every_peg_of_a_page_is_drawn(client: TestClient, path: str):
    page = get(client, path)
    shapes = {use["href"] for use in page.select("use") if re.match(r"#s\d", str(use["href"]))}
    assert shapes <= {f"#{symbol['id']}" for symbol in page.select("symbol")}
    assert shapes or path not in PEGGED
