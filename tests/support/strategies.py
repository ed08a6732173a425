"""Hypothesis strategies for games and trees, shared by the property tests."""

from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from bullscows.game.rules import AnswerIndex, CodeIndex, Rules, Turns
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import StrategyTree, special_guess


@st.composite
def small_rules(draw: st.DrawFn, max_size: int = 300) -> Rules:
    """Draw rules with at least two and at most `max_size` codes."""
    repeats, leading_zero = draw(st.sampled_from([(True, True), (False, True), (False, False)]))
    positions = draw(st.integers(1, 4))
    lowest = 2 if repeats else max(2 if leading_zero else 3, positions)
    symbols = draw(st.integers(lowest, 8))
    bulls_only = draw(st.booleans())
    rules = Rules(positions, symbols, repeats, leading_zero, bulls_only)
    while rules.size > max_size:
        rules = replace(rules, symbols=rules.symbols - 1)
    return rules


@st.composite
def random_trees(draw: st.DrawFn, max_size: int = 150) -> StrategyTree:
    """Draw a tree whose guesses are any that split, and the implied one at special nodes."""
    rules = draw(small_rules(max_size))
    random = Random(draw(st.integers(0, 2**32)))

    def choose(candidates: Candidates, _: Turns) -> int:
        implied = special_guess(rules, candidates)
        if implied is not None:
            return implied
        while True:
            guess = random.randrange(rules.size)
            if len(rules.partition(guess, candidates)) > 1:
                return guess

    return StrategyTree.grow(rules, choose)


@st.composite
def histories(draw: st.DrawFn, most: int = 3, max_size: int = 200) -> tuple[Rules, Turns]:
    """Draw a small game and a history, consistent with a secret or not."""
    rules = draw(small_rules(max_size))
    codes = st.integers(0, rules.size - 1)
    secret = draw(st.none() | codes)
    turns: list[tuple[CodeIndex, AnswerIndex]] = []
    for guess in draw(st.lists(codes, max_size=most)):
        any_answer = st.integers(0, len(rules.answers) - 1)
        answer = draw(any_answer) if secret is None else rules.respond(guess, secret)
        turns.append((guess, answer))
    return rules, tuple(turns)
