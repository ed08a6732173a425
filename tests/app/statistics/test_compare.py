"""Two trees side by side: the same figures as each tree's own, and every parting found."""

import pytest
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


def test_every_parting_is_found(shipped_library: Library, pair: tuple[Entry, Entry]):
    comparison = Comparison.of(shipped_library, *pair, "")
    guesses = [comparison.parting(*nodes).guesses for nodes in comparison.partings]
    assert sorted(guesses) == sorted(partings(*pair))
    assert guesses


def test_sides_show_guess_candidates_turns_and_parts_of_each_tree(
    shipped_client: TestClient, shipped_library: Library
):
    page = get(shipped_client, f"{PAIR}/0.1")
    cells = [row.select("td .size-of") for row in page.select(".parts tbody tr")]
    for side, (name, panel) in enumerate(zip((ONE, OTHER), page.select(".panel"), strict=True)):
        position = GamePosition.parse(shipped_library, name, "0", "0.1")
        assert one(panel, "[data-guess]")["data-guess"] == position.guess
        assert one(panel, "[data-remaining]")["data-remaining"] == str(position.remaining)
        counts = [int(text(cell)) for cell in panel.select(".turns td:last-child")]
        assert counts == list(position.entry.tree.distribution_at(position.node))
        assert one(panel, "h2 a")["href"] == f"/trees/{name}/0.1"
        parts = {str(choice.answer): choice.remaining for choice in position.choices}
        shown = [int(text(row[side]).replace(",", "")) for row in cells if len(row) > side]
        assert set(shown) <= set(parts.values())
        assert sum(shown) == position.remaining
    for link in page.select("[data-answer]"):
        assert link["href"] == f"{PAIR}/0.1-{link['data-answer']}"


def test_differing_guesses_are_marked_in_words(
    shipped_client: TestClient, shipped_library: Library, pair: tuple[Entry, Entry]
):
    comparison = Comparison.of(shipped_library, *pair, "")
    parting = comparison.parting(*comparison.partings[0])
    here = f"{PAIR}/{parting.position.parts[2]}"
    page = get(shipped_client, here)
    assert text(one(page, ".verdict")) == "Here the guesses differ."
    deeper = str(page.select("[data-answer]")[0]["href"])
    page = get(shipped_client, deeper)
    assert "differ since turn" in text(one(page, ".verdict"))
    assert [text(word) for word in page.select(".both .differs-word")] == ["differs"]


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


BAD = {
    404: (f"/{ONE}/none", f"/none/{ONE}", f"?first={ONE}&second=none"),
    409: (f"/{ONE}/avg-bulls-cows", f"/{ONE}/{OTHER}/4.0-0.1", f"/{ONE}/{OTHER}/0.4-0.0"),
    422: (
        *(f"/{ONE}/{OTHER}/3.1", f"/{ONE}/{OTHER}/x", f"/{ONE}/{OTHER}/%00"),
        *(f"?first={ONE}&second={OTHER}&answers=9.9", "?first=" + "a" * 101),
    ),
}


@pytest.mark.parametrize("status", BAD)
def test_bad_comparison_gets_a_clear_page(shipped_client: TestClient, status: int):
    for path in BAD[status]:
        assert text(one(get(shipped_client, f"/compare{path}", status), "h1"))


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_choice_leads_to_its_own_address(shipped_client: TestClient, prefix: str):
    form = f"{prefix}/compare?first={ONE}&second={OTHER}"
    for query, path in (("", PAIR), ("&answers=0.1", f"{PAIR}/0.1")):
        response = shipped_client.get(form + query)
        assert (response.status_code, response.headers["location"]) == (303, prefix + path)
