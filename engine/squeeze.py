"""Bounds from both sides in a given time: what can be said of a game too large to solve.

From above: a *beam*, a search that tries only the most promising guesses of each position.  What
it finds is a strategy, so its cost is an upper bound; it proves nothing else.  Beams are widened
whenever they have taken a small share of the time so far.

From below: the exact search, asked again and again whether the cost is in the lower half of what
is still possible, or in a smaller share if that took too long.  A search with a small budget leaves
most guesses early, so the first questions are cheap; what each has proved stays in the
transposition table for the next.  Where only one
guess comes into question its parts are bounded one by one, always the part that promises the most
progress for its time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.objective import INFINITE
from engine.position import Outcome, Position, Progress
from engine.rules import CodeIndex
from engine.runner import Search
from engine.symmetry import representatives

BEAM_SHARE = 0.1
"""The share of the time that beams may have taken when the next is begun."""

WIDENING = 4
"""Each beam is so many times as wide as the one before."""

SLOWER = 3.0
"""The next question about a position is taken to last so many times as long as the last."""

PATIENCE = 0.25
"""A question is left, for a smaller one, when it has taken this share of all the time before."""

SHORTEST = 1.0
"""Seconds that every question may take."""


@dataclass
class _Bracket:
    """A position whose cost lies between two bounds."""

    position: Position
    lower: int
    upper: int | None
    seconds: float = 0.01
    """How long the last question took."""
    caution: int = 2
    """The share of what is possible that the next question is about: one in so many."""

    @property
    def is_open(self) -> bool:
        return self.upper != self.lower and self.lower < INFINITE

    @property
    def budget(self) -> int:
        """The lower part of what is possible; all of it while nothing is known from above."""
        if self.upper is None:
            return INFINITE - 1
        return self.lower + (self.upper - 1 - self.lower) // self.caution

    @property
    def promise(self) -> float:
        """The expected gain per second of the next question."""
        gap = INFINITE if self.upper is None else self.upper - self.lower
        return gap / self.caution / (SLOWER * self.seconds)


class Squeeze:
    """A search for bounds that tighten until they meet, or until the time is over.

    Parameters
    ----------
    search
        The exact search; its table keeps what is proved.
    position
        Whose cost is wanted.
    first
        Consider this next guess only.
    time_limit
        Seconds; None: until the bounds meet.
    progress
        Called about ten times a second, with the bounds so far.
    """

    def __init__(
        self,
        search: Search,
        position: Position,
        *,
        first: CodeIndex | None = None,
        time_limit: float | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> None:
        self._search = search
        self._limit = time_limit
        self._progress = progress
        self._started = time.monotonic()
        self._beam_seconds = 0.0
        self._width = 1
        self._brackets = _brackets(search, position, first)

    def outcome(self) -> Outcome:
        """Tighten the bounds and return them; equal bounds are the value.

        Ctrl-C ends the search with what is proved by then, as the time limit does.

        Raises
        ------
        HorizonError
            If the weights have no cap and do not reach far enough.
        """
        try:
            self._tighten()
        except KeyboardInterrupt:
            self._search.interrupted = True
        return self._bounds()

    def _tighten(self) -> None:
        going = True
        while going and self._open() and self._bounds().lower < INFINITE:
            cheap = self._beam_seconds <= BEAM_SHARE * self._elapsed()
            widen = cheap and self._width <= self._search.table.size
            going = self._widen() if widen else self._ask(max(self._open(), key=_promise))
            if self._limit is not None and self._elapsed() >= self._limit:
                break

    def _widen(self) -> bool:
        """Try the next beam on all that is open; return False if it was interrupted."""
        began = self._elapsed()
        beam = self._search.narrowed(self._width)
        self._width *= WIDENING
        for bracket in self._open():
            budget = INFINITE - 1 if bracket.upper is None else bracket.upper - 1
            found = self._value(beam, bracket, budget)
            if found.upper is not None:
                bracket.upper = found.upper
            if beam.interrupted:
                self._search.interrupted = True
            if beam.stopped:
                return False
        self._beam_seconds += self._elapsed() - began
        return True

    def _ask(self, bracket: _Bracket) -> bool:
        """Ask whether the cost is in the lower part; return False if interrupted."""
        began = self._elapsed()
        patience = None if bracket.upper is None else max(PATIENCE * began, SHORTEST)
        found = self._value(self._search, bracket, bracket.budget, patience)
        bracket.lower = max(bracket.lower, found.lower)
        if found.upper is not None:
            bracket.upper = found.upper
        bracket.seconds = max(self._elapsed() - began, 0.001)
        if not self._search.stopped:
            bracket.caution = max(bracket.caution // 2, 2)
            return True
        bracket.caution *= 2
        return not self._search.interrupted

    def _value(
        self, search: Search, bracket: _Bracket, budget: int, patience: float | None = None
    ) -> Outcome:
        left = None if self._limit is None else max(self._limit - self._elapsed(), 0.0)
        limits = [limit for limit in (left, patience) if limit is not None]
        tell = None if self._progress is None else self._tell
        return search.value(
            bracket.position, budget=budget, progress=tell, time_limit=min(limits, default=None)
        )

    def _tell(self, progress: Progress) -> None:
        """Pass progress on, with the time of all questions and the bounds of the whole."""
        assert self._progress is not None
        bounds = self._bounds()
        self._progress(
            replace(progress, seconds=self._elapsed(), lower=bounds.lower, best=bounds.upper)
        )

    def _open(self) -> list[_Bracket]:
        return [bracket for bracket in self._brackets if bracket.is_open]

    def _bounds(self) -> Outcome:
        lower = min(sum(bracket.lower for bracket in self._brackets), INFINITE)
        uppers = [bracket.upper for bracket in self._brackets]
        if lower >= INFINITE or any(upper is None for upper in uppers):
            return Outcome(lower, None)
        return Outcome(lower, sum(upper for upper in uppers if upper is not None))

    def _elapsed(self) -> float:
        return time.monotonic() - self._started


def _promise(bracket: _Bracket) -> float:
    return bracket.promise


def _brackets(search: Search, position: Position, first: CodeIndex | None) -> list[_Bracket]:
    """Return the parts of the only guess in question, or the position itself."""
    only = _only_guess(search, position) if first is None else first
    if only is None:
        return [_Bracket(position, 0, None)]
    return [
        _Bracket(part, outcome.lower, outcome.upper)
        for part, outcome in search.parts(position, only)
    ]


def _only_guess(search: Search, position: Position) -> CodeIndex | None:
    """Return the guess that represents all others at the start of a game, if there is one."""
    rules = search.table.rules
    if rules is None or position.guesses != () or len(position.candidates) <= 2:
        return None
    guesses = representatives(rules, ())
    return int(guesses[0]) if len(guesses) == 1 else None
