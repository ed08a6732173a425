"""A duel as a value: whose turn it is, how it ends, and that its address says all of it."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.rules import Rules
from bullscows_web.duel.levels import MAX_TURNS, NAMES, LevelName
from bullscows_web.duel.state import Duel, Terms
from bullscows_web.guess.typed_guess import GuessError
from bullscows_web.trees.library import Library
from bullscows_web.web.encrypted_state import StateCipher
from bullscows_web.web.exceptions import MalformedError

pytestmark = pytest.mark.large

RULES = Rules.parse("p3c5n")
CIPHER = StateCipher(lambda: "a key that nobody guesses, of some length")

Begin = Callable[..., Duel]


@pytest.fixture
def begin(library: Library) -> Begin:
    """A function that begins a duel with a known code."""

    def begin(code: str = "012", level: LevelName = "champion", *, begins: bool = True) -> Duel:
        terms = Terms(RULES, RULES.parse_code(code), "0" * 32, level, begins)
        return Duel.parse(library, CIPHER, RULES, terms.token(CIPHER))

    return begin


def truly_answered(duel: Duel, mine: int) -> Duel:
    """Answer the computer's guess as a visitor does who has the code `mine`."""
    assert duel.question is not None
    return duel.answered(duel.rules.respond(duel.question, mine))


def test_who_begins_and_finds_leaves_the_other_a_last_guess(begin: Begin):
    duel = begin().guessed(RULES.parse_code("012"))
    assert (duel.found_by_visitor, duel.is_over, duel.mover) == (1, False, "computer")
    missed = next(answer for answer in duel.possible if answer != RULES.win)
    assert duel.answered(missed).result == "won"
    assert duel.answered(RULES.win).result == "drawn"


def test_who_follows_and_finds_ends_it(begin: Begin):
    duel = begin(begins=False)
    missed = next(answer for answer in duel.possible if answer != RULES.win)
    assert duel.answered(missed).guessed(RULES.parse_code("012")).result == "won"
    found = duel.answered(RULES.win)
    assert (found.mover, found.guessed(RULES.parse_code("432")).result) == ("visitor", "lost")
    assert found.guessed(RULES.parse_code("012")).result == "drawn"


def test_guesses_of_the_computer_differ_from_duel_to_duel(library: Library):
    firsts = set()
    for _ in range(40):
        token = Terms.draw(RULES, "champion", visitor_begins=False).token(CIPHER)
        firsts.add(Duel.parse(library, CIPHER, RULES, token).question)
    assert len(firsts) > 10


@pytest.mark.parametrize(
    ("moves", "error"),
    [
        ("01", GuessError),
        ("011", GuessError),
        ("019", GuessError),
        ("034-9.9", MalformedError),
        ("034-x.y", MalformedError),
        ("0.1-0.1", MalformedError),
        ("-".join(["034"] * (MAX_TURNS + 1)), MalformedError),
        ("-".join(["034"] + ["0.1"] * (MAX_TURNS + 1)), MalformedError),
        ("034-0.1-" + "-".join(["034"] * MAX_TURNS), MalformedError),
        ("034-123", MalformedError),
    ],
)
def test_moves_that_are_none_are_refused(
    library: Library, begin: Begin, moves: str, error: type[Exception]
):
    with pytest.raises(error):
        Duel.parse(library, CIPHER, RULES, begin().token, moves)


@given(st.data())
def test_any_moves_lead_to_a_duel_or_to_an_error(library: Library, data: st.DataObject):
    """A duel is written as it was read, and never continues after its end."""
    level = data.draw(st.sampled_from(NAMES))
    begins = data.draw(st.booleans())
    terms = Terms(RULES, data.draw(st.integers(0, 59)), "0" * 32, level, begins)
    token = terms.token(CIPHER)
    guess = st.integers(0, 59).map(RULES.text)
    answer = st.sampled_from(RULES.answers).map(str)
    moves = "-".join(data.draw(st.lists(st.one_of(guess, answer, st.text(max_size=4)), max_size=9)))
    try:
        duel = Duel.parse(library, CIPHER, RULES, token, moves)
    except (GuessError, MalformedError):
        return
    if duel.refused is None:
        assert Duel.parse(library, CIPHER, RULES, token, duel.moves) == duel
    else:
        assert all(duel.correct(each).refused is None for each in duel.corrections())


def test_wrong_answer_is_named_and_corrected_without_losing_a_guess(begin: Begin):
    """One wrong answer in every game is among the corrections, and the duel goes on to its end."""
    drawn = random.Random(3)
    named = 0
    for mine in range(RULES.size):
        duel = begin("342", "expert")
        wrong = 0
        while duel.mover and duel.refused is None:
            if duel.mover == "visitor":
                left = [code for code in range(60) if code not in (*duel.guesses, 0)]
                duel = duel.guessed(drawn.choice([c for c in left if c != duel.terms.code]))
                continue
            question = duel.question
            assert question is not None
            truth = RULES.respond(question, mine)
            others = sorted(duel.possible - {truth, RULES.win})
            if not wrong and others and truth != RULES.win:
                wrong = len(duel.answers) + 1
                right = truth
                truth = drawn.choice(others)
            duel = duel.answered(truth)
        if duel.refused is None:
            continue
        found = {
            (each.turn, RULES.answer_index(*each.instead)): each for each in duel.corrections()
        }
        assert (wrong, right) in found
        corrected = duel.correct(found[wrong, right])
        assert corrected.guesses == duel.guesses
        assert corrected.answers[wrong - 1] == right
        while corrected.mover == "computer":
            corrected = truly_answered(corrected, mine)
        assert corrected.refused is None
        named += 1
    assert named > 10
