from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.history import Correction
from bullscows.game.rules import Rules
from bullscows.game.scoring import Answer
from bullscows_web.play.pages import WrongAnswersPage, suspects, unoffered
from bullscows_web.trees.library import Library
from bullscows_web.trees.position import (
    ContradictionError,
    GamePosition,
    continued,
    corrected,
    game_corrections,
)

History = list[tuple[str, Answer]]


def positions(library: Library) -> Iterator[GamePosition]:
    """Yield every unfinished position of the small trees, relabelled at random."""
    for entry in library:
        start = GamePosition.start(entry, shuffle=True)
        for node in entry.tree.nodes:
            yield start.after(*(answer for _, answer in entry.tree.path(node)))


def compared(position: GamePosition, secret: str) -> WrongAnswersPage:
    """Return the page that compares the answers of a game with the player's secret."""
    code = position.rules.parse_code(secret)
    return WrongAnswersPage(position, None, (), secret=secret, code=code)


def contradictions(library: Library) -> Iterator[ContradictionError]:
    for position in positions(library):
        for answer in range(len(position.rules.answers)):
            try:
                position.after(answer)
            except ContradictionError as error:
                yield error


def played(position: GamePosition) -> History:
    return [(turn.guess, turn.answer) for turn in position.turns]


@cache
def answer_of(rules: Rules, guess: str, code: int) -> Answer:
    return rules.answers[rules.respond(rules.parse_code(guess), code)]


def fitting(position: GamePosition, history: History) -> list[int]:
    """Return the codes, as shown, that fit a history; by trying all of them."""
    rules = position.rules
    return [
        code
        for code in range(rules.size)
        if all(answer_of(rules, guess, code) == answer for guess, answer in history)
    ]


def with_correction(history: History, found: Correction) -> History:
    place = found.turn - 1
    assert history[place] == (found.guess, found.given)
    return [*history[:place], (found.guess, found.instead), *history[place + 1 :]]


def all_changes(position: GamePosition, history: History) -> Iterator[tuple[int, Answer, History]]:
    for place, (guess, stated) in enumerate(history):
        for instead in position.rules.answers:
            if instead != stated:
                changed = [*history[:place], (guess, instead), *history[place + 1 :]]
                yield place + 1, instead, changed


@pytest.mark.large
def test_corrections_are_all_single_changes_that_fit_a_code(library):
    for error in contradictions(library):
        position = error.position
        answer = position.rules.answers[error.answer]
        history = [*played(position), (position.guess, answer)]
        assert fitting(position, history) == []
        expected = {
            (turn, instead): len(codes)
            for turn, instead, changed in all_changes(position, history)
            if (codes := fitting(position, changed))
        }
        found = game_corrections(error.position, error.answer)
        assert {(item.turn, item.instead): item.remaining for item in found} == expected
        assert all(fitting(position, with_correction(history, item)) for item in found)


def test_going_on_asks_no_guess_that_was_answered(library):
    for error in contradictions(library):
        position = error.position
        rules = position.rules
        history = [*played(position), (position.guess, rules.answers[error.answer])]
        for item in game_corrections(error.position, error.answer):
            known = dict(with_correction(history, item))
            after = continued(position, item)
            onward = played(after)
            assert onward[: item.turn] == played(corrected(position, item))
            assert all(known[guess] == answer for guess, answer in onward)
            assert after.is_finished or after.guess not in known
            fits = {rules.text(code) for code in fitting(position, with_correction(history, item))}
            assert fits <= set(after.candidates)


def test_going_on_skips_the_guesses_that_come_again(shipped_library: Library):
    """After 1.0 as after 0.0 this tree guesses 345, and 067 after another 0.0."""
    tree = ("avg-bulls-cows-3-digits", "0")
    position = GamePosition.parse(shipped_library, *tree, "0.0-0.0")
    with pytest.raises(ContradictionError) as caught:
        position.after(0)
    found = {
        (item.turn, item.instead): item
        for item in game_corrections(caught.value.position, caught.value.answer)
    }
    correction = found[1, Answer(1, 0)]
    assert corrected(position, correction).parts == (*tree, "1.0")
    assert continued(position, correction).parts == (*tree, "1.0-0.0-0.0")


def test_suspects_give_the_guess_an_answer_that_is_not_offered(library):
    for position in positions(library):
        rules = position.rules
        offered = {choice.answer for choice in position.choices}
        guess = rules.parse_code(position.guess)
        expected = {}
        for turn, instead, changed in all_changes(position, played(position)):
            codes = [
                code
                for code in fitting(position, changed)
                if rules.answers[rules.respond(guess, code)] not in offered
            ]
            if codes:
                expected[turn, instead] = len(codes)
        found = suspects(position)
        assert {(item.turn, item.instead): item.remaining for item in found} == expected


def test_corrections_come_most_plausible_first(library):
    weight = {"swapped": 4, "off-by-one": 2, "other": 1}
    for error in contradictions(library):
        items = game_corrections(error.position, error.answer)
        found = [weight[item.mistake] * item.remaining for item in items]
        assert found == sorted(found, reverse=True)
        assert found == [item.plausibility for item in items]


@given(
    tree=st.sampled_from(["small-bulls-cows", "small-mastermind", "avg-mastermind"]),
    secret=st.integers(0, 1295),
    mistake=st.tuples(st.integers(0, 3), st.integers(0, 20)),
)
def test_the_true_answer_is_found_after_one_mistake(
    library, shipped_library, tree, secret, mistake
):
    trees = library if tree.startswith("small") else shipped_library
    position = GamePosition.start(trees.tree(tree), shuffle=True)
    rules = position.rules
    secret %= rules.size
    turn, pick = mistake
    wrong = None
    while not position.is_finished:
        honest = rules.respond(position.node.guess, secret)
        offered = [choice.position.answers[-1] for choice in position.choices]
        if len(position.answers) == turn and offered != [honest]:
            others = [answer for answer in offered if answer != honest]
            wrong = (turn + 1, rules.answers[honest])
            position = position.after(others[pick % len(others)])
        elif honest in offered:
            position = position.after(honest)
        else:
            for found in (suspects(position), suspects(position, honest)):
                assert wrong in [(item.turn, item.instead) for item in found]
            with pytest.raises(ContradictionError) as caught:
                position.after(honest)
            assert wrong in [
                (item.turn, item.instead)
                for item in game_corrections(caught.value.position, caught.value.answer)
            ]
            return
    assert [*compared(position, position.show(secret)).wrong.items()] == ([wrong] if wrong else [])


def test_swapped_bulls_and_cows_are_named(library):
    mistakes = {
        (item.given, item.instead): item.mistake
        for error in contradictions(library)
        for item in game_corrections(error.position, error.answer)
    }
    for (stated, instead), mistake in mistakes.items():
        if (stated.cows, stated.bulls) == instead:
            assert mistake == "swapped"
        elif abs(stated.bulls - instead.bulls) + abs(stated.cows - instead.cows) == 1:
            assert mistake == "off-by-one"
        else:
            assert mistake == "other"
    assert set(mistakes.values()) == {"swapped", "off-by-one", "other"}


def test_unoffered_answers_are_those_that_contradict(library):
    for position in positions(library):
        rules = position.rules
        guess = position.node.guess
        expected = {
            rules.answers[answer]
            for answer in {rules.respond(guess, code) for code in range(rules.size)}
            if rules.answers[answer] not in {choice.answer for choice in position.choices}
        }
        assert {rules.answers[answer] for answer in unoffered(position)} == expected


def test_correction_leads_to_the_game_right_after_the_corrected_turn(library):
    for error in contradictions(library):
        for item in game_corrections(error.position, error.answer):
            after = corrected(error.position, item)
            assert after.answers[: item.turn - 1] == error.position.answers[: item.turn - 1]
            last = after.turns[-1]
            assert (last.number, last.guess, last.answer) == (item.turn, item.guess, item.instead)
            assert after.remaining >= item.remaining
