"""Bounds from both sides in a given time: what can be said of a game too large to solve.

From above: a *beam*, a search that tries only the most promising guesses of each position.  What
it finds is a strategy, so its cost is an upper bound; it proves nothing else.  Beams are widened
whenever they have taken a small share of the time so far.

From below: the exact search, asked again and again whether the cost is in the lower half of what
is still possible, or in a smaller share if that took too long.  A search with a small budget leaves
most guesses early, so the first questions are cheap; what each has proved stays in the
transposition table for the next.  Where only one guess comes into question its parts are bounded
one by one, always the part that promises the most progress for its time.

Where the time is limited, a position about which questions take too long is split into its
guesses (`bullscows.search.brackets`), and so are their parts in turn: of the guess whose bound is
least the part that promises most is asked for a little more.  Where the value is wanted, however
long it takes, nothing is split: whole questions take less time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bullscows.game.cost import Bounds
from bullscows.game.objective import INFINITE
from bullscows.game.rules import CodeIndex
from bullscows.game.symmetry import representatives
from bullscows.search.brackets import Bracket, Branch, most_promising
from bullscows.search.position import Position, Progress
from bullscows.search.search import Search

BEAM_SHARE = 0.1
"""The share of the time that beams may have taken when the next is begun."""

WIDENING = 4
"""Each beam is so many times as wide as the one before."""

PATIENCE = 0.25
"""A question is left, for a smaller one, when it has taken this share of all the time before."""

SHORTEST = 1.0
"""Seconds that every question may take."""

OVERDUE, SHORTEST_OF_PARTS = 12.0, 0.2
"""A question about a part is left when it has taken so many times as long as the last one about
it that was answered, and these seconds at least; the next one may take twice as long."""

SPELL, SHORTEST_SPELL = 0.1, 0.5
"""A split position is worked on for this share of the time spent on it, and these seconds."""

SPLIT_AFTER, SPLIT_SIZE, MOST_BRANCHES = 2, 300, 400
"""A position is split after so many questions in a row that took too long, if it has so many
candidates at least and so many classes of guesses at most."""

ROOM = 3_000_000
"""Candidates that the parts of all split positions have together: 40 bytes each."""

MOMENT = 0.0001
"""No question is taken for shorter."""


class AnytimeSearch:
    """A search for bounds that tighten until they meet, or until the time is over.

    Parameters
    ----------
    search
        The exact search; its table keeps what is proved.
    position
        Whose cost is wanted.
    first
        Consider this next guess only.
    budget
        The cost is wanted if it is at most this; else a proof that it is more.
    progress
        Called about ten times a second, with the bounds so far.
    """

    def __init__(
        self,
        search: Search,
        position: Position,
        *,
        first: CodeIndex | None = None,
        budget: int = INFINITE - 1,
        progress: Callable[[Progress], None] | None = None,
    ) -> None:
        self._search = search
        self._budget = budget
        self._is_limited = budget < INFINITE // 2
        self._known = Bounds(0, None)
        self._progress = progress
        self._before = 0.0
        self._started = search.clock()
        self._limit: float | None = None
        self._beam_seconds = 0.0
        self._width = 1
        self._room = ROOM
        self._brackets = _brackets(search, position, first)
        for bracket in self._brackets:
            bracket.tighten(search.recalled(bracket.position))
        self._is_whole = self._brackets[0].position == position

    def learn(self, known: Bounds) -> None:
        """Take over what somebody else has proved of the cost."""
        self._known = self._known.tightened(known)
        if self._is_whole:
            self._brackets[0].tighten(known)

    def bounds(self, time_limit: float | None = None) -> Bounds:
        """Tighten the bounds and return them; equal bounds are the value.

        After `time_limit` seconds of the search's clock, or on Ctrl-C, the bounds are what is
        proved by then; called again, it goes on from there.

        Raises
        ------
        HorizonError
            If the weights have no cap and do not reach far enough.
        """
        self._started = self._search.clock()
        self._limit = None if time_limit is None else self._before + time_limit
        try:
            self._tighten()
        except KeyboardInterrupt:
            self._search.interrupted = True
        self._before = self._elapsed()
        return self._bounds()

    def _tighten(self) -> None:
        going = True
        while going and self._is_open():
            cheap = self._beam_seconds <= BEAM_SHARE * self._elapsed()
            widen = cheap and self._width <= self._search.table.size and not self._is_limited
            going = self._widen() if widen else self._raise(most_promising(self._open()))
            self._keep()
            if self._is_over():
                break

    def _keep(self) -> None:
        """Give a checkpoint the bounds so far."""
        if self._search.proven is not None:
            for bracket in self._brackets:
                self._search.remember(bracket.position, Bounds(bracket.lower, bracket.upper))
            self._search.proven.learn(self._bounds())

    def _widen(self) -> bool:
        """Try the next beam on all that is open; return False if it was interrupted."""
        began = self._elapsed()
        beam = self._search.narrowed(self._width)
        self._width *= WIDENING
        for bracket in self._open():
            bracket.tighten(Bounds(0, self._value(beam, bracket, bracket.most).upper))
            if beam.interrupted:
                self._search.interrupted = True
            if beam.stopped:
                break
        self._beam_seconds += self._elapsed() - began
        return not beam.stopped

    def _raise(self, bracket: Bracket) -> bool:
        """Learn more of a position; return False if interrupted."""
        return self._spell(bracket) if bracket.branches else self._ask(bracket)

    def _spell(self, bracket: Bracket) -> bool:
        """Raise the least of the guesses of a split position, again and again for a while."""
        began, before = self._elapsed(), bracket.lower
        until = began + max(SPELL * bracket.spent, SHORTEST_SPELL)
        going = True
        while going:
            branch = bracket.learn()
            part = None if branch is None else branch.next_part(bracket.most)
            if part is None:
                break
            going = self._raise(part)
            if self._elapsed() >= until or self._is_over():
                break
        bracket.learn()
        bracket.count(bracket.lower - before, self._elapsed() - began)
        return going

    def _ask(self, bracket: Bracket) -> bool:
        """Ask whether the cost is in the lower part; return False if interrupted."""
        began = self._elapsed()
        patience = self._patience(bracket)
        bracket.tighten(self._value(self._search, bracket, bracket.budget, patience))
        seconds = max(self._elapsed() - began, MOMENT)
        if not self._search.stopped:
            bracket.answered(seconds)
        elif patience is not None and seconds >= patience:
            bracket.gave_up(seconds)
            if bracket.left >= SPLIT_AFTER and not bracket.stays_whole and self._may_split:
                self._split(bracket)
        else:
            bracket.seconds = seconds
        return not self._search.interrupted

    @property
    def _may_split(self) -> bool:
        """Whether bounds are all that can be hoped for: the time is limited, the cost is not."""
        return self._limit is not None and not self._is_limited

    def _patience(self, bracket: Bracket) -> float | None:
        """Return the seconds that the next question about a position may take."""
        proven = self._search.proven
        earlier = 0.0 if proven is None else proven.earlier_seconds
        share = max(PATIENCE * (earlier + self._elapsed()), SHORTEST)
        if bracket.is_part:
            return min(max(OVERDUE * bracket.seconds, SHORTEST_OF_PARTS), share)
        return None if bracket.budget >= bracket.most else share

    def _split(self, bracket: Bracket) -> None:
        """Split a large position into its guesses, unless they are too many."""
        guesses = self._guesses(bracket.position)
        cost = len(guesses) * len(bracket.position.candidates)
        if not guesses or cost > self._room:
            bracket.stays_whole = True
            return
        branches = []
        for guess in guesses:
            parts = list(self._search.parts(bracket.position, guess))
            if len(parts) > 1:
                branches.append(Branch([self._part(*part) for part in parts]))
            if self._search.interrupted or self._is_over():
                return
        bracket.branches = branches
        self._room -= cost

    def _guesses(self, position: Position) -> list[CodeIndex]:
        """Return a guess of each class at a position that may be split; none at others."""
        table = self._search.table
        if table.rules is None or position.guesses is None or self._search.candidates_only:
            return []
        if len(position.candidates) < SPLIT_SIZE:
            return []
        codes = representatives(table.rules, [table.code(guess) for guess in position.guesses])
        if len(codes) > MOST_BRANCHES:
            return []
        return [table.number(code) for code in codes.tolist()]

    def _part(self, position: Position, known: Bounds) -> Bracket:
        """Return a part of a guess, with what its size tells: that alone is more than -1."""
        if not known.exact:
            known = self._search.value(position, budget=-1)
        return Bracket.part(position, known)

    def _is_over(self) -> bool:
        return self._limit is not None and self._elapsed() >= self._limit

    def _value(
        self, search: Search, bracket: Bracket, budget: int, patience: float | None = None
    ) -> Bounds:
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

    def _is_open(self) -> bool:
        """Return whether more is to be known; each bracket is wanted up to what others leave."""
        bounds = self._bounds()
        if self._is_limited:
            least = sum(bracket.lower for bracket in self._brackets)
            for bracket in self._brackets:
                bracket.wanted = self._budget - (least - bracket.lower)
        return bool(self._open()) and not bounds.exact and bounds.lower <= self._budget

    def _open(self) -> list[Bracket]:
        return [bracket for bracket in self._brackets if bracket.is_open]

    def _bounds(self) -> Bounds:
        lower = min(sum(bracket.lower for bracket in self._brackets), INFINITE)
        uppers = [bracket.upper for bracket in self._brackets if bracket.upper is not None]
        complete = lower < INFINITE and len(uppers) == len(self._brackets)
        return Bounds(lower, sum(uppers) if complete else None).tightened(self._known)

    def _elapsed(self) -> float:
        return self._before + self._search.clock() - self._started


def _brackets(search: Search, position: Position, first: CodeIndex | None) -> list[Bracket]:
    """Return the parts of the only guess in question, or the position itself."""
    only = _only_guess(search, position) if first is None else first
    if only is None:
        return [Bracket(position, 0, None)]
    return [
        Bracket(part, bounds.lower, bounds.upper) for part, bounds in search.parts(position, only)
    ]


def _only_guess(search: Search, position: Position) -> CodeIndex | None:
    """Return the guess that represents all others at the start of a game, if there is one."""
    rules = search.table.rules
    if rules is None or position.guesses != () or len(position.candidates) <= 2:
        return None
    guesses = representatives(rules, ())
    return int(guesses[0]) if len(guesses) == 1 else None
