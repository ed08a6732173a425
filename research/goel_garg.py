"""Goel and Garg's strategies in all readings, their charts and their examples."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from bullscows.game.rules import SYMBOLS, Rules
from bullscows.strategies.least_frequent import (
    READINGS,
    LeastFrequent,
    Reading,
    symbol_counts,
)
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import StrategyTree
from research.tables import Row, published, section

THREE_DIGITS = "p3c10n"
GAMES = {2: "p2c10n", 3: THREE_DIGITS, 4: "p4c10n"}
"""Games by the number of digits."""

TO_THE_LETTER = Reading(ties="met", special=False)
"""Digits are counted, equal ones stay in the order in which they were met, and no position is
special."""

HUMAN = LeastFrequent(TO_THE_LETTER)
EXTENDED = LeastFrequent(TO_THE_LETTER, unique_first=True)

_CUT_OFF = 4
"""The digits that the paper prints after the point."""

_WHOSE = (
    "printed under the chart of the extended strategy, but the human one takes it: 4243 turns for "
    "720 numbers, 5.89305...; of eight readings of the extended one this comes nearest"
)


@cache
def tree_of(game: str, strategy: LeastFrequent) -> StrategyTree:
    """Return the tree of a strategy, grown once."""
    rules = Rules.parse(game)
    return StrategyTree.grow(rules, partial(strategy.choose, rules))


@section("goel-garg", "Goel and Garg: averages", "Goel and Garg, 5.4", quick=True)
def averages(_threads: int) -> Iterator[Row]:
    """The mean that the paper prints, and those of both strategies read to the letter."""
    known = f"{published()['goel_garg']['three_digit_extended_average']:.{_CUT_OFF}f}"
    yield Row("human, to the letter", known, _average(HUMAN))
    yield Row("extended, to the letter", known, _average(EXTENDED), why=_WHOSE)


def _average(strategy: LeastFrequent) -> str:
    """Return the turns for a number of 3 digits, cut off as the paper prints them."""
    tree = tree_of(THREE_DIGITS, strategy)
    cut = tree.total * 10**_CUT_OFF // tree.rules.size
    return f"{cut / 10**_CUT_OFF:.{_CUT_OFF}f}"


@section("goel-garg-examples", "Goel and Garg: examples", "Goel and Garg, 5.3, 5.4", quick=True)
def examples(_threads: int) -> Iterator[Row]:
    """The guesses and worst cases of the paper's examples (5.3, 5.4)."""
    figures = published()["goel_garg"]
    human = figures["example_human"]
    rules = Rules.parse(THREE_DIGITS)
    eight = _numbers(rules, human["candidates"])
    tree = StrategyTree.grow(rules, partial(HUMAN.choose, rules), candidates=eight)
    second = tree.walk(["0.0"])
    for node, probe in zip((tree.root, second), human["probes"], strict=True):
        yield Row(f"rarest digits of {node.size}", probe, rules.text(node.guess))
    yield Row("human, guesses at most", human["guesses_at_most"], tree.depth)
    one_by_one = StrategyTree.grow(rules, lambda left, _: left[0], candidates=eight)
    known = human["guesses_at_most_from_the_set"]
    yield Row("from the set, guesses at most", known, one_by_one.depth)
    six = _numbers(rules, figures["example_pruned_set"])
    counts = symbol_counts(rules, six).sum(axis=0)
    least = min(count for count in counts if count)
    rarest = "".join(SYMBOLS[digit] for digit, count in enumerate(counts) if count == least)
    yield Row("digits that occur least", figures["example_rarest"], rarest)
    unique = LeastFrequent(Reading(), unique_first=True).choose(rules, six, ())
    yield Row("the guess that tells all apart", figures["unique_guess"], rules.text(unique))
    pruned = figures["pruned_set_after"]
    parts = rules.partition(rules.parse_code(pruned["guess"]), range(rules.size))
    left = sorted(map(rules.text, parts[rules.parse_answer(pruned["answer"])]))
    yield Row(f"left after {pruned['guess']} {pruned['answer']}", pruned["left"], " ".join(left))


@section("goel-garg-readings", "Goel and Garg: readings", "Goel and Garg, 5.3, 5.4", quick=True)
def readings(_threads: int) -> Iterator[Row]:
    """Turns in all for 3 digits, in every reading of both strategies."""
    for unique_first, name in ((False, "human"), (True, "extended")):
        for reading in READINGS:
            tree = tree_of(THREE_DIGITS, LeastFrequent(reading, unique_first))
            yield Row(f"{name}, {reading}", "", tree.total)


@section("goel-garg-charts", "Goel and Garg: charts of turns", "Goel and Garg, tables 1 and 2")
def charts(_threads: int) -> Iterator[Row]:
    """How many numbers take 1, 2, ... turns, and how many turns all take (tables 1 and 2)."""
    for digits, game in GAMES.items():
        for strategy, name in ((HUMAN, "human"), (EXTENDED, "extended")):
            tree = tree_of(game, strategy)
            for turn, count in enumerate(tree.distribution, start=1):
                yield Row(f"{digits} digits, {name}, turn {turn}", "", int(count))
            yield Row(f"{digits} digits, {name}, turns in all", "", tree.total)


def _numbers(rules: Rules, words: list[str]) -> Candidates:
    return tuple(sorted(rules.parse_code(word) for word in words))
