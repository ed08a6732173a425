"""Options of a game: a limit of turns, and hard mode."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlencode

import pytest
from fastapi import FastAPI
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from bullscows_web.guess.game import LIMITS, Guessing, Options, OptionsDep, contradicted
from bullscows_web.guess.help_used import HelpUsed
from bullscows_web.guess.puzzle import Puzzle
from bullscows_web.guess.typed_guess import GuessError
from bullscows_web.trees.library import Library
from tests.support.pages import get, one, text

PUZZLE = "/guess/p3c5n/k3f9"  # the code is 210
WRONG = ["012", "013", "014", "021", "023", "024", "031", "032", "034", "041", "042", "043"]

OPTIONS = st.builds(Options, st.none() | st.sampled_from(LIMITS), st.booleans())


def limited(library: Library, limit: int, guesses: int, help: str = "") -> Guessing:
    """A game after some wrong guesses."""
    text = "-".join(WRONG[:guesses])
    return Guessing.parse(library, "p3c5n", "k3f9", text, help=help, options=Options(limit))


def test_code_of_the_puzzle(library: Library):
    puzzle = Puzzle.parse(library, "p3c5n", "k3f9")
    assert puzzle.rules.text(puzzle.secret) == "210"


@pytest.fixture(scope="module")
def echo() -> TestClient:
    """A server that returns the query of the options that it has read."""
    app = FastAPI()

    @app.get("/")
    async def show(options: OptionsDep) -> dict[str, str]:
        return options.query

    return TestClient(app)


@given(OPTIONS)
def test_query_is_read_back(echo: TestClient, options: Options):
    query = urlencode(options.query)
    assert urlencode(echo.get(f"/?{query}").json()) == query
    assert (options == Options()) == (query == "")


@pytest.mark.parametrize("query", ["limit=7", "limit=13", "limit=ten", "hard=1", "limit=08"])
def test_other_values_are_refused(client: TestClient, query: str):
    assert text(one(get(client, f"{PUZZLE}?{query}", 422), ".detail"))


@pytest.mark.parametrize("limit", LIMITS)
def test_game_is_lost_after_the_last_turn(library: Library, limit: int):
    before = limited(library, limit, limit - 1)
    assert (before.is_over, before.turns_left) == (False, 1)
    assert before.after(before.puzzle.secret).is_found
    lost = before.after(before.rules.parse_code(WRONG[limit - 1]))
    assert (lost.is_over, lost.is_found, lost.turns_left) == (True, False, 0)


def test_guesses_after_the_last_turn_are_left_out(client: TestClient):
    response = client.get(f"{PUZZLE}/{'-'.join(WRONG[:9])}?limit=8")
    assert response.status_code == 303
    assert response.headers["location"] == f"{PUZZLE}/{'-'.join(WRONG[:8])}?limit=8"


def test_lost_game_shows_the_code_and_offers_a_new_puzzle_with_the_same_limit(client: TestClient):
    page = get(client, f"{PUZZLE}/{'-'.join(WRONG[:8])}?limit=8")
    assert one(page, "[data-secret]")["data-secret"] == "210"
    assert "Not found in 8 turns." in text(one(page, "h1"))
    assert page.select("#board[data-over]")
    assert not page.select("form.ask")
    assert one(page, ".actions .primary")["href"] == "/guess/p3c5n?limit=8"


def test_guess_taken_back_costs_its_turn(library: Library):
    back = limited(library, 8, 5).before(4)
    assert (len(back.guesses), back.turns_left) == (3, 3)
    read = Guessing.parse(
        library, "p3c5n", "k3f9", "012-013-014", help="u021-023", options=Options(8)
    )
    assert read == back


def test_after_the_end_the_code_is_known_and_all_turns_are_there_again(library: Library):
    again = limited(library, 8, 8).before(1)
    assert (again.help, again.turns_left) == (HelpUsed(known=True), 8)


def test_hard_mode_names_the_answer_that_a_guess_contradicts(client: TestClient):
    page = get(client, f"{PUZZLE}/340?hard=on&guess=0 12", 422)
    assert text(one(page, "#guess-error")) == (
        "Hard mode: guess 1 got 1 bull, 0 cows. "
        "If 012 were the code, it would have got 0 bulls, 1 cow."
    )
    assert [row["data-guess"] for row in page.select("tr[data-guess]")] == ["340"]
    assert one(page, "#guess")["value"] == "0 12"


def test_hard_mode_accepts_what_fits(client: TestClient):
    response = client.get(f"{PUZZLE}/340?hard=on&guess=120")
    assert response.headers["location"] == f"{PUZZLE}/340-120?hard=on"


@given(st.data())
def test_hard_mode_accepts_exactly_the_codes_that_fit_all_answers(
    library: Library, data: st.DataObject
):
    game = Guessing(Puzzle.parse(library, "p3c5n", "k3f9"), options=Options(hard=True))
    for _ in range(data.draw(st.integers(1, 4))):
        if not game.is_over:
            game = game.after(data.draw(st.sampled_from(game.candidates.tolist())))
    code = data.draw(st.integers(0, game.rules.size - 1))
    if code in game.guesses or game.is_over:
        return
    wrong = contradicted(game.rules, game.turns, code)
    if not wrong:
        assert game.ask(game.rules.text(code)).guesses[-1] == code
        return
    with pytest.raises(GuessError) as caught:
        game.ask(game.rules.text(code))
    assert caught.value.flaw == "contradiction"
    assert caught.value.turn == wrong[0][0].number


def test_address_with_a_guess_that_does_not_fit_is_not_in_hard_mode(client: TestClient):
    response = client.get(f"{PUZZLE}/340-012?limit=9&hard=on")
    assert response.headers["location"] == f"{PUZZLE}/340-012?limit=9"


@pytest.mark.parametrize("rest", ["", "/340", "/340/reveal", "/340-210"])
def test_every_way_on_keeps_the_options(client: TestClient, rest: str):
    page = get(client, f"{PUZZLE}{rest}?limit=10&hard=on")
    links = [str(link["href"]) for link in page.select(f"main a[href^='{PUZZLE}']")]
    assert links
    for link in links:
        asked = parse_qs(link.partition("?")[2])
        assert (asked["limit"], asked["hard"]) == (["10"], ["on"]), link
    for form in page.select("form.ask"):
        fields = {str(field["name"]): field["value"] for field in form.select("[type=hidden]")}
        assert (fields["limit"], fields["hard"]) == ("10", "on")


@pytest.mark.parametrize("path", ["/guess/p3c5n", "/guess/p3c5n/today"])
def test_new_puzzle_has_the_options_of_its_address(client: TestClient, path: str):
    place = str(client.get(f"{path}?limit=12&hard=on").headers["location"])
    assert re.fullmatch(r"/guess/p3c5n/[0-9a-z-]+\?limit=12&hard=on", place)
    assert "?" not in str(client.get(f"{path}?limit=").headers["location"])


def test_options_can_be_set_before_the_first_guess(client: TestClient):
    page = get(client, f"{PUZZLE}?limit=9")
    form = one(page, "details form")
    assert (form["action"], form["method"]) == (PUZZLE, "get")
    assert one(form, "option[selected]")["value"] == "9"
    assert not get(client, f"{PUZZLE}/340").select("details form")


def test_board_shows_the_rows_that_are_left(client: TestClient):
    page = get(client, f"{PUZZLE}/012-013?limit=8")
    assert len(page.select(".rows-left li")) == 5, "two are full, and one is being filled"
    assert text(one(page, "label[for=guess]")) == "Your guess 3 of 8"
    assert not get(client, f"{PUZZLE}/012-013").select(".rows-left")
