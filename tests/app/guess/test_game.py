"""The other way round: what follows from an address, and that no text leads anywhere else."""

import re
from collections import Counter
from datetime import date, timedelta
from math import sqrt
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from bullscows.game.rules import CodeError, Rules
from bullscows_web.guess.game import (
    HELP_PATTERN,
    LIMITS,
    MAX_UNDONE,
    NO_HELP,
    Guessing,
    HelpUsed,
    Options,
)
from bullscows_web.guess.puzzle import MAX_GUESSES, MAX_SEED, Puzzle, entry_of
from bullscows_web.guess.typed_guess import GuessError, read
from bullscows_web.review.reasons import contradictions
from bullscows_web.trees.library import Library
from bullscows_web.web.exceptions import MalformedError, NotFoundError
from tests.support.pages import get, one, text

SMALL = "p3c5n"
PEGS = "p2c4r"
BULLS_COWS = Rules.parse("p4c10n")


@pytest.mark.parametrize(
    ("rules", "seed", "secret"),
    [("p4c10n", "k3f9", "4620"), ("p4c6r", "k3f9", "1104"), ("p4c10n", "2026-11-21", "8450")],
)
def test_secret_of_a_link_stays(shipped_library: Library, rules: str, seed: str, secret: str):
    """The remainders of the hashes, worked out once with sha256sum and bc."""
    puzzle = Puzzle.parse(shipped_library, rules, seed)
    assert puzzle.rules.text(puzzle.secret) == secret


@pytest.mark.parametrize("rules", ["p4c10n", "p4c6r"])
def test_secrets_are_spread_evenly(shipped_library: Library, rules: str):
    """Pearson's statistic of days in a row: as far from its mean as chance has it, 1 in 10**6."""
    entry = entry_of(shipped_library, rules)
    size = entry.rules.size
    days = 60_000
    first = date(2026, 11, 21)
    found = Counter(
        Puzzle.of_day(entry, first + timedelta(days=number)).secret for number in range(days)
    )
    expected = days / size
    statistic = sum((found[code] - expected) ** 2 / expected for code in range(size))
    assert abs(statistic - (size - 1)) < 5 * sqrt(2 * (size - 1))
    assert set(found) <= set(range(size))


def test_drawn_puzzles_differ_and_can_be_read_again(library: Library):
    drawn = [Puzzle.draw(library, SMALL) for _ in range(200)]
    assert len({puzzle.seed for puzzle in drawn}) == 200
    for puzzle in drawn:
        assert Puzzle.parse(library, SMALL, puzzle.seed) == puzzle
        assert puzzle.day is None


@pytest.mark.parametrize(
    "seed", ["", "-", "a-", "-a", "a--b", "K3F9", "a b", "ä", "٣", "a.b", "a" * (MAX_SEED + 1)]
)
def test_seed_is_small_letters_and_digits(library: Library, seed: str):
    with pytest.raises(MalformedError):
        Puzzle.parse(library, SMALL, seed)


@pytest.mark.parametrize("rules", ["", "p6c9r", "P3C5N", "p3c5n ", "x", "p9c9n", "p" * 500])
def test_other_texts_are_no_games(library: Library, rules: str):
    with pytest.raises(NotFoundError):
        Puzzle.parse(library, rules, "k3f9")


@pytest.mark.parametrize("rules", ["p4c10n", "p6c10n", "p5c10r", "p1c2n"])
def test_game_without_a_tree_has_puzzles(library: Library, rules: str):
    puzzle = Puzzle.parse(library, rules, "k3f9")
    assert (str(puzzle.rules), puzzle.tree) == (rules, None)
    assert Guessing(puzzle).after(puzzle.secret).is_found


@given(st.data())
def test_address_is_read_back(library: Library, data: st.DataObject):
    rules = data.draw(st.sampled_from([SMALL, PEGS]))
    game = Guessing(
        Puzzle.parse(library, rules, data.draw(st.from_regex("[0-9a-z]{1,9}", fullmatch=True)))
    )
    for code in data.draw(st.lists(st.integers(0, game.rules.size - 1), max_size=8)):
        if not game.is_over:
            game = game.after(code)
    if not game.is_over and data.draw(st.booleans()):
        game = game.given_up()
    _, seed, *rest = game.path.split("/")
    gave_up = rest[-1:] == ["reveal"]
    guesses = "" if not game.guesses else rest[0]
    read = Guessing.parse(library, rules, seed, guesses)
    assert (read.given_up() if gave_up else read) == game


@given(st.data())
def test_candidates_are_the_codes_that_no_answer_rules_out(library: Library, data: st.DataObject):
    game = Guessing(Puzzle.parse(library, SMALL, "k3f9"))
    for code in data.draw(st.lists(st.integers(0, game.rules.size - 1), max_size=5)):
        game = game.after(code)
    fitting = [code for code in range(game.rules.size) if not contradictions(game.history, code)]
    assert list(game.candidates) == fitting
    assert game.puzzle.secret in fitting
    assert game.remaining == len(fitting)


@given(st.one_of(st.text(max_size=8), st.text("01245 _", max_size=6)))
def test_text_is_a_code_or_an_error(text: str):
    rules = Rules.parse(SMALL)
    if text in {rules.text(code) for code in range(rules.size)}:
        assert rules.text(read(rules, text)) == text
        return
    with pytest.raises(GuessError) as caught:
        read(rules, text)
    assert caught.value.text == text


def test_guess_is_asked_once_but_an_address_may_repeat_it(library: Library):
    game = Guessing.parse(library, SMALL, "k3f9", "012-012")
    assert len(game.history) == 2
    with pytest.raises(GuessError) as caught:
        game.ask(" 0 1 2\n")
    assert (caught.value.flaw, caught.value.turn) == ("again", 1)


def test_game_is_lost_after_the_last_guess(library: Library):
    game = Guessing(Puzzle.parse(library, SMALL, "k3f9"))
    wrong = "012" if game.puzzle.secret != game.rules.parse_code("012") else "013"
    lost = Guessing.parse(library, SMALL, "k3f9", "-".join([wrong] * MAX_GUESSES))
    assert lost.is_over
    assert not lost.is_found
    with pytest.raises(MalformedError):
        Guessing.parse(library, SMALL, "k3f9", "-".join([wrong] * (MAX_GUESSES + 1)))


PUZZLE = "/guess/p3c5n/k3f9"  # the code is 210
WRONG = ["012", "013", "014", "021", "023", "024", "031", "032", "034", "041", "042", "043"]


def limited(library: Library, limit: int, guesses: int) -> Guessing:
    """A game after some wrong guesses."""
    text = "-".join(WRONG[:guesses])
    return Guessing.parse(library, "p3c5n", "k3f9", text, options=Options(limit))


@pytest.mark.parametrize("limit", LIMITS)
def test_game_is_lost_after_the_last_turn(library: Library, limit: int):
    before = limited(library, limit, limit - 1)
    assert (before.is_over, before.turns_left) == (False, 1)
    assert before.after(before.puzzle.secret).is_found
    lost = before.after(before.rules.parse_code(WRONG[limit - 1]))
    assert (lost.is_over, lost.is_found, lost.turns_left) == (True, False, 0)


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
    wrong = contradictions(game.history, code)
    if not wrong:
        assert game.ask(game.rules.text(code)).guesses[-1] == code
        return
    with pytest.raises(GuessError) as caught:
        game.ask(game.rules.text(code))
    assert caught.value.flaw == "contradiction"
    assert caught.value.turn == wrong[0][0]


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


AIDS = st.builds(
    lambda hints, undone, known: HelpUsed(tuple(sorted(hints)), tuple(undone), known),
    st.sets(st.integers(1, 31)),
    st.lists(st.integers(0, BULLS_COWS.size - 1), unique=True, max_size=MAX_UNDONE),
    st.booleans(),
)


@given(AIDS)
def test_text_is_read_back(help: HelpUsed):
    text = help.text(BULLS_COWS)
    assert re.fullmatch(HELP_PATTERN, text)
    assert HelpUsed.parse(text, BULLS_COWS.parse_code) == help
    assert len(text) < 500


@pytest.mark.large
@given(st.from_regex(HELP_PATTERN, fullmatch=True))
def test_whatever_has_the_form_is_read_or_no_code(text: str):
    try:
        help = HelpUsed.parse(text, BULLS_COWS.parse_code)
    except CodeError:
        return
    assert HelpUsed.parse(help.text(BULLS_COWS), BULLS_COWS.parse_code) == help


def test_guesses_taken_back_are_bounded_and_listed_once():
    help = NO_HELP.without(*range(200)).without(3)
    assert help.undone == tuple(range(MAX_UNDONE))
