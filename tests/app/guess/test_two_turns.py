"""Puzzles from finished games: a guess after which the next one is the code."""

from itertools import pairwise

import pytest
from starlette.testclient import TestClient

from bullscows.game.history import History, candidates
from bullscows.game.rules import Rules
from bullscows_web.review.pages import puzzle
from bullscows_web.trees.links import puzzle_path
from tests.support.pages import get, one, text

RULES = Rules.parse("p3c6n")
GAMES = [
    ("520", "120", "523"),
    ("052", "531", "403", "243", "104"),
    ("214", "205", "534", "034"),
    ("432", "425"),
]


def wins(history: History, guess: int) -> bool:
    """Whether the candidates give a guess answers of which no two are equal."""
    answers = sorted(RULES.respond(guess, code) for code in candidates(RULES, history).tolist())
    return all(one != other for one, other in pairwise(answers))


def played(guesses: tuple[str, ...]) -> History:
    *_, secret = codes = [RULES.parse_code(guess) for guess in guesses]
    return History(RULES, tuple((code, RULES.respond(code, secret)) for code in codes))


@pytest.mark.large
@pytest.mark.parametrize("guesses", GAMES)
def test_first_position_that_a_guess_wins_in_two(client: TestClient, guesses: tuple[str, ...]):
    history = played(guesses)
    positions = [History(RULES, history[:number]) for number in range(1, len(history))]
    winnable = [
        each
        for each in positions
        if len(candidates(RULES, each)) > 2
        and any(wins(each, guess) for guess in range(RULES.size))
    ]
    found = puzzle(history)
    assert found == next(iter(winnable), None)
    if not found:
        return
    address = puzzle_path(found)
    solution = RULES.parse_code(text(one(get(client, address), ".best .digits")))
    assert wins(found, solution)
    for guess in (solution, *range(0, RULES.size, 8)):
        page = get(client, f"{address}&guess={RULES.text(guess)}")
        assert bool(page.select(".checked:not(.wrong)")) == wins(found, guess)


def test_contradiction_leads_to_the_analysis_that_explains_it(client: TestClient):
    history = "012:0.1-345:0.1-034:0.0-125:1.0"
    response = client.get(f"/puzzle/p3c6n?h={history}", follow_redirects=False)
    assert response.status_code == 303
    assert response.headers["location"] == f"/analyse/p3c6n?h={history}"


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_position_that_no_guess_wins_in_two_says_so_and_offers_a_puzzle(
    client: TestClient, prefix: str
):
    page = get(client, f"{prefix}/puzzle/p3c6n?h=012:0.0", 404)
    first, second = page.select(".actions .button")[:2]
    assert second["href"] == f"{prefix}/analyse/p3c6n?h=012:0.0"
    response = client.get(str(first["href"]), follow_redirects=False)
    assert response.status_code == 303
    assert response.headers["location"].startswith(f"{prefix}/puzzle/p3c6n?h=")
    assert response.headers["cache-control"] == "no-store"
    assert one(get(client, response.headers["location"]), ".best .digits")


@pytest.mark.parametrize("rules", ["p1c10n", "p5c8r"])
def test_game_without_puzzles_leads_to_its_analysis(client: TestClient, rules: str):
    page = get(client, f"/puzzle/{rules}", 404)
    assert one(page, ".actions .primary")["href"] == f"/analyse/{rules}"


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_guess_that_does_not_win_is_answered_in_each_language(client: TestClient, prefix: str):
    position = puzzle(played(GAMES[0]))
    assert position
    guess = next(guess for guess in range(RULES.size) if not wins(position, guess))
    page = get(client, f"{prefix}{puzzle_path(position)}&guess={RULES.text(guess)}")
    assert one(page, ".checked.wrong")


def test_text_that_is_no_guess_is_explained(client: TestClient):
    position = puzzle(played(GAMES[0]))
    assert position
    page = get(client, f"{puzzle_path(position)}&guess=11", 422)
    assert "3 digits" in text(one(page, "#guess-error"))
