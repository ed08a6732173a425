"""The review of a finished game, against a naive calculation."""

from fractions import Fraction
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.history import Split, split
from bullscows.game.rules import CodeIndex, Rules
from bullscows_web.guess.game import Guessing
from bullscows_web.guess.puzzle import Puzzle
from bullscows_web.guess.review import Review, advice, luck, telling
from bullscows_web.trees.library import Library
from bullscows_web.trees.relabelling import Relabelling
from tests.support.strategies import small_rules

SMALL = "p3c5n"


def with_secret(library: Library, rules: str, secret: CodeIndex) -> Guessing:
    """A game whose secret is this one."""
    for number in range(10_000):
        puzzle = Puzzle.parse(library, rules, f"s{number}")
        if puzzle.secret == secret:
            return Guessing(puzzle)
    pytest.fail("no seed has this secret")


def followed(game: Guessing, relabelling: Relabelling) -> Guessing:
    """The game in which a visitor plays the tree under a relabelling."""
    node = game.puzzle.entry.tree.root
    while True:
        game = game.after(relabelling.show(node.guess))
        if game.is_found:
            return game
        node = game.puzzle.entry.tree.nodes[node.children[game.answers[-1]]]


@st.composite
def splits(draw: st.DrawFn) -> tuple[Split, Rules, CodeIndex, tuple[CodeIndex, ...]]:
    rules = draw(small_rules(max_size=200))
    codes = st.integers(0, rules.size - 1)
    candidates = tuple(sorted(draw(st.sets(codes, min_size=1, max_size=40))))
    guess = draw(codes)
    return split(rules, np.array(candidates, dtype=np.int32), guess), rules, guess, candidates


@given(splits())
def test_luck_is_one_half_on_average_whatever_is_guessed(
    case: tuple[Split, Rules, CodeIndex, tuple[CodeIndex, ...]],
):
    found, rules, guess, candidates = case
    lucks = [luck(rules, found, rules.respond(guess, secret)) for secret in candidates]
    if None in lucks:
        assert set(lucks) == {None}
    else:
        assert sum(map(Fraction, lucks)) / len(lucks) == pytest.approx(0.5)  # type: ignore[arg-type]
        assert all(0 < luck < 1 for luck in lucks if luck is not None)


@given(splits())
def test_telling_is_the_mean_information_of_the_answers(
    case: tuple[Split, Rules, CodeIndex, tuple[CodeIndex, ...]],
):
    found, rules, guess, candidates = case
    answers = [rules.respond(guess, secret) for secret in candidates]
    bits = sum(log2(len(answers) / answers.count(answer)) for answer in answers) / len(answers)
    bonus = 2 / len(answers) if guess in candidates else 0
    assert telling(found) == pytest.approx(bits + bonus, abs=1e-9)


@given(st.data())
def test_no_guess_is_more_than_perfect_and_the_best_is(library: Library, data: st.DataObject):
    game = Guessing(Puzzle.parse(library, SMALL, data.draw(st.sampled_from("abcdefgh"))))
    for code in data.draw(st.lists(st.integers(0, game.rules.size - 1), max_size=4)):
        game = game if game.is_over else game.after(code)
    review = Review(game)
    for turn in review.turns:
        found = [
            telling(split(game.rules, turn.asked.before, code)) for code in range(game.rules.size)
        ]
        assert turn.skill is not None
        best = telling(turn.split) / max(found)
        assert (turn.skill == 1.0) == (best > 1 - 1e-9), "the tree of this game is not proved"
        assert turn.skill == pytest.approx(best)


@pytest.mark.parametrize("token", ["0", "k3", "5x"])
def test_following_the_tree_is_recognized_under_any_relabelling(
    shipped_library: Library, token: str
):
    for rules, code in (("p4c10n", "4271"), ("p4c6r", "3350")):
        game = with_secret(shipped_library, rules, Rules.parse(rules).parse_code(code))
        entry = game.puzzle.entry
        review = Review(followed(game, Relabelling.parse(game.rules, token)))
        assert all(turn.follows_tree for turn in review.turns)
        assert review.skill == 1
        first = advice(game.puzzle, [])
        assert first is not None
        assert first.to_go == pytest.approx(entry.average)
        if token == "0":
            assert len(review.turns) == review.tree_turns


def test_tree_advises_what_it_would_guess_itself(shipped_library: Library):
    """On the tree the cost to come is that of the tree, which no guess betters."""
    game = with_secret(shipped_library, "p4c10n", Rules.parse("p4c10n").parse_code("4271"))
    entry = game.puzzle.entry
    relabelling = Relabelling.parse(game.rules, "k3f")
    while not game.is_found:
        found = advice(game.puzzle, game.turns)
        assert found is not None
        assert found.to_go is not None
        node = entry.tree.walk(game.answers)
        assert node.size == game.remaining
        played = [len(entry.tree.play(code)) - node.turn + 1 for code in node.candidates]
        assert found.to_go == pytest.approx(sum(played) / len(played))
        game = (
            game.after(found.guess) if game.guesses else game.after(relabelling.show(found.guess))
        )
    assert all(turn.follows_tree for turn in Review(game).turns)


def test_off_the_tree_the_most_informative_guess_is_advised(shipped_library: Library):
    game = Guessing.parse(shipped_library, "p4c6r", "k3f9", "0011-1100")
    found = advice(game.puzzle, game.turns)
    assert found is not None
    assert found.to_go is None
    most = max(telling(split(game.rules, game.candidates, code)) for code in range(game.rules.size))
    assert telling(split(game.rules, game.candidates, found.guess)) == pytest.approx(most)


def test_large_game_is_not_compared_with_every_guess(shipped_library: Library):
    """But what the tree of five of ten digits guesses is known, and so is luck."""
    review = Review(Guessing.parse(shipped_library, "p5c10n", "k3f9", "01234-56789-02468"))
    assert review.skill is None
    assert review.luck is not None
    assert review.turns[0].follows_tree
    assert advice(review.game.puzzle, []) is not None
    assert advice(review.game.puzzle, review.game.turns[:2]) is None
