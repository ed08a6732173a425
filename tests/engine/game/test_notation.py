"""Turns in every notation read back as themselves, and what can't be read is named."""

import re
from collections.abc import Callable
from contextlib import suppress
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.errors import EngineError
from bullscows.game.history import MAX_HISTORY, History
from bullscows.game.notation import (
    UnreadableTurnError,
    read_answer,
    read_code,
    read_history,
    read_turns,
)
from bullscows.game.rules import AnswerError, CodeError, Rules
from bullscows.game.scoring import Answer
from bullscows_web.language.catalogues import languages
from bullscows_web.language.words import answer_words
from bullscows_web.web.frame import address_text
from tests.support.examples import examples
from tests.support.strategies import histories

RULES = Rules.parse("p4c10n")
PEGS = Rules.parse("p4c6r")
HEXADECIMAL = Rules.parse("p2c16n")

Form = Callable[[Answer], str]


def paired(mark: str) -> Form:
    return lambda answer: mark.join(map(str, answer))


def counted(bull: str, cow: str, between: str = "") -> Form:
    return lambda answer: f"{answer.bulls}{bull}{between}{answer.cows}{cow}"


def swapped(bull: str, cow: str, between: str = "") -> Form:
    return lambda answer: f"{answer.cows}{cow}{between}{answer.bulls}{bull}"


def shortened(bull: str, cow: str) -> Form:
    """Leave out a count of zero; write 0 if both are zero."""
    return lambda answer: (
        "0"
        if answer == (0, 0)
        else "".join(f"{n}{w}" for n, w in zip(answer, (bull, cow), strict=True) if n)
    )


FORMS: dict[str, Form] = {
    **{f"1{mark}1": paired(mark) for mark in (*".,:/+-–", "", " ")},
    "1 - 1": lambda answer: f"{answer.bulls} - {answer.cows}",
    "marks": lambda answer: "●" * answer.bulls + "○" * answer.cows if any(answer) else "0.0",
    "1B1C": counted("B", "C"),
    "1C1B": swapped("B", "C"),
    "1b 1c": counted("b", "c", " "),
    "1A1B": counted("A", "B"),
    "2b1w": counted("b", "w"),
    "1W 2B": swapped("B", "W", " "),
    "1 bull, 2 cows": counted(" bull", " cows", ", "),
    "2 blacks and 1 white": counted(" blacks", " white", " and "),
    "1б1к": counted("б", "к"),
    "1К 2Б": swapped("Б", "К", " "),
    "1 бык 2 коровы": counted(" бык", " коровы", " "),
    "2ч1б": counted("ч", "б"),
    "1б2ч": swapped("ч", "б"),
    "2 чёрные и 1 белая": counted(" чёрные", " белая", " и "),
}
LINKS = [" ", ":", "=", ": ", " - ", "\t", " → ", ", ", "  =>  "]
GAPS = ["\n", "\r\n", ", ", "; ", ". ", "\n\n", " | "]


def written(turns: list[tuple[str, str]], link: str, gap: str) -> str:
    return gap.join(f"{guess}{link}{answer}" for guess, answer in turns)


@pytest.mark.parametrize("form", FORMS)
def test_every_answer_reads_back_in_every_form(form: str) -> None:
    for rules in (RULES, PEGS, HEXADECIMAL):
        for index, answer in enumerate(rules.answers):
            assert read_answer(rules, f" {FORMS[form](answer)} ") == index


@pytest.mark.parametrize("text", ["2b1c", "2B1C", "2,1", "2 1", "2, 1", "2 , 1", "2.1", "21"])
def test_an_answer_is_read_as_people_write_it(text: str) -> None:
    for rules in (RULES, PEGS):
        assert read_answer(rules, text) == rules.answer_index(2, 1)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "invalid answer ''"),
        ("x", "invalid answer 'x'"),
        ("1", "invalid answer '1'"),
        ("1.1 1", "invalid answer '1.1 1'"),
        ("1b1", "invalid answer '1b1'"),
        ("3b1c", "impossible answer 3.1"),
        ("5 0", "impossible answer 5.0"),
    ],
)
def test_what_is_no_answer_is_named(text: str, reason: str) -> None:
    with pytest.raises(AnswerError, match=re.escape(reason)):
        read_answer(RULES, text)


def test_a_code_is_read_with_spaces_and_capitals() -> None:
    assert read_code(HEXADECIMAL, " A\t1 ") == HEXADECIMAL.parse_code("a1")


@pytest.mark.parametrize("text", ["", " ", "012", "01234", "0012", "012x", "٠١٢٣", "012\0"])
def test_what_is_no_code_is_refused(text: str) -> None:
    with pytest.raises(CodeError):
        read_code(RULES, text)


@pytest.mark.parametrize(
    "text",
    [
        "0123:0.1 1456:1.1",
        "0123 1c, 1456 1b1c",
        "0123 0 1\n1456 1,1",
        "0123=01; 1456=11",
        "0123 0, 1; 1456 1, 1",
    ],
)
def test_a_history_is_read_in_any_notation(text: str) -> None:
    assert str(read_history(RULES, text)) == "0123:0.1 1456:1.1"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("0123", "invalid turn '0123': write guess:answer"),
        ("0123:3.1", "impossible answer 3.1"),
        ("0012:0.1", "symbols may not repeat"),
    ],
)
def test_what_is_no_history_is_named(text: str, reason: str) -> None:
    with pytest.raises(EngineError, match=re.escape(reason)):
        read_history(RULES, text)


@pytest.mark.parametrize("form", FORMS)
@examples(15)
@given(histories(most=5), st.sampled_from(LINKS), st.sampled_from(GAPS))
def test_every_history_reads_back_in_every_form(form, drawn, link, gap):
    rules, turns = drawn
    pairs = [(rules.text(guess), FORMS[form](rules.answers[answer])) for guess, answer in turns]
    assert read_turns(rules, written(pairs, link, gap)) == turns


@given(histories(most=5), st.sampled_from(LINKS))
def test_what_is_none_may_be_left_out(drawn, link):
    rules, turns = drawn
    if rules.repeats:
        names = [("b", "w"), ("ч", "б"), (" black", " white")]
    else:
        names = [("b", "c"), ("б", "к"), (" bulls", " cows")]
    for bull, cow in names:
        form = shortened(bull, cow)
        pairs = [(rules.text(guess), form(rules.answers[answer])) for guess, answer in turns]
        assert read_turns(rules, written(pairs, link, "\n")) == turns


@pytest.mark.parametrize("language", languages(), ids=lambda language: language.code)
@given(histories(most=5), st.sampled_from(GAPS))
def test_words_of_the_pages_themselves_are_read(language, drawn, gap):
    rules, turns = drawn
    pairs = [
        (rules.text(guess), answer_words(language, rules, rules.answers[answer]))
        for guess, answer in turns
    ]
    assert read_turns(rules, written(pairs, ": ", gap)) == turns


@given(histories(most=20))
def test_address_reads_back_byte_for_byte(drawn):
    rules, turns = drawn
    text = address_text(History(rules, turns))
    assert read_turns(rules, text) == turns
    assert address_text(History(rules, read_turns(rules, text))) == text


@pytest.mark.parametrize(
    "text",
    [
        *("0123 1B1C\n4567 0.2", "0123 1.1 4567 0.2", "0123=1,1,4567=0,2", "0123=1,1, 4567=0,2"),
        *("1. 0123 - 1B 1C\n2. 4567 - 2C", "1) 0123 1b1c; 2) 4567 2c"),
        *("0 1 2 3: 1 bull, 1 cow\n4 5 6 7: 2 cows", "0123 (1,1), 4567 (0,2)"),
        *("0123\t11\r\n4567\t02\r\n", "0123 1 бык и 1 корова. 4567 2 коровы."),
        *("0123 1A1B 4567 0A2B", "0123,1,1\n4567,0,2\n"),
    ],
)
def test_usual_lists_are_read(text):
    assert address_text(History(RULES, read_turns(RULES, text))) == "0123:1.1-4567:0.2"


@pytest.mark.parametrize(
    ("rules", "answer", "wanted"),
    [
        *((RULES, "1b", "1.0"), (RULES, "1б", "1.0"), (PEGS, "1b", "1.0"), (PEGS, "1б", "0.1")),
        *((PEGS, "1ч", "1.0"), (PEGS, "1б1к", "1.1"), (RULES, "1б2ч", "2.1")),
        *((RULES, "1a2b", "1.2"), (RULES, "2b1a", "1.2"), (RULES, "0", "0.0")),
        *((Rules.parse("p4c10nb"), "2", "2.0"), (Rules.parse("p4c6rb"), "3б", "3.0")),
    ],
)
def test_letter_of_two_words_is_decided_by_the_other_or_by_the_game(rules, answer, wanted):
    assert address_text(History(rules, read_turns(rules, f"0123 {answer}"))) == f"0123:{wanted}"


@pytest.mark.parametrize(
    ("text", "number", "named", "flaw"),
    [
        ("x", 1, "x", "guess"),
        ("0123", 1, "0123", "answer"),
        ("0123:", 1, "0123:", "answer"),
        ("0123 1B1C\n12x4 1B\n4567 0.2", 2, "12x4 1B", "guess"),
        ("0123:0.1-012:0.1-4567:1.1", 2, "012:0.1", "guess"),
        ("0123:0.1 0012:0.1 4567:1.1", 2, "0012:0.1", "guess"),
        ("٠123:0.1", 1, "٠123:0.1", "guess"),
        ("0123 3.1, 4567 1.1", 1, "0123 3.1", "impossible"),
        ("0123 5B\n4567 1.1", 1, "0123 5B", "impossible"),
        ("0123 1x\n4567 1.1", 1, "0123 1x", "answer"),
        ("0123 1b1b", 1, "0123 1b1b", "answer"),
        ("0123 1c1w", 1, "0123 1c1w", "answer"),
        ("0123:0.1:0.1", 1, "0123:0.1:0.1", "answer"),
        ("0123\n1.1", 1, "0123", "answer"),
        ("0123 1.1\n" + "9" * 500, 2, "9" * 40, "guess"),
        ("-".join(["0123:0.1"] * (MAX_HISTORY + 1)), MAX_HISTORY + 1, "0123:0.1", "too-many"),
    ],
)
def test_turn_that_can_not_be_read_is_named(text, number, named, flaw):
    with pytest.raises(UnreadableTurnError) as caught:
        read_turns(RULES, text)
    assert (caught.value.number, caught.value.text, caught.value.flaw) == (number, named, flaw)


@given(histories(most=6), st.data(), st.sampled_from(["?!", "12345678x", "_", "0.1"]))
def test_garbage_among_turns_is_named(drawn, data, garbage):
    rules, turns = drawn
    place = data.draw(st.integers(0, len(turns)))
    lines = [f"{rules.text(guess)} {rules.answers[answer]}" for guess, answer in turns]
    lines.insert(place, garbage)
    with pytest.raises(UnreadableTurnError) as caught:
        read_turns(rules, "\n".join(lines))
    assert caught.value.number == place + 1
    assert caught.value.text == garbage


@given(st.text(alphabet="01239abcABCбкч●○.,:;=- \n()", max_size=300))
def test_any_text_is_read_or_refused(text):
    for rules in (RULES, PEGS, HEXADECIMAL):
        try:
            turns = read_turns(rules, text)
        except UnreadableTurnError:
            continue
        assert read_turns(rules, address_text(History(rules, turns))) == turns


@pytest.mark.parametrize("text", ["1 " * 2000, "0123" + " " * 4000, "01 1b 1 c " * 400, "-" * 4000])
def test_long_texts_cost_little(text):
    """Each place is read once for each number that its turn may have."""
    started = process_time()
    for rules in (Rules.parse("p1c10r"), RULES, HEXADECIMAL):
        with suppress(UnreadableTurnError):
            read_turns(rules, text)
    assert process_time() - started < 1
