"""Result of the exact search: the value, its proof, the guess and the tree."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

from bullscows.errors import counted
from bullscows.game.objective import (
    INFINITE,
    Bounds,
    Objective,
    Weights,
    cost_text,
    costs_text,
    first_level,
    html_table,
    split_levels,
    total_turns,
)
from bullscows.game.rules import CodeIndex, Rules
from bullscows.game.timer import UNLIMITED, OutOfTimeError, Timer
from bullscows.search.known import KnownStrategy
from bullscows.search.position import Position, SearchError
from bullscows.search.search import Search
from bullscows.tree.strategy_tree import StrategyTree


@dataclass(frozen=True)
class Solution:
    """Result of `bullscows.search.solver.solve`.

    >>> from bullscows.search.solver import solve
    >>> print(solve("p2c3n"))
    p2c3n, average: total 13 (mean 2.167): proven optimal; guess 01

    Turns are counted from the first turn of the game, also after a history.
    """

    objective: Objective
    position: Position
    rules: Rules | None
    """The game, if it has rules."""
    game: str
    """The name of the game."""
    answers: int
    """The number of answers of the game."""
    candidates_only: bool
    """Whether each guess must be a candidate."""
    first: CodeIndex | None
    """The only first guess considered, if any."""
    max_turns: int | None
    """The last allowed turn, as given or as found for ``worst``."""
    weights: Weights
    """The weights of the turns, which the criteria are combined into."""
    lower: int
    """Lower bound on the combined cost of all criteria."""
    upper: int | None
    """The combined cost of the best strategy found, if any."""
    guess: CodeIndex | None
    """The optimal first guess, or that of the `source`; None if the search did not finish or there
    is no strategy."""
    counters: dict[str, int]
    """The work: sets searched as ``nodes``, and the cuts of each pruning rule."""
    seconds: float
    interrupted: bool
    """Whether Ctrl-C ended the search."""
    search: Search | None = field(compare=False)
    """None: there was too little time to begin one."""
    known: KnownStrategy | None = None
    """The strategy of a shipped tree that costs `upper`, if the search did not find the guess."""
    found: tuple[int, CodeIndex] | None = None
    """The turn at which the history found the code, and the code: then the game is over, and there
    is no guess."""

    @property
    def source(self) -> str | None:
        """The shipped tree that the guess comes from; None: from the search."""
        return None if self.known is None else self.known.tree

    @property
    def optimal(self) -> bool:
        """Whether `value` is proved."""
        return self.upper == self.lower

    @property
    def feasible(self) -> bool | None:
        """Whether every secret can be guessed in time; None if that is not known yet."""
        if self.upper is not None:
            return True
        return False if self.lower >= INFINITE else None

    @property
    def value(self) -> int | None:
        """The least cost by the strongest criterion, if proved; None if there is no strategy.

        For ``average`` it is the `total`, for ``worst`` the last turn.
        """
        return next(iter(self.levels.values()), None)

    @property
    def bounds(self) -> Bounds:
        """Bounds on the cost by the strongest criterion; equal if `optimal`."""
        if self.found is not None:
            return Bounds(self.found[0], self.found[0])
        if self.feasible is False:
            return Bounds(INFINITE)
        if self.objective.criteria[0] == "worst":
            # The search for the last turn has no levels yet; the next one knows it.
            is_known = self.weights.levels or self.optimal
            known = self.max_turns if is_known else None
            return Bounds(self.lower, self.upper) if known is None else Bounds(known, known)
        return first_level(self.weights, Bounds(self.lower, self.upper), *self._shape)

    @property
    def _shape(self) -> tuple[int, int, int]:
        """The number of candidates, that of answers, and the turn, by which a cost is split."""
        return self.secrets, self.answers, self.position.turn

    @property
    def total(self) -> int | None:
        """The turns over all candidates of the optimal tree; None if it is not proved."""
        known = self.levels.get("total")
        if known is not None or self.distribution is None:
            return known
        return total_turns(self.distribution)

    @property
    def mean(self) -> float | None:
        """`total` divided by `secrets`."""
        return None if self.total is None else self.total / self.secrets

    @property
    def guess_text(self) -> str | None:
        """The guess as text; in a game without rules its number."""
        if self.guess is None:
            return None
        return str(self.guess) if self.rules is None else self.rules.text(self.guess)

    @property
    def secrets(self) -> int:
        """The number of candidates."""
        return len(self.position.candidates)

    @property
    def levels(self) -> dict[str, int]:
        """The cost of each criterion by its name, strongest first; empty unless `optimal`."""
        if not self.optimal or self.upper is None:
            return {}
        if self.found is not None:
            return {"total": self.found[0]}
        costs = list(split_levels(self.weights, self.upper, *self._shape).items())
        if "worst" in self.objective.criteria and self.max_turns is not None:
            costs.insert(self.objective.criteria.index("worst"), ("worst", self.max_turns))
        return dict(costs)

    @property
    def claim(self) -> str:
        """The proof in words."""
        name = f"{self.game}, {self.objective}"
        if self.candidates_only:
            name += ", candidates only"
        if self.max_turns is not None:
            name += f", at most {counted(self.max_turns, 'turn')}"
        if self.found is not None:
            turn, guess = self.found
            code = str(guess) if self.rules is None else self.rules.text(guess)
            return f"{name}: the game is over: {code} was found at turn {turn}"
        if self.feasible is False:
            return f"{name}: no strategy guesses every secret in time: proven"
        if not self.optimal:
            return f"{name}: not finished: {self._bounds_text()}"
        return f"{name}: {costs_text(self.levels, self.secrets)}: proven optimal"

    def _bounds_text(self) -> str:
        levels = self.weights.levels
        lower, upper = self.bounds
        is_worst = self.objective.criteria[0] == "worst"
        level = "worst" if is_worst or not levels else levels[0].name
        known = "no strategy found yet"
        if upper is not None:
            known = f"at most {cost_text(level, upper, self.secrets)}"
        if self.source is not None:
            known += f" by the shipped tree {self.source}"
        return f"{level} at least {cost_text(level, lower, self.secrets)}, {known}"

    def __str__(self) -> str:
        return self.claim if self.guess is None else f"{self.claim}; guess {self.guess_text}"

    def __repr__(self) -> str:
        return f"<Solution of {self}>"

    def _repr_html_(self) -> str:
        rows: list[tuple[str, object]] = [*self.levels.items()]
        rows += [("mean", f"{self.mean:.3f}")] if "total" in self.levels else []
        rows += [] if self.guess is None else [("guess", self.guess_text)]
        rows += [("candidates", self.secrets), ("turn", self.position.turn)]
        return html_table(self.claim, [*rows, ("sets searched", self.counters["nodes"])])

    @cached_property
    def distribution(self) -> tuple[int, ...] | None:
        """The number of candidates that the optimal tree finds at turn 1, 2, ...; None: not proved.

        It is None too if `grow` ran out of time.  Games without rules have it, although they have
        no `tree`.
        """
        return self._found(UNLIMITED)

    def grow(self, timer: Timer) -> bool:
        """Compute `distribution` within a time limit; return whether the time sufficed.

        If it did not, `distribution` is None.
        """
        try:
            vars(self).setdefault("distribution", self._found(timer))
        except OutOfTimeError:
            vars(self)["distribution"] = None
            return False
        return True

    def _found(self, timer: Timer) -> tuple[int, ...] | None:
        if not self.optimal:
            return None
        if self.found is not None:
            return (0,) * (self.found[0] - 1) + (1,)
        if self.search is None and self.known is not None:
            return self.known.distribution
        search = self._searched
        first = None if self._given is None else search.table.number(self._given)
        counts: Counter[int] = Counter()
        queue = [self.position]
        for here in queue:
            guess = search.guess(here, timer=timer) if first is None else first
            first = None
            for part in search.parts(here, guess):
                if part.turn == here.turn:
                    counts[here.turn] += 1
                else:
                    queue.append(part)
        return tuple(counts[turn] for turn in range(1, max(counts) + 1))

    @property
    def _given(self) -> CodeIndex | None:
        """The first guess, if it was not the search that chose it."""
        return self.first if self.known is None else self.guess

    @property
    def _searched(self) -> Search:
        if self.search is None:
            raise SearchError("there was too little time for a search, so it has no tree")
        return self.search

    def tree(self) -> StrategyTree:
        """Return the optimal tree, each node of which is optimal.

        Raises `SearchError` if it is not proved, there is none, or the game has no rules.
        """
        if not self.optimal:
            raise SearchError("there is no proven strategy to make a tree of")
        return self._searched.tree(self.position, self._given)
