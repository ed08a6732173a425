"""The independent checker: replays every secret through a tree, with a scorer of its own.

It shares no code with the response table, the searches or the encoder, and takes from `Rules`
only the numbering of the codes and the shape of the game.  What it accepts is a complete and
consistent strategy whose figures are the ones returned; that the strategy is *optimal* is what a
search proves, not what a replay can show.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from math import gcd, prod
from operator import getitem

from engine.game.rules import Code, Rules
from engine.tree.strategy_tree import Node, StrategyTree

MAX_PROBLEMS = 10

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53)
"""One for each symbol."""


@dataclass(frozen=True)
class Verification:
    """What the replay of a tree found."""

    secrets: int
    """Secrets guessed."""
    turns: tuple[int, ...]
    """Secrets guessed at turn 1, 2, ..."""
    nodes: int
    """Nodes of the tree."""
    problems: tuple[str, ...]
    """What is wrong, at most `MAX_PROBLEMS` sentences; empty when the tree is sound."""

    @property
    def ok(self) -> bool:
        """Whether the tree is a complete and consistent strategy."""
        return not self.problems

    @property
    def total(self) -> int:
        """Turns over all secrets."""
        return sum(turn * count for turn, count in enumerate(self.turns, start=1))

    @property
    def depth(self) -> int:
        """The last turn."""
        return len(self.turns)


def score(guess: Code, secret: Code) -> tuple[int, int]:
    """Return (bulls, cows), found by crossing out symbols as one does on paper.

    Bulls are crossed out on both sides first; then each symbol left in the guess crosses out one
    equal symbol left in the secret, and is a cow.
    """
    left = [s for g, s in zip(guess, secret, strict=True) if g != s]
    bulls = len(secret) - len(left)
    cows = 0
    for g, s in zip(guess, secret, strict=True):
        if g != s and g in left:
            left.remove(g)
            cows += 1
    return bulls, cows


class _Scores:
    """The answers to guesses, as places among all: each way to meet is crossed out once.

    Every symbol in each place has a bit, and every symbol is a prime: what two codes have in
    common, bit by bit and as a divisor, tells the bulls, and bulls and cows together.
    """

    def __init__(self, rules: Rules) -> None:
        self._codes = list(rules.codes())
        bits = [[1 << (16 * place + s) for s in range(16)] for place in range(rules.positions)]
        self._placed = [sum(map(getitem, bits, code)) for code in self._codes]
        self._symbols = [prod(map(PRIMES.__getitem__, code)) for code in self._codes]
        self._places = _answer_places(rules)
        self._bulls: dict[int, int] = {}
        self._both: dict[int, int] = {}

    def parts(self, guess: int, secrets: Iterable[int]) -> dict[int, list[int]]:
        """Return the secrets by the place of what they answer."""
        places, bulls, both = self._places, self._bulls, self._both
        all_placed, all_symbols = self._placed, self._symbols
        own_placed, own_symbols = all_placed[guess], all_symbols[guess]
        parts = defaultdict[int, list[int]](list)
        for secret in secrets:
            placed = own_placed & all_placed[secret]
            symbols = gcd(own_symbols, all_symbols[secret])
            if placed not in bulls or symbols not in both:
                found = score(self._codes[guess], self._codes[secret])
                bulls[placed], both[symbols] = found[0], sum(found)
            parts[places[bulls[placed], both[symbols]]].append(secret)
        return parts


def verify(tree: StrategyTree) -> Verification:
    """Replay every secret of the game through `tree` and compare all that the nodes claim.

    >>> from engine.tree.codec import decode
    >>> verify(decode("p2c3n", "##")).ok
    True
    """
    return _Replay(tree).run()


class _Replay:
    """One replay: who reaches which node, and when each secret is guessed."""

    def __init__(self, tree: StrategyTree) -> None:
        self._tree = tree
        self._scores = _Scores(tree.rules)
        self._reached: list[list[int]] = [[] for _ in tree.nodes]
        self._counts: dict[int, int] = {}
        self._problems: list[str] = []

    def run(self) -> Verification:
        there = [(0, list(range(self._tree.rules.size)))]
        for turn in range(1, len(self._tree.nodes) + 1):
            there = [
                reached for number, secrets in there for reached in self._ask(number, secrets, turn)
            ]
        for _, secrets in there:
            self._report(f"secret {self._text(secrets[0])} is never guessed")
        self._compare_nodes()
        last = max(self._counts, default=0)
        return Verification(
            secrets=sum(self._counts.values()),
            turns=tuple(self._counts.get(turn, 0) for turn in range(1, last + 1)),
            nodes=len(self._tree.nodes),
            problems=tuple(self._problems),
        )

    def _ask(self, number: int, secrets: list[int], turn: int) -> list[tuple[int, list[int]]]:
        """Make the guess of a node; return who reaches which node by the answer."""
        node = self._tree.nodes[number]
        self._reached[number] += secrets
        if node.guess in secrets:
            self._counts[turn] = self._counts.get(turn, 0) + 1
            secrets = [secret for secret in secrets if secret != node.guess]
        reached = []
        for place, part in self._scores.parts(node.guess, secrets).items() if secrets else ():
            child = node.children.get(place)
            if child is None:
                self._report(f"secret {self._text(part[0])} has no branch at node {number}")
            else:
                reached.append((child, part))
        return reached

    def _compare_nodes(self) -> None:
        for node, reached in zip(self._tree.nodes, self._reached, strict=True):
            if not reached:
                self._report(f"node {node.number} is reached by no secret")
            elif list(node.candidates) != reached:
                self._report(f"node {node.number} lists other candidates than reach it")
            elif not self._fits_parent(node):
                self._report(f"node {node.number} has the wrong parent, answer or turn")

    def _fits_parent(self, node: Node) -> bool:
        if node.parent is None or node.answer is None:
            return node.number == 0 and node.turn == 1
        parent = self._tree.nodes[node.parent]
        return parent.children.get(node.answer) == node.number and node.turn == parent.turn + 1

    def _text(self, secret: int) -> str:
        return self._tree.rules.text(secret)

    def _report(self, problem: str) -> None:
        if len(self._problems) < MAX_PROBLEMS:
            self._problems.append(problem)


def _answer_places(rules: Rules) -> dict[tuple[int, int], int]:
    """Return by bulls, and bulls and cows together, the place of each answer.

    Answers are ordered by (p+1)*bulls + cows: by bulls, then by cows; (p-1).1 is left out.
    """
    p = rules.positions
    pairs = [(b, c) for b in range(p + 1) for c in range(p + 1 - b) if (b, c) != (p - 1, 1)]
    return {(bulls, bulls + cows): place for place, (bulls, cows) in enumerate(pairs)}
