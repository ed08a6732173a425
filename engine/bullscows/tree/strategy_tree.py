"""Strategy trees: the guess after every sequence of answers, as an immutable value.

A node is a position: the candidates that fit all answers so far, and the guess there. Its children
are the positions after each answer but the winning one. Nodes are numbered in breadth-first order,
children by ascending answer, like in the paper's string (section 6.2).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TypeAlias

from bullscows.errors import EngineError, counted
from bullscows.game import arguments
from bullscows.game.objective import distribution_text, html_table, total_turns
from bullscows.game.rules import AnswerIndex, CodeIndex, Rules, Turns
from bullscows.tree.nodes import Candidates, Node, Nodes

MAX_TREE_CODES = 50_000
"""The largest game with trees: while one grows, the candidates of a whole turn are held."""

Choose: TypeAlias = Callable[[Candidates, Turns], CodeIndex]
"""Returns the guess for a position."""


class TreeError(EngineError, ValueError):
    """A tree that can't be, or a node that it does not have."""

    def __init__(self, message: str, step: int | None = None) -> None:
        super().__init__(message)
        self.step = step
        """The place of the first answer that leads nowhere; None: no node was sought."""


class StrategyError(EngineError, ValueError):
    """A strategy that does not exist, or that cannot do what is asked."""


def check_size(rules: Rules) -> None:
    """Raise `TreeError` if a game has more than `MAX_TREE_CODES` codes."""
    if rules.size > MAX_TREE_CODES:
        raise TreeError(f"{rules} has {rules.size} codes; trees hold up to {MAX_TREE_CODES}")


def special_guess(rules: Rules, candidates: Candidates) -> CodeIndex | None:
    """Return the guess of a *special* node, or None if the node is not special.

    A node is special if some candidate splits all candidates into parts of size one; the first such
    candidate in lexicographic order is the guess (paper, section 6.2). It is optimal for every
    objective with non-decreasing weights: it finds one candidate now and all others on the next
    turn, and no guess finds more than one candidate a turn.
    """
    if len(candidates) <= 2:
        return candidates[0]
    if len(candidates) > len(rules.answers):
        return None
    for guess in candidates:
        if rules.separates(guess, candidates):
            return guess
    return None


class StrategyTree:
    """A complete strategy for a game, or for what is left of one.

    Make one with `grow`; the constructor takes nodes that are already consistent.

    Examples
    --------
    >>> tree = StrategyTree.grow(Rules.parse("p2c3n"), lambda candidates, _: candidates[0])
    >>> print(tree)
    p2c3n: first guess 01, 6 secrets, total 13, turns 1/3/2
    >>> tree.ask("0.1")
    '12'
    >>> [tree.rules.text(node.guess) for node in tree.play(tree.rules.parse_code("20"))]
    ['01', '12', '20']
    """

    def __init__(self, rules: Rules, nodes: Nodes) -> None:
        self.rules = rules
        """The game."""
        self.nodes = nodes
        """All nodes, breadth first."""

    @classmethod
    def grow(
        cls,
        rules: Rules,
        choose: Choose,
        *,
        candidates: Candidates | None = None,
        path: Turns = (),
        turn: int | None = None,
        first: CodeIndex | None = None,
        may_waste: bool = False,
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
        turn
            The number of the guess at the root in the game; by default the one after `path`.
        first
            The guess at the root, instead of that of `choose`.
        may_waste
            Whether a guess may split nothing; `choose` then has to end every game.

        Raises
        ------
        TreeError
            If a guess neither splits the candidates nor is the secret, though none may be wasted;
            or if the game is too large.
        """
        check_size(rules)
        guesses: list[CodeIndex] = []
        edges: list[tuple[int, AnswerIndex]] = []
        sizes: list[int] = []
        codes: list[CodeIndex] = []
        root = tuple(range(rules.size)) if candidates is None else candidates
        queue: deque[tuple[Candidates, Turns]] = deque([(root, path)])  # of nodes not asked yet
        while queue:
            members, turns = queue.popleft()
            guess = choose(members, turns) if first is None or guesses else first
            parts = {} if members == (guess,) else rules.partition(guess, members)
            parts.pop(rules.win, None)
            if not may_waste and any(len(part) == len(members) for part in parts.values()):
                raise TreeError(f"guess {rules.text(guess)} splits nothing at node {len(guesses)}")
            for answer, part in parts.items():
                edges.append((len(guesses), answer))
                queue.append((tuple(part), (*turns, (guess, answer))))
            guesses.append(guess)
            sizes.append(len(members))
            codes += members
        number = len(path) + 1 if turn is None else turn
        return cls(rules, Nodes.of(guesses, edges, sizes, codes, number))

    @property
    def root(self) -> Node:
        """The node of the first guess."""
        return self.nodes[0]

    def __len__(self) -> int:
        return len(self.nodes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StrategyTree):
            return NotImplemented
        return self.rules == other.rules and self._key == other._key

    def __hash__(self) -> int:
        return hash((self.rules, self._key))

    @property
    def _key(self) -> tuple[object, ...]:
        """The secrets, the turn of the root and the guesses, which determine a sound tree."""
        nodes = self.nodes
        return nodes.first_turn, self.root.candidates, nodes.guesses.tobytes()

    def __str__(self) -> str:
        turns = distribution_text(self.distribution)
        return (
            f"{self.rules}: first guess {self.ask()}, {counted(self.root.size, 'secret')}, "
            f"total {self.total}, turns {turns}"
        )

    def __repr__(self) -> str:
        return f"<StrategyTree of {self}>"

    def _repr_html_(self) -> str:
        figures: list[tuple[object, object]] = [("first guess", self.ask())]
        figures += [("secrets", self.root.size), ("turns in all", self.total)]
        found = ((f"found at turn {turn}", n) for turn, n in enumerate(self.distribution, start=1))
        return html_table(f"Strategy tree for {self.rules}", [*figures, *found])

    def ask(self, answers: str | Iterable[AnswerIndex | str] = ()) -> str:
        """Return the guess to make after `answers`, as text; see `walk`."""
        return self.rules.text(self.walk(answers).guess)

    def walk(self, answers: str | Iterable[AnswerIndex | str]) -> Node:
        """Return the node reached from the root by `answers`.

        Parameters
        ----------
        answers
            Numbers or texts, or one text with spaces, for example ``0.1 1.1``.

        Raises
        ------
        AnswerError
            If a text is no answer of the game.
        TreeError
            If some answer is impossible after those before it, or the game is over before it.
        """
        node = self.root
        allowed = "answers by number or text, or one text with spaces between"
        for step, word in enumerate(arguments.words("answers", answers, allowed)):
            answer = self.rules.answer_number(word)
            child = node.children.get(answer)
            if child is None:
                text = self.rules.answers[answer]
                raise TreeError(f"no candidate gives answer {text} at turn {node.turn}", step)
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
        """Return the nodes visited until `secret` is guessed, root first.

        Raises `TreeError` if it is no candidate of the root.
        """
        secret = self.rules.number(secret, "secret")
        visited = [self.root]
        while visited[-1].guess != secret:
            answer = self.rules.respond(visited[-1].guess, secret)
            child = visited[-1].children.get(answer)
            if child is None:
                raise TreeError(f"{self.rules.text(secret)} is no candidate of this tree")
            visited.append(self.nodes[child])
        return visited

    def subtree(self, node: Node) -> Iterator[Node]:
        """Yield `node` and all nodes below it, breadth first."""
        for first, end in self.nodes.levels(node.number):
            yield from self.nodes[first:end]

    def distribution_at(self, node: Node) -> tuple[int, ...]:
        """Return how many candidates of `node` are found at turn 1, 2, ... of the game."""
        return self.nodes.distribution(node.number)

    @cached_property
    def distribution(self) -> tuple[int, ...]:
        """Secrets found at turn 1, 2, ..., up to the last."""
        return self.distribution_at(self.root)

    @property
    def total(self) -> int:
        """Turns over all secrets: the average game length times the number of secrets."""
        return total_turns(self.distribution)

    @property
    def depth(self) -> int:
        """The last turn at which a secret is guessed."""
        return len(self.distribution)
