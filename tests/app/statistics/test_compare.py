"""Two trees side by side: the same figures as each tree's own, and every parting found."""

from collections import Counter

import pytest
from bs4 import Tag
from starlette.testclient import TestClient

from bullscows.tree.nodes import Node
from bullscows_web.statistics.compare import Comparison
from bullscows_web.trees.library import Entry, Library
from bullscows_web.trees.position import ContradictionError, GameOverError, GamePosition
from tests.support.pages import get, one, text

ONE, OTHER = "avg-mastermind", "crush-mastermind"
PAIR = f"/compare/{ONE}/{OTHER}"


@pytest.fixture(scope="module")
def pair(shipped_library: Library) -> tuple[Entry, Entry]:
    return shipped_library.tree(ONE), shipped_library.tree(OTHER)


def partings(one: Entry, other: Entry) -> list[tuple[str, str]]:
    """The guesses at every place where two trees part, by recursion."""

    def walk(left: Node, right: Node) -> list[tuple[str, str]]:
        if left.guess != right.guess:
            return [(one.rules.text(left.guess), other.rules.text(right.guess))]
        pairs = zip(left.children.values(), right.children.values(), strict=True)
        return [found for a, b in pairs for found in walk(one.tree.nodes[a], other.tree.nodes[b])]

    return walk(one.tree.root, other.tree.root)


def sizes(cell: Tag) -> int:
    return int(text(one(cell, ".size-of")).replace(",", ""))


def test_every_parting_is_found(shipped_library: Library, pair: tuple[Entry, Entry]):
    found = Comparison.of(shipped_library, *pair, "").partings()
    guesses = [parting.guesses for parting in found]
    assert sorted(guesses) == sorted(partings(*pair))
    assert guesses


def test_a_tree_never_parts_from_itself(shipped_library: Library, pair: tuple[Entry, Entry]):
    comparison = Comparison.of(shipped_library, pair[0], pair[0], "0.1")
    assert not list(comparison.partings())
    assert comparison.parted == 0


def test_sides_show_guess_candidates_and_turns(
    shipped_client: TestClient, shipped_library: Library
):
    page = get(shipped_client, f"{PAIR}/0.1")
    for name, panel in zip((ONE, OTHER), page.select(".panel"), strict=True):
        position = GamePosition.parse(shipped_library, name, "0", "0.1")
        assert one(panel, "[data-guess]")["data-guess"] == position.guess
        assert one(panel, "[data-remaining]")["data-remaining"] == str(position.remaining)
        counts = [int(text(cell)) for cell in panel.select(".turns td:last-child")]
        assert counts == list(position.entry.turns(position.node))
        assert one(panel, "h2 a")["href"] == f"/trees/{name}/0.1"


def test_parts_are_those_of_each_tree(shipped_client: TestClient, shipped_library: Library):
    page = get(shipped_client, PAIR)
    cells = [row.select("td") for row in page.select(".parts tbody tr")]
    for side, name in enumerate((ONE, OTHER)):
        choices = GamePosition.parse(shipped_library, name, "0").choices
        assert [sizes(row[side]) for row in cells] == [choice.remaining for choice in choices]


def test_answers_lead_deeper_in_both(shipped_client: TestClient):
    links = get(shipped_client, f"{PAIR}/0.1").select("[data-answer]")
    assert links
    for link in links:
        assert link["href"] == f"{PAIR}/0.1-{link['data-answer']}"
        assert shipped_client.get(str(link["href"])).status_code == 200


def test_differing_guesses_are_marked_in_words(
    shipped_client: TestClient, shipped_library: Library, pair: tuple[Entry, Entry]
):
    parting = next(iter(Comparison.of(shipped_library, *pair, "").partings()))
    here = f"{PAIR}/{parting.position.parts[2]}"
    page = get(shipped_client, here)
    assert text(one(page, ".verdict")) == "Here the guesses differ."
    deeper = str(page.select("[data-answer]")[0]["href"])
    page = get(shipped_client, deeper)
    assert "differ since turn" in text(one(page, ".verdict"))
    assert [text(word) for word in page.select(".both .differs-word")] == ["differs"]


def test_nothing_is_marked_that_follows_from_the_parting(shipped_client: TestClient):
    """After the trees have parted, the same answers mean different things, so all differs."""
    path = "/compare/avg-mastermind/crush-mastermind/0.3"
    before = get(shipped_client, path.rpartition("/")[0])
    assert before.select(".parts tr.differs .differs-word")
    for deeper in ("", "-1.1", "-1.1-1.1"):
        page = get(shipped_client, path + deeper)
        assert page.select(".parts tbody tr")
        assert not page.select(".parts .differs, .parts .differs-word")
        assert len(page.select(".both .differs")) == bool(deeper)


def test_a_side_that_never_gets_there_says_so(
    shipped_client: TestClient, pair: tuple[Entry, Entry]
):
    first, second = (
        {answers_of(entry, node) for node in entry.tree.nodes if node.parent is not None}
        for entry in pair
    )
    only = min(first - second, key=len)
    page = get(shipped_client, f"{PAIR}/{only}")
    assert len(page.select(".panel .never, .panel [data-secret]")) == 1


def answers_of(entry: Entry, node: Node) -> str:
    return "-".join(str(entry.rules.answers[answer]) for _, answer in entry.tree.path(node))


@pytest.mark.parametrize(
    ("answers", "error"), [("4.0-0.1", GameOverError), ("0.4-0.0", ContradictionError)]
)
def test_answers_that_fit_neither_tree_are_refused(
    shipped_library: Library, pair: tuple[Entry, Entry], answers: str, error: type[Exception]
):
    with pytest.raises(error):
        Comparison.of(shipped_library, *pair, answers)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"/compare/{ONE}/none", 404),
        (f"/compare/none/{ONE}", 404),
        (f"/compare/{ONE}/avg-bulls-cows", 409),
        (f"{PAIR}/4.0-0.1", 409),
        (f"{PAIR}/0.4-0.0", 409),
        (f"{PAIR}/3.1", 422),
        (f"{PAIR}/x", 422),
        (f"{PAIR}/%00", 422),
        (f"/compare?first={ONE}&second=none", 404),
        (f"/compare?first={ONE}&second={OTHER}&answers=9.9", 422),
        ("/compare?first=" + "a" * 101, 422),
    ],
)
def test_bad_comparison_gets_a_clear_page(shipped_client: TestClient, path: str, status: int):
    assert text(one(get(shipped_client, path, status), "h1"))


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_choice_leads_to_its_own_address(shipped_client: TestClient, prefix: str):
    form = f"{prefix}/compare?first={ONE}&second={OTHER}"
    for query, path in (("", PAIR), ("&answers=0.1", f"{PAIR}/0.1")):
        response = shipped_client.get(form + query)
        assert (response.status_code, response.headers["location"]) == (303, prefix + path)


def test_games_with_two_trees_can_be_chosen(shipped_client: TestClient, shipped_library: Library):
    games = Counter(entry.rules for entry in shipped_library)
    forms = get(shipped_client, "/compare").select("form")
    assert len(forms) == sum(trees > 1 for trees in games.values()) >= 3
    assert all(len(form.select("select")) == 2 for form in forms)


def test_nothing_to_compare_says_so(client: TestClient):
    assert "No game has two trees" in text(one(get(client, "/compare"), "main"))
    assert not get(client, "/trees/small-bulls-cows").select("form[action='/compare']")


@pytest.mark.parametrize("answers", ["", "0.1", "../../../evil\0"])
def test_answers_are_no_part_of_where_different_games_lead(
    shipped_client: TestClient, answers: str
):
    query = {"first": ONE, "second": "avg-bulls-cows", "answers": answers}
    response = shipped_client.get("/compare", params=query)
    assert response.headers["location"] == f"/compare/{ONE}/avg-bulls-cows"
