"""The page of a game: its analysis, its end."""

import re
from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest
from starlette.testclient import TestClient

from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import Rules
from bullscows_web.play.pages import GuessAnalysis
from bullscows_web.trees.library import Library
from bullscows_web.trees.position import GamePosition
from tests.support.pages import get, one, text

pytestmark = pytest.mark.large

GAME = "/play/small-bulls-cows/0"
OPEN = "?analysis=open"


@pytest.mark.parametrize(
    "query", ["", "?analysis=", "?analysis=closed", "?analysis=%00&x=1", "?analysis=open&analysis="]
)
def test_analysis_is_closed_unless_it_is_asked_for(client: TestClient, query: str):
    page = get(client, f"{GAME}/0.1{query}")
    pane = one(page, "section.analysis")
    assert "open" not in str(pane["class"])
    assert not pane.select("table")
    toggle = one(pane, "a")
    assert text(toggle) == "Analysis", "one click opens it, with a script and without"
    assert toggle["href"] == toggle["hx-get"] == f"{GAME}/0.1{OPEN}"
    assert toggle["aria-expanded"] == "false"
    assert all("analysis" not in str(a["href"]) for a in page.select("a[data-answer], .undo a"))


@pytest.mark.parametrize("prefix", ["", "/ru"])
@pytest.mark.parametrize("asked", ["open", "all"])
def test_every_link_of_the_game_keeps_the_analysis_open(
    client: TestClient, prefix: str, asked: str
):
    page = get(client, f"{prefix}{GAME}/0.1?analysis={asked}")
    assert one(page, "section.analysis.open")
    links = page.select("a[data-answer], .undo a, .doubt a")
    links += page.select("#menu a[href*='/play']:not([hreflang], .to-play)")
    assert len(links) > 5
    for link in links:
        assert "analysis=open" in str(link["href"]), link
        followed = client.get(str(link["href"]), follow_redirects=True)
        assert followed.status_code == 200
    toggle = one(page, "#analysis-toggle")
    assert toggle["href"] == toggle["hx-get"] == f"{prefix}{GAME}/0.1"
    assert toggle["aria-expanded"] == "true"
    assert f"analysis={asked}" in str(one(page, "#languages a")["href"])


def positions(position: GamePosition) -> Iterator[GamePosition]:
    yield position
    for choice in position.choices:
        yield from positions(choice.position)


@pytest.mark.parametrize(("tree", "step"), [("small-bulls-cows", 5), ("small-mastermind", 1)])
def test_analysis_shows_the_parts_of_the_node(
    client: TestClient, library: Library, tree: str, step: int
):
    every = positions(GamePosition.start(library.tree(tree), shuffle=True))
    for position in islice(every, 0, None, step):
        page = get(client, f"/play/{position.path}{OPEN}")
        assert len(page.select("a[data-answer]")) == len(position.choices)
        if position.is_finished:
            assert not page.select(".analysis")
            continue
        rows = [text(one(row, "td:last-child")) for row in page.select(".split tbody tr")]
        sizes = [str(choice.remaining) for choice in position.choices]
        assert rows == (sizes if position.remaining > 1 else [])
        analysis = GuessAnalysis(position)
        figures = [text(figure) for figure in page.select(".analysis .figures dd")]
        largest = max(choice.remaining for choice in position.choices)
        numbers = (analysis.worst, len(position.choices), largest)
        shown = [f"{analysis.average:.2f}", *map(str, numbers)]
        assert figures == (shown if position.remaining > 1 else [])
        assert "proved" not in text(one(page, ".why")).replace("Nothing is proved", "")


def test_proof_is_explained_for_exact_trees_only(shipped_client: TestClient):
    said = text(one(get(shipped_client, f"/play/avg-bulls-cows/0/0.1{OPEN}"), ".why"))
    assert "search to the end of every game proved that no strategy does better" in said
    assert "fewest turns on average" in said.lower()
    assert "within" not in said  # no tree takes fewer turns, however many it may take
    said = text(one(get(shipped_client, f"/play/crush-bulls-cows/0/0.1{OPEN}"), ".why"))
    assert "within 7 turns" in said
    said = text(one(get(shipped_client, f"/play/larmouth-rule-bulls-cows/0/0.1{OPEN}"), ".why"))
    assert "Nothing is proved about it." in said
    assert "Looks one guess ahead" in said


def test_analysis_of_shuffled_game_lists_what_the_player_sees(client: TestClient, library: Library):
    position = GamePosition.parse(library, "small-bulls-cows", "ab", "0.1")
    page = get(client, f"/play/small-bulls-cows/ab/0.1{OPEN}")
    assert [text(code) for code in page.select(".analysis .digits")] == position.candidates


def test_end_compares_the_game_with_all_others(client: TestClient, library: Library):
    entry = library.tree("small-bulls-cows")
    page = get(client, f"{GAME}/3.0")
    said = text(one(page, ".stage"))
    assert "Found in 1 turn." in said
    assert f"On average it takes {entry.average:.2f}, and never more than" in said
    assert "0% of all codes are found sooner, 98% later." in said
    actions = [str(link["href"]) for link in page.select(".stage .actions a")]
    review = "/review/p3c5n?theirs=012:3.0&game=play/small-bulls-cows/0/3.0"
    assert actions == ["/play?tree=small-bulls-cows", review, "/"]
    assert one(page, ".stage [data-copy=location]")


PEGS = "/play/small-mastermind/0"


def test_secret_of_pegs_is_chosen_place_by_place(client: TestClient):
    page = get(client, f"{PEGS}/0.1/none?secret=31")
    places = page.select("fieldset.place")
    assert len(places) == 2
    for number, place in enumerate(places, start=1):
        assert text(one(place, "legend")) == f"Place {number}"
        radios = place.select(f"input[type=radio][name=peg{number}]")
        assert [radio["value"] for radio in radios] == list("0123")
        assert [one(label, ".code .unseen").text for label in place.select("label")] == list("0123")
        shapes = [use["href"] for use in place.select("use")]
        assert shapes == ["#s0", "#s1", "#s2", "#s3"]
    chosen = [radio["value"] for radio in page.select("input[checked]")]
    assert chosen == ["3", "1"]


@pytest.mark.parametrize(
    ("query", "secret"),
    [
        *(("peg1=3&peg2=1", "31"), ("peg2=1", "_1"), ("peg1=333&peg2=", "3_")),
        *(("peg1=%3Cb%3E&peg2=%00", "%3C%00"), ("peg1=3&peg2=1&analysis=open", "31&analysis=open")),
    ],
)
@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_chosen_pegs_become_the_secret(client: TestClient, prefix: str, query: str, secret: str):
    response = client.get(f"{prefix}{PEGS}/0.1/none?{query}")
    place = f"{prefix}{PEGS}/0.1/none?secret={secret}"
    assert (response.status_code, response.headers["location"]) == (303, place)
    fits = secret[:2] == "31"
    page = get(client, place, 200 if fits else 422)
    assert fits == bool(page.select(".checks"))
    assert fits != bool(page.select("#secret-error"))


def games(position: GamePosition) -> list[GamePosition]:
    """This position and all after it in which something is still to be guessed."""
    return [each for each in positions(position) if not each.is_finished]


def test_guesses_to_go_agree_with_playing_every_candidate(library: Library):
    for entry in library:
        for position in games(GamePosition.start(entry, shuffle=False)):
            played = [
                len(entry.tree.play(code)) - position.turn + 1 for code in position.node.candidates
            ]
            analysis = GuessAnalysis(position)
            assert sum(analysis.turns) == position.remaining
            assert analysis.worst == max(played)
            assert analysis.average == sum(played) / len(played)


def test_beyond_doubt_is_what_finds_one_now_and_all_others_next(shipped_library: Library):
    """Some guesses of the tree split all candidates but are not candidates themselves."""
    entry = shipped_library.tree("avg-bulls-cows")
    for position in games(GamePosition.start(entry, shuffle=False)):
        analysis = GuessAnalysis(position)
        at_once = (1,) if position.remaining == 1 else (1, position.remaining - 1)
        assert analysis.is_beyond_doubt == (analysis.turns == at_once)
        assert analysis.is_beyond_doubt or position.remaining > 2


def test_guess_is_measured_against_the_finest_split(shipped_library: Library):
    """All 5040 second guesses after 0.1 and the third after 0.1 0.0, by the response table."""
    table = ResponseTable.of(Rules.parse("p4c10n"))
    for answers in ("0.1", "0.1-0.0"):
        position = GamePosition.parse(shipped_library, "avg-bulls-cows", "0", answers)
        rows = table.responses[list(position.node.candidates), : table.size]
        sizes = [np.bincount(rows[:, guess]) for guess in range(table.size)]
        parts = [int((counts > 0).sum()) for counts in sizes]
        largest = [int(counts.max()) for counts in sizes]
        found = GuessAnalysis(position).comparison
        guess = position.node.guess
        assert (found.parts, found.largest) == (parts[guess], largest[guess])
        assert (found.most_parts, found.least_largest) == (max(parts), min(largest))


@pytest.mark.parametrize("prefix", ["", "/ru"])
@pytest.mark.parametrize(
    ("tree", "rules", "code"),
    [("avg-bulls-only-4x6", "p4c6rb", "0012"), ("avg-bulls-only-4-of-4", "p4c4nb", "0123")],
)
def test_pages_of_bulls_only_name_no_cows(
    shipped_client: TestClient, prefix: str, tree: str, rules: str, code: str
):
    """But the name of the game, which links have too."""
    played = (f"/play/{tree}/0", f"/play/{tree}/0/1.0?analysis=open", f"/play/{tree}/0/1.0/none")
    guessed = (f"/guess/{rules}/k3/{code}", f"/analyse/{rules}?h={code}:1.0", f"/answer/{rules}")
    for path in (*played, *guessed, f"/trees/{tree}", f"/atlas/{rules}", f"/play/{tree}/0/1.1"):
        page = get(shipped_client, prefix + path, 422 if path.endswith("1.1") else 200)
        said = text(one(page, "main")).replace("Bulls & Cows", "").replace("Быки и коровы", "")
        assert not re.search(r"\bcow|white|коров|\bбел", said.lower()), path
        assert not page.select(".of-ring, .of-white")
