"""Trees under other names, shipped values and the search say the same of 10,000 random positions.

Every position is told to the search as well, which knows nothing of trees and of files.
"""

from __future__ import annotations

from random import Random

import pytest

from app.analyse.search.openings import ShippedOpenings
from app.analyse.search.shipped import on_tree
from app.trees.library import Library
from engine.analysis.analysis import Analysis
from engine.analysis.analyst import Analyst, checked
from engine.analysis.memory import MEGABYTE
from engine.game.history import History
from engine.game.question import Question
from engine.game.rules import Rules
from engine.game.symmetry import Transformation
from engine.tree.folder import default_folder
from engine.tree.strategy_tree import StrategyTree, special_guess

TREES = {
    "p3c10n": "avg-bulls-cows-3-digits",
    "p4c10n": "avg-bulls-cows",
    "p4c6r": "avg-mastermind",
    "p4c10z": "avg-bulls-cows-no-leading-zero",
    "p5c7n": "avg-bulls-cows-5-of-7",
}
ON_TREES, AFTER_ONE_GUESS = 1900, 100
"""Positions of each game."""

LIMIT = 60.0
"""Seconds for a position; most take milliseconds."""


def names_of(rules: Rules, random: Random) -> Transformation:
    """Return other names; where no code begins with 0, that place and that symbol keep theirs."""
    places, symbols = list(range(rules.positions)), list(range(rules.symbols))
    kept = 0 if rules.leading_zero else 1
    places[kept:] = random.sample(places[kept:], len(places) - kept)
    symbols[kept:] = random.sample(symbols[kept:], len(symbols) - kept)
    return Transformation(tuple(places), tuple(symbols))


def on_a_tree(tree: StrategyTree, random: Random) -> Question:
    """Return a position of the tree under other names, with up to three of its guesses told."""
    names = names_of(tree.rules, random)
    nodes = tree.play(random.randrange(tree.rules.size))
    path = tree.path(nodes[min(random.randrange(4), len(nodes) - 1)])
    turns = tuple((names.apply_to_index(tree.rules, guess), answer) for guess, answer in path)
    return Question.of(tree.rules, History(tree.rules, turns))


def after_one_guess(rules: Rules, random: Random) -> Question:
    """Return the position after a random guess at another code."""
    guess, secret = random.sample(range(rules.size), 2)
    return Question.of(rules, History(rules, ((guess, rules.respond(guess, secret)),)))


def shipped(library: Library, openings: ShippedOpenings, question: Question) -> Analysis | None:
    """Return what ships of a position; nothing but of those that one guess parts wholly."""
    sourced = on_tree(library, question)
    known = openings.analysis(question) if sourced is None else sourced.analysis
    left = tuple(question.candidates.tolist())
    assert known or special_guess(question.rules, left) is not None, question
    return known


@pytest.mark.slow
@pytest.mark.parametrize("game", TREES)
def test_trees_files_and_search_agree(shipped_library: Library, game: str) -> None:
    random = Random(game)
    tree = shipped_library.tree(TREES[game]).tree
    openings, analyst = ShippedOpenings.open(default_folder()), Analyst(4000 * MEGABYTE)
    analyst.load((game,))
    asked = [on_a_tree(tree, random) for _ in range(ON_TREES)]
    asked += [after_one_guess(tree.rules, random) for _ in range(AFTER_ONE_GUESS)]
    for place, question in enumerate(asked):
        known = shipped(shipped_library, openings, question)
        assert known is not None or place >= ON_TREES, question
        searched = analyst.analysis(checked(question), LIMIT)
        assert searched.status == "optimal", question
        assert known is None or (known.status, known.value) == ("optimal", searched.value), question
