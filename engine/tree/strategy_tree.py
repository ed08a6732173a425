"""Strategy trees: what to guess after every sequence of answers, as an immutable value.

A node is a position: the candidates that fit all answers so far, and the guess to play there.
Its children are the positions after each answer but the winning one.  Nodes are numbered in
breadth-first order, children by ascending answer, which is also the order of the string of the
paper (section 6.2): node 0 is the root.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, zip_longest
from types import MappingProxyType
from typing import TypeAlias

from engine.errors import EngineError
from engine.game.cost import turns_in_all, turns_text
from engine.game.history import Turns
from engine.game.rules import (
    AnswerIndex,
    CodeIndex,
    Rules,
)
from engine.tree.markup import html_table

MAX_TREE_CODES = 50_000
"""The largest game a tree is grown for: every node keeps its candidates in memory."""

Candidates: TypeAlias = tuple[CodeIndex, ...]
"""Secrets still possible, ascending."""

Choose: TypeAlias = Callable[[Candidates, Turns], CodeIndex]
"""Returns the guess for a position."""


_NO_CHILDREN: Mapping[AnswerIndex, int] = MappingProxyType({})


class TreeError(EngineError, ValueError):
    """A tree that can't be: a guess that splits nothing, or a game too large."""


class NoSuchNodeError(EngineError, LookupError):
    """No node of the tree is reached by these answers.

    `step` is the place of the first answer that leads nowhere.
    """

    def __init__(self, message: str, step: int) -> None:
        super().__init__(message)
        self.step = step


@dataclass(frozen=True, slots=True)
class Node:
    """One position of a strategy tree."""

    number: int
    """Place in breadth-first order, 0 for the root."""
    turn: int
    """The turn at which `guess` is played, 1 for the root of a whole game."""
    guess: CodeIndex
    """The guess to play; it need not be a candidate."""
    candidates: Candidates
    """Secrets that fit all answers so far, ascending."""
    children: Mapping[AnswerIndex, int]
    """Node number after each answer that some candidate gives, but the winning one; ascending."""
    parent: int | None
    """Node number of the position before, None for the root."""
    answer: AnswerIndex | None
    """The answer that led here from the parent, None for the root."""

    @property
    def is_candidate_guess(self) -> bool:
        """Whether this guess can end the game."""
        place = bisect_left(self.candidates, self.guess)
        return place < len(self.candidates) and self.candidates[place] == self.guess


def special_guess(rules: Rules, candidates: Candidates) -> CodeIndex | None:
    """Return the guess of a *special* node, or None if the node is not special.

    A node is special when some candidate splits all candidates into parts of size one; the first
    such candidate in lexicographic order is the guess (paper, section 6.2).

    That guess is optimal for every objective with non-decreasing weights: it finds one candidate
    now and all others on the next turn, and no guess does better, because at most one candidate
    can be found per turn by one guess, so at least n - 1 of n come on a later turn.
    """
    if len(candidates) <= 2:
        return candidates[0]
    if len(candidates) > len(rules.answers):
        return None
    for guess in candidates:
        if rules.tells_apart(guess, candidates):
            return guess
    return None


class StrategyTree:
    """A complete strategy for a game, or for what is left of one.

    Make one with `grow`; the constructor takes nodes that are already consistent.

    >>> tree = StrategyTree.grow(Rules.parse("p2c3n"), lambda candidates, _: candidates[0])
    >>> print(tree)
    p2c3n: first guess 01, 6 secrets, total 13, turns 1/3/2
    >>> tree.ask("0.1")
    '12'
    >>> [tree.rules.text(node.guess) for node in tree.play(tree.rules.parse_code("20"))]
    ['01', '12', '20']
    """

    def __init__(self, rules: Rules, nodes: Sequence[Node]) -> None:
        self.rules = rules
        self.nodes = tuple(nodes)

    @classmethod
    def grow(
        cls,
        rules: Rules,
        choose: Choose,
        *,
        candidates: Candidates | None = None,
        path: Turns = (),
        first: CodeIndex | None = None,
    ) -> StrategyTree:
        """Grow the tree that follows `choose` in every position, breadth first.

        Parameters
        ----------
        rules
            The game.
        choose
            Called once per node, in node order, with the candidates and the path to them.
        candidates, path
            The position at the root: by default all codes and no turns.
        first
            The guess at the root, if `choose` is not to be asked there.

        Raises
        ------
        TreeError
            If a guess leaves all candidates together without being the secret, or the game has
            more than `MAX_TREE_CODES` codes.
        """
        if rules.size > MAX_TREE_CODES:
            raise TreeError(f"{rules} has {rules.size} codes; trees hold up to {MAX_TREE_CODES}")
        root = tuple(range(rules.size)) if candidates is None else candidates
        if first is None:
            return cls(rules, list(_grow(rules, choose, root, path)))

        def opened(left: Candidates, turns: Turns) -> CodeIndex:
            return first if turns == path else choose(left, turns)

        return cls(rules, list(_grow(rules, opened, root, path)))

    @property
    def root(self) -> Node:
        """The node of the first guess."""
        return self.nodes[0]

    def __len__(self) -> int:
        return len(self.nodes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StrategyTree):
            return NotImplemented
        return self.rules == other.rules and self.nodes == other.nodes

    def __hash__(self) -> int:
        return hash((self.rules, tuple(node.guess for node in self.nodes)))

    def __str__(self) -> str:
        turns = turns_text(self.histogram)
        return (
            f"{self.rules}: first guess {self.ask()}, {len(self.root.candidates)} secrets, "
            f"total {self.total}, turns {turns}"
        )

    def __repr__(self) -> str:
        return f"<StrategyTree of {self}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the figures, and how many secrets each turn finds."""
        figures: list[tuple[object, object]] = [
            ("first guess", self.ask()),
            ("secrets", len(self.root.candidates)),
            ("turns in all", self.total),
        ]
        found = ((f"found at turn {turn}", n) for turn, n in enumerate(self.histogram, start=1))
        return html_table(f"Strategy tree for {self.rules}", [*figures, *found])

    def ask(self, answers: str | Iterable[AnswerIndex | str] = ()) -> str:
        """Return the guess to make after `answers`, as text; see `walk`."""
        return self.rules.text(self.walk(answers).guess)

    def walk(self, answers: str | Iterable[AnswerIndex | str]) -> Node:
        """Return the node reached from the root by `answers`.

        Parameters
        ----------
        answers
            Numbers or texts, or one text with spaces between, as in ``0.1 1.1``.

        Raises
        ------
        AnswerError
            If a text is no answer of the game.
        NoSuchNodeError
            If some answer is impossible after those before it, or the game is over before it.
        """
        node = self.root
        given = answers.split() if isinstance(answers, str) else answers
        for step, word in enumerate(given):
            answer = self.rules.parse_answer(word) if isinstance(word, str) else word
            child = node.children.get(answer)
            if child is None:
                text = self.rules.answers[answer]
                raise NoSuchNodeError(f"no candidate gives answer {text} at turn {step + 1}", step)
            node = self.nodes[child]
        return node

    def path(self, node: Node) -> Turns:
        """Return the turns from the root to `node`."""
        turns = []
        while node.parent is not None and node.answer is not None:
            parent = self.nodes[node.parent]
            turns.append((parent.guess, node.answer))
            node = parent
        return tuple(reversed(turns))

    def play(self, secret: CodeIndex) -> list[Node]:
        """Return the nodes visited until `secret` is guessed, root first."""
        visited = [self.root]
        while visited[-1].guess != secret:
            answer = self.rules.respond(visited[-1].guess, secret)
            visited.append(self.nodes[visited[-1].children[answer]])
        return visited

    def subtree(self, node: Node) -> Iterator[Node]:
        """Yield `node` and all nodes below it, breadth first."""
        queue = [node]
        for current in queue:
            yield current
            queue.extend(self.nodes[child] for child in current.children.values())

    def turns(self, node: Node | None = None) -> tuple[int, ...]:
        """Return how many secrets are guessed at turn 1, 2, ..., up to the last.

        With `node`, only the secrets below it count; the turns are still those of the game.
        """
        if node is not None:
            return self._turns[node.number]
        counts = Counter(current.turn for current in self.nodes if current.is_candidate_guess)
        return tuple(counts[turn] for turn in range(1, max(counts) + 1))

    @cached_property
    def _turns(self) -> list[tuple[int, ...]]:
        """The turns of every node, summed once from the leaves up: children have later numbers."""
        turns: list[tuple[int, ...]] = [()] * len(self)
        for node in reversed(self.nodes):
            own = (0,) * (node.turn - 1) + (int(node.is_candidate_guess),)
            parts = (own, *(turns[child] for child in node.children.values()))
            turns[node.number] = tuple(map(sum, zip_longest(*parts, fillvalue=0)))
        return turns

    @cached_property
    def histogram(self) -> tuple[int, ...]:
        """Secrets guessed at turn 1, 2, ... in the whole tree."""
        return self.turns()

    @property
    def total(self) -> int:
        """Turns over all secrets: the average game length times the number of secrets."""
        return turns_in_all(self.histogram)

    @property
    def depth(self) -> int:
        """The last turn at which a secret is guessed."""
        return len(self.histogram)

    def cost(self, weights: Sequence[int]) -> int:
        """Return the sum over secrets of ``weights[turn]``; `weights[0]` belongs to turn 0."""
        return sum(weights[turn] * count for turn, count in enumerate(self.histogram, start=1))


def _grow(rules: Rules, choose: Choose, candidates: Candidates, path: Turns) -> Iterator[Node]:
    """Yield nodes in breadth-first order; child numbers are known when the parent is met."""
    queue: list[tuple[Candidates, Turns, int | None]] = [(candidates, path, None)]
    win = rules.win
    for number, (members, turns, parent) in enumerate(queue):
        guess = choose(members, turns)
        children = _NO_CHILDREN
        if len(members) > 1 or members[0] != guess:
            parts = rules.partition(guess, members)
            if len(parts) == 1 and win not in parts:
                raise TreeError(f"guess {rules.text(guess)} splits nothing at node {number}")
            parts.pop(win, None)
            children = MappingProxyType(dict(zip(parts, count(len(queue)), strict=False)))
            queue += [
                (tuple(part), (*turns, (guess, answer)), number) for answer, part in parts.items()
            ]
        queue[number] = ((), (), None)
        yield Node(
            number,
            len(turns) + 1,
            guess,
            members,
            children,
            parent,
            turns[-1][1] if parent is not None else None,
        )
