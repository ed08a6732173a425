from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.response_table import all_codes
from bullscows.game.rules import Rules
from bullscows.tree.nodes import Nodes
from bullscows_web.trees.library import Library
from bullscows_web.trees.position import (
    MAX_TEXT,
    ContradictionError,
    GameOverError,
    GamePosition,
    PastTurn,
    listed,
    typed_answer,
)
from bullscows_web.web.exceptions import MalformedError, NotFoundError
from tests.conftest import SMALL_TREES, write_small_tree

GAMES = st.sampled_from(sorted(SMALL_TREES))
SECRETS = st.integers(0, 10_000)
CUTS = st.integers(0, 10)


def reached(
    library: Library, tree: str, secret: int, cut: int, shuffle: bool = True
) -> GamePosition:
    """Return the position after at most `cut` honest answers."""
    position = GamePosition.start(library.tree(tree), shuffle=shuffle)
    rules = position.rules
    while len(position.answers) < cut and not position.is_finished:
        answer = rules.respond(position.node.guess, secret % rules.size)
        position = position.after(answer)
    return position


@given(GAMES, SECRETS, CUTS)
def test_parse_is_the_inverse_of_format(library, tree, secret, cut):
    position = reached(library, tree, secret, cut)
    assert GamePosition.parse(library, *position.parts) == position
    assert GamePosition.parse(library, *position.path.split("/")) == position
    assert GamePosition.parse_id(library, position.id) == position


@given(GAMES, SECRETS, CUTS)
def test_candidates_are_the_codes_that_fit_the_shown_history(library, tree, secret, cut):
    position = reached(library, tree, secret, cut)
    rules = position.rules
    turns = [(rules.parse_code(turn.guess), turn.answer) for turn in position.turns]
    fitting = [
        rules.text(code)
        for code in range(rules.size)
        if all(rules.answers[rules.respond(guess, code)] == given for guess, given in turns)
    ]
    assert position.candidates == fitting
    assert position.is_finished or sorted(map(rules.text, position.codes.tolist())) == fitting
    assert position.remaining == len(fitting)
    assert (position.secret is None) == (not position.is_finished)


@given(GAMES, SECRETS, CUTS)
def test_choices_part_the_candidates(library, tree, secret, cut):
    position = reached(library, tree, secret, cut)
    sizes = [choice.remaining for choice in position.choices]
    assert sum(sizes) == (0 if position.is_finished else position.remaining)
    assert sizes == [choice.position.remaining for choice in position.choices]
    assert [choice.share for choice in position.choices] == pytest.approx(
        [size / position.remaining for size in sizes]
    )
    answers = [choice.answer for choice in position.choices]
    assert answers == sorted(answers)


@given(GAMES, SECRETS, CUTS, st.data())
def test_only_the_choices_are_accepted(library, tree, secret, cut, data):
    position = reached(library, tree, secret, cut)
    answer = data.draw(st.integers(0, position.rules.win))
    offered = {choice.answer for choice in position.choices}
    try:
        after = position.after(answer)
    except (ContradictionError, GameOverError):
        assert position.rules.answers[answer] not in offered
    else:
        assert position.rules.answers[answer] in offered
        assert after.answers == (*position.answers, answer)


@given(GAMES, SECRETS, CUTS)
def test_history_holds_each_turn_as_it_was(library, tree, secret, cut):
    position = reached(library, tree, secret, cut)
    places = [position.before(turn.number) for turn in position.turns]
    pairs = zip(position.turns, places, [*places, position][1:], strict=True)
    for number, (turn, before, after) in enumerate(pairs, start=1):
        assert turn.number == number == before.turn
        assert turn.guess == before.guess
        assert turn.remaining == after.remaining
        assert before.answers == position.answers[: number - 1]
        assert after.parent == before
    assert PastTurn.all_of(position.history) == position.turns  # counts what the tree knows


def test_a_hundred_candidates_are_listed_and_no_more(tmp_path):
    write_small_tree(tmp_path, "hundred", "p2c10r")
    write_small_tree(tmp_path, "more", "p3c6n")
    library = Library.open(tmp_path)
    hundred = GamePosition.start(library.tree("hundred"), shuffle=False)
    assert hundred.listed == [f"{number:02}" for number in range(100)]
    few = hundred.choices[0].position
    assert few.remaining < 100
    assert few.listed == few.candidates
    more = GamePosition.start(library.tree("more"), shuffle=False)
    assert (more.remaining, more.listed) == (120, None)
    one_more = Nodes.of([0], [], [101], range(101))
    assert replace(more, trail=(one_more[0],)).listed is None
    rules = hundred.entry.rules
    assert listed(rules, all_codes(rules)) == hundred.listed
    assert listed(more.entry.rules, all_codes(more.entry.rules)[:101]) is None


@pytest.mark.parametrize("longer", [0, 1])
def test_length_is_refused_from_one_character_too_many(library, longer):
    """Text of the maximum length is refused for its content."""
    answers = "x" * (MAX_TEXT + longer)
    name = "x" * (MAX_TEXT + longer - 2)
    with pytest.raises(MalformedError, match="characters" if longer else "answer"):
        GamePosition.parse(library, "small-bulls-cows", "0", answers)
    with pytest.raises(MalformedError if longer else NotFoundError):
        GamePosition.parse_id(library, f"{name}~0")


MALFORMED_ANSWERS = [
    *("0", "0.", "0.1-", "-0.1", "0.1--1.1", "0.1_1.1", "0,1", "00.1", "0.1 ", " 0.1", "0.1\n"),
    *("0.1\0", "٠.١", "０.１", "²", "3.1", "2.1", "4.0", "5.0", "9.9", "-1.0", "0x0.1", "<b>"),
]


@pytest.mark.parametrize("answers", MALFORMED_ANSWERS)
def test_malformed_answers_are_refused(library, answers):
    with pytest.raises(MalformedError):
        GamePosition.parse(library, "small-bulls-cows", "0", answers)


@pytest.mark.parametrize("text", ["2b1c", "4b", "x"])
def test_typed_answers_that_no_code_gets_are_refused(text):
    with pytest.raises(MalformedError):
        typed_answer(Rules.parse("p3c5n"), text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "~", "small-bulls-cows", "small-bulls-cows~0~", "small-bulls-cows~0~0.1~0.1", "~0"),
        *("x" * (MAX_TEXT + 1), "small-bulls-cows~0~" + "-".join(["0.1"] * 2000)),
    ],
)
def test_malformed_id_is_refused(library, text):
    with pytest.raises((MalformedError, NotFoundError)):
        GamePosition.parse_id(library, text)


def test_winning_answer_to_a_guess_that_is_no_candidate_is_a_contradiction(library):
    for entry in library:
        for node in entry.tree.nodes:
            if not node.is_candidate_guess:
                answers = tuple(answer for _, answer in entry.tree.path(node))
                position = GamePosition.start(entry, shuffle=True).after(*answers)
                with pytest.raises(ContradictionError):
                    position.after(entry.rules.win)
