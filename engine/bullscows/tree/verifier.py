"""The independent checker: replays every secret through a tree, with a scorer of its own.

It shares no code with the response table, the searches or the encoder, and takes from `Rules` only
the numbering of the codes and the shape of the game. A replay shows that a strategy is complete and
consistent; that it is optimal, only a search proves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bullscows.game import arguments
from bullscows.game.rules import Rules
from bullscows.tree.strategy_tree import StrategyTree

MAX_PROBLEMS = 10

_Numbers: TypeAlias = NDArray[np.integer]


@dataclass(frozen=True)
class Verification:
    """The result of replaying a tree."""

    secrets: int
    """Secrets guessed."""
    distribution: tuple[int, ...]
    """Secrets guessed at turn 1, 2, ..."""
    nodes: int
    """The number of nodes."""
    problems: tuple[str, ...]
    """Sentences on what is wrong, at most `MAX_PROBLEMS`; empty if the tree is sound."""

    @property
    def ok(self) -> bool:
        """Whether the tree is a complete and consistent strategy."""
        return not self.problems

    @property
    def total(self) -> int:
        """Turns over all secrets."""
        return sum(turn * count for turn, count in enumerate(self.distribution, start=1))

    @property
    def depth(self) -> int:
        """The last turn."""
        return len(self.distribution)


class _Scorer:
    """Scores guesses by the definition: equal symbols in equal places, and equal ones anywhere."""

    def __init__(self, rules: Rules) -> None:
        self._codes = np.array(list(rules.codes()), dtype=np.uint8)
        symbols = np.arange(rules.symbols)
        self._symbols = (self._codes[:, :, None] == symbols).sum(axis=1, dtype=np.uint8)
        self._places = _answer_places(rules)
        self._bulls_only = rules.bulls_only

    def answers(self, guesses: _Numbers, secrets: _Numbers) -> _Numbers:
        """Return (n,): the number of the answer of each secret to its guess.

        Bulls are the places with the same symbol in both. Bulls and cows together are the sum over
        symbols of the smaller of both counts; a game of bulls only leaves cows out.
        """
        bulls = (self._codes[guesses] == self._codes[secrets]).sum(axis=1)
        both = np.minimum(self._symbols[guesses], self._symbols[secrets]).sum(axis=1)
        answers: _Numbers = bulls if self._bulls_only else self._places[bulls, both]
        return answers


def verify(tree: StrategyTree) -> Verification:
    """Replay every secret of the game through `tree` and compare all that the nodes claim.

    Examples
    --------
    >>> from bullscows.tree.codec import decode
    >>> verify(decode("p2c3n", "##")).ok
    True

    Parameters
    ----------
    tree
        The tree to replay.

    Returns
    -------
    Verification
        The figures of the replay and the problems found.
    """
    arguments.instance(
        "tree", tree, StrategyTree, "a StrategyTree, for example read_tree(...).tree"
    )
    return _Replay(tree).run()


class _Replay:
    """One replay, all secrets at once: who reaches which node, and when each is guessed."""

    def __init__(self, tree: StrategyTree) -> None:
        self._rules = tree.rules
        self._nodes = tree.nodes
        self._scorer = _Scorer(tree.rules)
        self._edges = self._keys(tree.nodes.parents[1:], tree.nodes.answers[1:])
        self._reached: list[tuple[_Numbers, _Numbers]] = []
        self._counts: list[int] = []
        self._problems: list[str] = []

    def run(self) -> Verification:
        if self._is_in_order():
            secrets: _Numbers = np.arange(self._rules.size)
            there: _Numbers = np.zeros_like(secrets)
            while len(secrets):
                self._reached.append((there, secrets))
                there, secrets = self._ask(there, secrets)
            self._compare_candidates()
        return Verification(
            secrets=sum(self._counts),
            distribution=tuple(self._counts),
            nodes=len(self._nodes),
            problems=tuple(self._problems[:MAX_PROBLEMS]),
        )

    def _is_in_order(self) -> bool:
        """Return whether there is a root, at turn 1, and no node is where another has to be."""
        if not len(self._nodes) or self._nodes.first_turn != 1:
            self._problems.append("there is no node at turn 1")
        for node in np.flatnonzero(np.diff(self._edges) <= 0) + 2:
            self._problems.append(f"node {node} does not follow the one before by its answer")
        return not self._problems

    def _ask(self, there: _Numbers, secrets: _Numbers) -> tuple[_Numbers, _Numbers]:
        """Make the guess of each secret's node; return where the other secrets are then, sorted."""
        guesses = self._nodes.guesses[there]
        left = guesses != secrets
        self._counts.append(int(len(left) - left.sum()))
        there = there[left]
        secrets = secrets[left]
        guesses = guesses[left]
        keys = self._keys(there, self._scorer.answers(guesses, secrets))
        edges = np.searchsorted(self._edges, keys)
        known = np.searchsorted(self._edges, keys, side="right") > edges
        self._report_lost(there[~known], secrets[~known], keys[~known])
        children = 1 + edges[known]
        secrets = secrets[known]
        order = np.argsort(children, kind="stable")
        return children[order], secrets[order]

    def _report_lost(self, there: _Numbers, secrets: _Numbers, keys: _Numbers) -> None:
        """Name the first secret of each part that has no branch."""
        for first in np.unique(keys, return_index=True)[1]:
            text = self._rules.text(int(secrets[first]))
            self._problems.append(f"secret {text} has no branch at node {there[first]}")

    def _compare_candidates(self) -> None:
        """Hold what each node lists against who reached it."""
        there, reached = (np.concatenate(column) for column in zip(*self._reached, strict=True))
        starts = np.searchsorted(there, np.arange(len(self._nodes) + 1))
        if np.array_equal(starts, self._nodes.starts) and np.array_equal(
            reached, self._nodes.codes
        ):
            return
        for node in self._nodes:
            own = reached[starts[node.number] : starts[node.number + 1]]
            if not len(own):
                self._problems.append(f"node {node.number} is reached by no secret")
            elif node.candidates != tuple(own.tolist()):
                self._problems.append(f"node {node.number} lists other candidates than reach it")

    def _keys(self, nodes: _Numbers, answers: _Numbers) -> _Numbers:
        """Return a number for each pair of a node and an answer, ascending as the pairs do."""
        return nodes.astype(np.int64) * len(self._rules.answers) + answers


def _answer_places(rules: Rules) -> _Numbers:
    """Return answer numbers by bulls and common symbols, in order of bulls, cows; -1 if none."""
    p = rules.positions
    pairs = [(b, c) for b in range(p + 1) for c in range(p + 1 - b) if (b, c) != (p - 1, 1)]
    places = np.full((p + 1, p + 1), -1, dtype=np.int64)
    for place, (bulls, cows) in enumerate(pairs):
        places[bulls, bulls + cows] = place
    return places
