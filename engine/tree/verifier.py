"""The independent checker: replays every secret through a tree, with a scorer of its own.

It shares no code with the response table, the searches or the encoder, and takes from `Rules`
only the numbering of the codes and the shape of the game.  What it accepts is a complete and
consistent strategy whose figures are the ones returned; that the strategy is *optimal* is what a
search proves, not what a replay can show.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.game.rules import Code, Rules
from engine.tree.strategy_tree import Node, StrategyTree

MAX_PROBLEMS = 10


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
        self._codes = [tree.rules.code(index) for index in range(tree.rules.size)]
        self._places = _answer_places(tree.rules)
        self._reached: list[list[int]] = [[] for _ in tree.nodes]
        self._counts: dict[int, int] = {}
        self._problems: list[str] = []

    def run(self) -> Verification:
        for secret in range(len(self._codes)):
            turn = self._play(secret)
            if turn is not None:
                self._counts[turn] = self._counts.get(turn, 0) + 1
        self._compare_nodes()
        last = max(self._counts, default=0)
        return Verification(
            secrets=sum(self._counts.values()),
            turns=tuple(self._counts.get(turn, 0) for turn in range(1, last + 1)),
            nodes=len(self._tree.nodes),
            problems=tuple(self._problems),
        )

    def _play(self, secret: int) -> int | None:
        """Return the turn at which `secret` is guessed, None if it never is."""
        nodes, codes = self._tree.nodes, self._codes
        number = 0
        for turn in range(1, len(nodes) + 1):
            node = nodes[number]
            self._reached[number].append(secret)
            if node.guess == secret:
                return turn
            answer = self._places[score(codes[node.guess], codes[secret])]
            child = node.children.get(answer)
            if child is None:
                self._report(f"secret {self._text(secret)} has no branch at node {number}")
                return None
            number = child
        self._report(f"secret {self._text(secret)} is never guessed")
        return None

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
    """Return the place of each answer, ordered by (p+1)*bulls + cows, (p-1).1 left out."""
    p = rules.positions
    pairs = [(b, c) for b in range(p + 1) for c in range(p + 1 - b) if (b, c) != (p - 1, 1)]
    pairs.sort(key=lambda pair: (p + 1) * pair[0] + pair[1])
    return {pair: place for place, pair in enumerate(pairs)}
