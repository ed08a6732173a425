"""Bounds from both sides in a given time: the threads' driver of the bounded tree.

From above: a *beam*, a search that tries only the most promising guesses of each position.  What
it finds is a strategy, so its cost is an upper bound; it proves nothing else.  Beams are widened
whenever they have taken a small share of the time so far.

From below: the exact search, asked again and again whether the cost is in the lower half of what
is still possible, or in a smaller share if that took too long.  A search with a small budget leaves
most guesses early, so the first questions are cheap; what each has proved stays in the
transposition table for the next.  If only one guess comes into question, its parts are bounded one
by one, always the part that promises the most progress for its time.

With a time limit, a position about which questions take too long is split into its guesses
(`bullscows.search.tree`), and so are their parts in turn: of the guess whose bound is least, the
part that promises most is asked for a little more.  If the value is wanted, however long it takes,
nothing is split: whole questions take less time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bullscows.game.cost import Bounds
from bullscows.game.history import Turn
from bullscows.game.objective import INFINITE
from bullscows.game.symmetry import representatives
from bullscows.search.position import Progress
from bullscows.search.search import Search
from bullscows.search.tree import SETTLED, BoundedTree, Known, Option, Place

BEAM_SHARE = 0.1
"""The share of the time that beams may have taken when the next is begun."""

WIDENING = 4
"""Each beam is wider than the one before by this factor."""

PATIENCE = 0.25
"""A question is left, for a smaller one, when it has taken this share of all the time before."""

SHORTEST = 1.0
"""Seconds that every question may take."""

OVERDUE, SHORTEST_OF_PARTS = 12.0, 0.2
"""A question about a part is left when it has taken this multiple of the time of the last answer,
and these seconds at least; the next question may take twice as long."""

SPELL, SHORTEST_SPELL = 0.1, 0.5
"""A split position is worked on for this share of the time spent on it, and these seconds."""

SPLIT_AFTER, SPLIT_SIZE, MOST_OPTIONS = 2, 300, 400
"""A position is split after this number of questions in a row that took too long, if it has this
number of candidates at least, and this number of classes of guesses at most."""

ROOM = 30_000_000
"""Candidates that the parts of all guesses of split positions have together: 4 bytes each."""

MOMENT = 0.0001
"""No question is taken for shorter."""

SLOWER = 3.0
"""The next question about a position is expected to take this multiple of the time of the last."""

HOPE = 10.0
"""A split position is expected to gain 1 / HOPE of the possible in the time spent so far."""

FRESH = 50
"""The first question about a part of a guess: is its cost at most 1 / FRESH above its bound?"""


@dataclass(eq=False)
class Effort:
    """What questions about a position have cost, and what the next one is about."""

    known: Known
    """What is proved of it."""
    is_part: bool = False
    """Is it a part of a guess at a position that was split?"""
    wanted: int = INFINITE - 1
    """A cost above this need not be known any better: then the whole exceeds its budget."""
    seconds: float = 0.01
    """The duration of the last question."""
    caution: int = 2
    """The next question is about this fraction of what is possible: 1 / caution."""
    left: int = 0
    """The number of questions in a row that took too long."""
    stays_whole: bool = False
    """Is it one that can't be split?"""
    is_split: bool = False
    spent: float = 0.0
    """The seconds spent on it since it was split."""
    rate: float | None = None
    """By how much the bound of a split position rose per second lately."""

    @property
    def most(self) -> int:
        """The largest cost that is still in question."""
        upper = self.known.bounds.upper
        return self.wanted if upper is None else min(upper - 1, self.wanted)

    @property
    def room(self) -> int:
        """The number of costs that are still in question."""
        return self.most + 1 - self.known.bounds.lower

    @property
    def budget(self) -> int:
        """The lower part of what is possible; all of it while nothing is known from above."""
        if self.known.bounds.upper is None and self.wanted == INFINITE - 1:
            return self.wanted
        return self.known.bounds.lower + (self.room - 1) // self.caution

    @property
    def promise(self) -> float:
        """The expected gain per second of the next question, or of the next spell."""
        if self.is_split:
            return max(self.room / (HOPE * max(self.spent, 0.001)), self.rate or 0.0)
        return self.room / self.caution / (SLOWER * self.seconds)

    def answered(self, seconds: float) -> None:
        """Count a question that was answered: the next question may be larger."""
        self.seconds, self.left = seconds, 0
        self.caution = max(self.caution // 2, 2)

    def gave_up(self, seconds: float) -> None:
        """Count a question that took too long: the next question is smaller.

        Of a part what an answer took is the better guess at what the next one takes.
        """
        self.seconds = 2 * self.seconds if self.is_part else seconds
        self.left += 1
        self.caution *= 2

    def count(self, gain: int, seconds: float) -> None:
        """Count a spell: what it gained, and how long it took."""
        rate = gain / max(seconds, 0.001)
        self.rate = rate if self.rate is None else (self.rate + rate) / 2
        self.spent += seconds


class Bounding:
    """Tightens the bounds of a tree until they meet, or until the time is over.

    Parameters
    ----------
    search
        The exact search; its table keeps what is proved.
    tree
        The bounds of positions that are proved.
    option
        Tighten the bounds of this guess at the root of the tree; None: those of the root.
    budget
        The cost is wanted if it is at most this; else a proof that it is more.
    progress
        Called about ten times a second, with the bounds so far.
    """

    def __init__(
        self,
        search: Search,
        tree: BoundedTree,
        *,
        option: Option | None = None,
        budget: int = INFINITE - 1,
        progress: Callable[[Progress], None] | None = None,
    ) -> None:
        self._search, self._tree, self._progress = search, tree, progress
        self._budget = budget
        self._is_limited = budget < INFINITE // 2
        self._given = option
        self._option = _only_option(tree) if option is None else option
        self._efforts: dict[Known, Effort] = {}
        self._before = self._beam_seconds = 0.0
        self._started = search.clock()
        self._limit: float | None = None
        self._width, self._room = 1, ROOM
        leaves = [tree.root] if self._option is None else tree.parts(tree.root, self._option)
        self._leaves = {place.known: place for place in leaves}
        for known, place in self._leaves.items():
            known.learn(search.recalled(place.position(tree.table)))
            self._efforts[known] = Effort(known)

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

    def learn(self, found: Bounds) -> None:
        """Take over what somebody else has proved of the root, or of the guess that was given."""
        (self._tree.root.known if self._given is None else self._given).learn(found)

    def _bounds(self) -> Bounds:
        return self._tree.bounds() if self._given is None else self._given.bounds

    def _tighten(self) -> None:
        going = True
        while going and (leaves := self._open()):
            is_cheap = self._beam_seconds <= BEAM_SHARE * self._elapsed()
            is_wide = self._width > self._search.table.size
            if is_cheap and not is_wide and not self._is_limited:
                going = self._widen(leaves)
            else:
                going = self._raise(max(leaves, key=self._promise))
            self._keep()
            if self._is_over():
                break

    def _keep(self) -> None:
        """Give a checkpoint the bounds so far."""
        if self._search.proven is not None:
            for known, place in self._leaves.items():
                self._search.remember(place.position(self._tree.table), known.bounds)
            self._search.proven.learn(self._bounds())

    def _open(self) -> list[Place]:
        """Return the positions of which more is to be known; each up to what the others leave."""
        bounds = self._bounds()
        if bounds.exact or bounds.lower > self._budget:
            return []
        if self._is_limited:
            total = self._tree.root.bounds.lower if self._option is None else self._option.total
            for known in self._leaves:
                self._efforts[known].wanted = self._budget - total + known.bounds.lower
        return [place for known, place in self._leaves.items() if self._efforts[known].room > 0]

    def _promise(self, place: Place) -> float:
        return self._efforts[place.known].promise

    def _widen(self, leaves: list[Place]) -> bool:
        """Try the next beam on all that is open; return False if it was interrupted."""
        began = self._elapsed()
        beam = self._search.narrowed(self._width)
        self._width *= WIDENING
        for place in leaves:
            found = self._value(beam, place, self._efforts[place.known].most)
            place.known.learn(Bounds(0, found.upper))
            self._search.interrupted |= beam.interrupted
            if beam.stopped:
                break
        self._beam_seconds += self._elapsed() - began
        return not beam.stopped

    def _raise(self, place: Place) -> bool:
        """Learn more of a position; return False if interrupted."""
        return self._spell(place) if self._efforts[place.known].is_split else self._ask(place)

    def _spell(self, place: Place) -> bool:
        """Raise the least of the guesses of a split position, again and again for a while."""
        effort, before, began = self._efforts[place.known], place.bounds.lower, self._elapsed()
        until = began + max(SPELL * effort.spent, SHORTEST_SPELL)
        going = True
        while going:
            option = self._tree.weakest(place)
            part = self._next_part(place, option, effort.most) if effort.room > 0 else None
            if part is None:
                break
            going = self._raise(part)
            if self._elapsed() >= until or self._is_over():
                break
        self._tree.weakest(place)
        effort.count(place.bounds.lower - before, self._elapsed() - began)
        return going

    def _next_part(self, place: Place, option: Option, most: int) -> Place | None:
        """Return the part that promises the most progress, if the guess is to cost `most`."""
        spare = most - option.total
        open_parts = []
        for part in self._tree.parts(place, option):
            effort = self._effort_of_part(part, spare)
            effort.wanted = part.bounds.lower + spare
            if effort.room > 0:
                open_parts.append(part)
        # The first of all equivalent positions is the one that is split.
        chosen = max(open_parts, key=self._promise, default=None)
        return None if chosen is None else chosen.known.first

    def _effort_of_part(self, part: Place, spare: int) -> Effort:
        """Return the effort of a part of a guess, whose first question is a small one."""
        if part.known not in self._efforts:
            # A budget that nothing keeps within takes no search: what is returned is a quick bound.
            part.known.learn(self._search.value(part.position(self._tree.table), budget=-1))
            caution = max(FRESH * spare // max(part.bounds.lower, 1), 2)
            self._efforts[part.known] = Effort(part.known, True, seconds=0.0005, caution=caution)
        return self._efforts[part.known]

    def _ask(self, place: Place) -> bool:
        """Ask whether the cost is in the lower part; return False if interrupted."""
        effort, began = self._efforts[place.known], self._elapsed()
        patience = self._patience(effort)
        place.known.learn(self._value(self._search, place, effort.budget, patience))
        seconds = max(self._elapsed() - began, MOMENT)
        if not self._search.stopped:
            effort.answered(seconds)
        elif patience is not None and seconds >= patience:
            effort.gave_up(seconds)
            if effort.left >= SPLIT_AFTER and not effort.stays_whole and self._may_split:
                self._split(place, effort)
        else:
            effort.seconds = seconds
        return not self._search.interrupted

    @property
    def _may_split(self) -> bool:
        """Whether bounds are all that can be hoped for: the time is limited, the cost is not."""
        return self._limit is not None and not self._is_limited

    def _patience(self, effort: Effort) -> float | None:
        """Return the seconds that the next question about a position may take."""
        proven = self._search.proven
        earlier = 0.0 if proven is None else proven.earlier_seconds
        share = max(PATIENCE * (earlier + self._elapsed()), SHORTEST)
        if effort.is_part:
            return min(max(OVERDUE * effort.seconds, SHORTEST_OF_PARTS), share)
        return None if effort.budget >= effort.most else share

    def _split(self, place: Place, effort: Effort) -> None:
        """Split a large position into its guesses, unless they are too many."""
        guesses = [] if place.count < SPLIT_SIZE else self._tree.guesses(place)
        cost = len(guesses) * place.count
        if 0 < len(guesses) <= MOST_OPTIONS and cost <= self._room:
            self._tree.split(place, guesses)
            self._room -= cost
            effort.is_split = True
        else:
            effort.stays_whole = True

    def _is_over(self) -> bool:
        return self._limit is not None and self._elapsed() >= self._limit

    def _value(
        self, search: Search, place: Place, budget: int, patience: float | None = None
    ) -> Bounds:
        left = None if self._limit is None else max(self._limit - self._elapsed(), 0.0)
        limits = [limit for limit in (left, patience) if limit is not None]
        return search.value(
            place.position(self._tree.table),
            budget=budget,
            progress=None if self._progress is None else self._tell,
            time_limit=min(limits, default=None),
        )

    def _tell(self, progress: Progress) -> None:
        """Pass progress on, with the time of all questions and the bounds of the whole."""
        assert self._progress is not None
        lower, upper = self._bounds()
        self._progress(replace(progress, seconds=self._elapsed(), lower=lower, best=upper))

    def _elapsed(self) -> float:
        return self._before + self._search.clock() - self._started


def tree_of(search: Search, history: Sequence[Turn]) -> BoundedTree:
    """Return the tree of the position after some turns, by number, for what a search is asked."""
    only = search.candidates_only
    return BoundedTree(search.table, search.weights, history, candidates_only=only)


def _only_option(tree: BoundedTree) -> Option | None:
    """Return the guess that represents all others at the start of a game, if there is one."""
    root, rules = tree.root, tree.table.rules
    if rules is None or root.turns or root.count <= SETTLED:
        return None
    return tree.split(root)[0] if len(representatives(rules, ())) == 1 else None
