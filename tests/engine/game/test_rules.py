"""Rules: notation, numbering of codes, answers."""

from collections.abc import Callable
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.errors import EngineError
from bullscows.game.number_game import MAX_NUMBERS, NumberGame
from bullscows.game.response_table import code_array
from bullscows.game.rules import AnswerError, CodeError, Rules, RulesError, respond
from bullscows.game.scoring import Answer
from bullscows.library import solve
from tests.support.strategies import small_rules

BULLS_COWS = Rules.parse("p4c10n")
MASTERMIND = Rules.parse("p4c6r")


SIZES = {
    "p4c10n": 5040, "p4c6r": 1296, "p5c8r": 32768, "p1c1r": 1, "p8c8n": 40320, "p4c10z": 4536,
    "p3c10z": 648, "p1c10z": 9, "p2c2z": 1, "p8c16z": 486486000, "p8c16r": 16**8, "p1c1n": 1,
}  # fmt: skip


@pytest.mark.parametrize(("text", "size"), SIZES.items())
def test_size_of_known_games(text: str, size: int) -> None:
    assert Rules.parse(text).size == size


@pytest.mark.parametrize(
    "text",
    [
        *("", "p4c10", "p4c10x", "chess", "p04c10n", "p4c010n", "p0c3r", "p9c9n", "p4c17r"),
        *("p4c3n", "p4c10n ", "p٤c10n", "p4c10n\n", "p4c10nn", "p-4c10n"),
    ],
)
def test_parse_refuses_bad_rules(text: str) -> None:
    with pytest.raises(RulesError):
        Rules.parse(text)


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("P4C10N", "p4c10n"),
        ("p4c10Z", "p4c10z"),
        ("bulls-cows", "p4c10n"),
        ("Mastermind", "p4c6r"),
        ("super-mastermind", "p5c8r"),
    ],
)
def test_parse_accepts_capital_letters_and_names(text: str, rules: str) -> None:
    assert str(Rules.parse(text)) == str(Rules.of(text)) == rules


SAID: list[tuple[Callable[[], object], str]] = [
    (lambda: Rules(0, 6, True), "positions must be 1 to 8, not 0$"),
    (lambda: Rules(9, 16, True), "positions must be 1 to 8, not 9$"),
    (lambda: Rules(1, 0, True), "symbols must be 1 to 16, not 0$"),
    (lambda: Rules(4, 17, True), "symbols must be 1 to 16, not 17$"),
    (lambda: Rules(4, 3, False), "without repeats 4 positions need at least 4 symbols, not 3$"),
    (lambda: Rules(4, 6, repeats=True, leading_zero=False), ".*only where no symbol repeats"),
    (lambda: Rules.parse("p1c1z"), ".*need"),
    (lambda: Rules.parse("p4c3z"), ".*need"),
    (lambda: Rules.parse("x" * 50), "invalid rules 'x{40}': write"),
    (lambda: Rules.parse("bulls-and-cows"), ".*did you mean bulls-cows"),
    (lambda: Rules.parse("number:1234567890123456789"), "'number:1234567890123' is no game of pl"),
    (lambda: BULLS_COWS.index((0, 1, 2)), "a code of p4c10n has 4 symbols, not 3$"),
    (lambda: BULLS_COWS.index((0, 1, 2, 10)), "symbol 10 is not in 0 to 9$"),
    (lambda: BULLS_COWS.index((0, 1, 2, -1)), "symbol -1 is not in 0 to 9$"),
    (lambda: BULLS_COWS.index((0, 1, 2, 0)), "symbols may not repeat in p4c10n$"),
    (lambda: BULLS_COWS.code(-1), "code number -1 is not in 0 to 5039$"),
    (lambda: BULLS_COWS.code(5040), "code number 5040 is not in 0 to 5039$"),
    (lambda: MASTERMIND.parse_code("0" * 19 + "678"), "invalid symbol '6' in code '0{19}6': p4c6r"),
    (
        lambda: MASTERMIND.parse_code("0008"),
        "invalid symbol '8' in code '0008': p4c6r uses 0 to 5$",
    ),
    (lambda: MASTERMIND.parse_code("0" * 30), "invalid code '0{20}': a code of"),
    (lambda: Rules.parse("p4c10z").parse_code("0123"), "invalid code '0123': no code of p4c10z be"),
    (lambda: BULLS_COWS.answer_index(3, 1), "impossible answer 3.1: with 4 pos.* never 3.1$"),
    (lambda: BULLS_COWS.parse_answer("1" * 30), "invalid answer '1{20}': write bulls.cows, for "),
    (lambda: Rules.parse("p4c6rb").parse_answer("1"), "invalid answer '1': write bulls.0, for "),
    (lambda: BULLS_COWS.answer_number(-1), "answer number -1 is not in 0 to 13$"),
    (lambda: BULLS_COWS.answer_number(14), "answer number 14 is not in 0 to 13$"),
    (lambda: respond("01", "0x"), "secret must be .* 0 to f, .* not '0x'$"),
    (lambda: respond("012", "0123"), ".* of the same length: '012' has 3 .* '0123' has 4$"),
    (lambda: respond("0123", "104"), ".* of the same length: '0123' has 4 .* '104' has 3$"),
]


@pytest.mark.parametrize(("refused", "words"), SAID, ids=range(len(SAID)))
def test_what_is_no_game_code_or_answer_is_named(refused: Callable[[], object], words: str) -> None:
    with pytest.raises(ValueError, match=f"^{words}"):
        refused()


def test_codes_are_given_as_numbers_or_texts() -> None:
    assert BULLS_COWS.numbers("0123 0124  9876") == [0, 1, 5039]
    assert BULLS_COWS.numbers([7, "9876"]) == [7, 5039]
    assert Rules.parse("p4c10z").numbers("1023 9876") == [0, 4535]


def test_answers_are_given_as_numbers_texts_or_values() -> None:
    given = [0, 13, "0.0", "4.0", Answer(4, 0)]
    assert [BULLS_COWS.answer_number(answer) for answer in given] == [0, 13, 0, 13, 13]


def test_both_numbers_of_an_answer_are_read() -> None:
    wide = Rules.parse("p8c16r")
    texts = ["0.8", "8.0", "3.5"]
    assert [str(wide.answers[wide.parse_answer(text)]) for text in texts] == texts
    assert str(Answer(1, 2)) == "1.2"


@given(small_rules())
def test_parse_inverts_str(rules: Rules) -> None:
    assert Rules.parse(str(rules)) == rules


@pytest.mark.parametrize("text", ["p4c6r", "p3c5n", "p4c4n", "p2c16r", "p1c7n", "p3c5z", "p1c4z"])
def test_codes_are_lexicographic(text: str) -> None:
    rules = Rules.parse(text)
    symbols = range(rules.symbols)
    places = rules.positions
    expected = product(symbols, repeat=places) if rules.repeats else permutations(symbols, places)
    codes = [code for code in expected if rules.leading_zero or code[0] != 0]
    assert [rules.code(index) for index in range(rules.size)] == list(rules.codes()) == codes
    assert [rules.index(code) for code in codes] == list(range(rules.size))
    assert list(map(tuple, code_array(rules).tolist())) == codes


@given(small_rules(), st.data())
def test_texts_of_codes_are_read_back(rules: Rules, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, rules.size - 1))
    assert rules.parse_code(rules.text(index)) == index


@pytest.mark.parametrize(
    "text", ["", "012", "01234", "0012", "012a", "01 3", "０123", "012٣", "01A3"]
)
def test_parse_code_refuses_bad_text(text: str) -> None:
    with pytest.raises(CodeError):
        BULLS_COWS.parse_code(text)


@given(small_rules(), st.data())
def test_partition_keeps_every_candidate_once(rules: Rules, data: st.DataObject) -> None:
    codes = data.draw(st.sets(st.integers(0, rules.size - 1)))
    guess = data.draw(st.integers(0, rules.size - 1))
    parts = rules.partition(guess, sorted(codes))
    assert sorted(code for part in parts.values() for code in part) == sorted(codes)
    assert list(parts) == sorted(parts)
    for answer, part in parts.items():
        assert all(rules.respond(guess, code) == answer for code in part)


@given(small_rules(), st.data())
def test_separates_and_splits_agree_with_the_partition(rules: Rules, data: st.DataObject) -> None:
    codes = data.draw(st.sets(st.integers(0, rules.size - 1), max_size=12))
    guess = data.draw(st.integers(0, rules.size - 1))
    parts = rules.partition(guess, codes)
    assert rules.separates(guess, codes) == (len(parts) == len(codes))
    assert rules.splits(guess, codes) == (len(parts) > 1)


@pytest.mark.parametrize("positions", range(1, 9))
def test_answers_are_ordered_and_end_with_the_win(positions: int) -> None:
    rules = Rules(positions, 8, True)
    keys = [(positions + 1) * bulls + cows for bulls, cows in rules.answers]
    assert keys == sorted(keys)
    assert len(keys) == (positions + 1) * (positions + 2) // 2 - 1
    assert rules.answers[rules.win] == Answer(positions, 0)
    assert Answer(positions - 1, 1) not in rules.answers


@pytest.mark.parametrize(
    "text", ["3.1", "5.0", "0.5", "2.3", "", "1", "1.2.3", "1,2", "١.2", "1.2\n"]
)
def test_parse_answer_refuses_impossible_answers(text: str) -> None:
    with pytest.raises(AnswerError):
        BULLS_COWS.parse_answer(text)


def least_turns(size: int, known: dict[int, int]) -> int:
    """Return the least turns in all, by recursion over the guesses."""
    if size not in known:
        known[size] = size + min(
            least_turns(guess, known) + least_turns(size - 1 - guess, known)
            for guess in range(size)
        )
    return known[size]


@pytest.mark.parametrize("size", [*range(1, 20), 100])
def test_search_finds_the_least_turns(size: int) -> None:
    assert solve(NumberGame(size).table()).value == least_turns(size, {0: 0})


def test_answers_say_how_the_secret_compares_to_the_guess() -> None:
    game = NumberGame(3)
    answers = game.table().responses[:, :3]
    assert answers.tolist() == [[2, 0, 0], [1, 2, 0], [1, 1, 2]]
    assert [game.parse_answer(answer) for answer in "<>="] == [0, 1, 2]


def test_a_history_leaves_the_numbers_between() -> None:
    game = NumberGame(16)
    solution = solve(game.table(), history=game.turns("7:> 11:<"))
    assert solution.position.candidates == (8, 9, 10)


def test_notation_is_read_and_written() -> None:
    for text in ("number:1", "number:16", f"number:{MAX_NUMBERS}"):
        assert str(NumberGame.parse(text)) == text
    with pytest.raises(RulesError, match="only `bullscows solve` takes it"):
        Rules.parse("number:16")


@pytest.mark.parametrize(
    "text", ["number:", "number:0", "number:016", "number:1001", "number:-1", "number:１", "p4c10n"]
)
def test_other_notations_are_refused(text: str) -> None:
    with pytest.raises(RulesError):
        NumberGame.parse(text)


@pytest.mark.parametrize("word", ["16:<", "-1:<", "7", "7:", "7:1.0", "x:<"])
def test_bad_turns_are_refused(word: str) -> None:
    with pytest.raises(EngineError):
        NumberGame(16).turns(word)
