"""Bounds from both sides in a given time: the threads' driver of the bounded tree.

Upper bounds: a *beam*, a search that tries only the most promising guesses of each position, finds
a strategy.  Beams are widened whenever they have taken a small share of the time so far.

Lower bounds: the exact search is asked again and again whether the cost is in the lower half of
what is still possible, or in a smaller fraction if that took too long: a small budget fails most
guesses early.  If only one guess is possible, its parts are bounded one by one, always the part
with the largest expected gain per second.

With a time limit, a position about which questions take too long is split into its guesses
(`bullscows.search.tree`), and so are their parts in turn.  If the value is wanted, however long it
takes, nothing is split: whole questions take less time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bullscows.game.objective import INFINITE, Bounds
from bullscows.game.rules import Turn
from bullscows.game.symmetry import representatives
from bullscows.search.position import Progress
from bullscows.search.search import Search
from bullscows.search.tree import SETTLED, BoundedTree, Entry, Option, TreeNode

BEAM_SHARE = 0.1
"""The next beam begins when beams have taken at most this share of the time."""

WIDENING = 4
"""Each beam is wider than the one before by this factor."""

PATIENCE, SHORTEST = 0.25, 1.0
"""A question is abandoned for a smaller one after this share of the time so far, and these seconds
at least.  The time of earlier runs counts only for positions that are not to be split."""

OVERDUE, SHORTEST_OF_PARTS = 12.0, 0.2
"""A question about a part is abandoned after this multiple of the time of the last answer, and
these seconds at least; the next question may take twice as long."""

SPELL, SHORTEST_SPELL = 0.1, 0.5
"""A split position is worked on for this share of its time so far, and these seconds at least."""

SPLIT_AFTER, SPLIT_SIZE, MOST_OPTIONS = 2, 300, 400
"""A position is split after this number of overdue questions in a row, if it has at least this
number of candidates and at most this number of classes of guesses."""

ROOM = 30_000_000
"""Limit on the candidates of the parts of all guesses of split positions, 4 bytes each."""

MOMENT = 0.0001
"""The least time that a question is counted with."""

SLOWER = 3.0
"""The next question about a position is expected to take this multiple of the time of the last."""

HOPE = 10.0
"""A split position is expected to gain 1 / HOPE of the possible in the time spent so far."""

FRESH = 50
"""The first question about a part of a guess: is its cost at most 1 / FRESH above its bound?"""


@dataclass(eq=False)
class Effort:
    """The time that questions about a position have taken, and the size of the next one."""

    entry: Entry
    """Its bounds, shared with equivalent positions."""
    is_part: bool = False
    """Whether it is a part of a guess at a position that was split."""
    wanted: int = INFINITE - 1
    """A cost above this is irrelevant: then the whole exceeds its budget."""
    seconds: float = 0.01
    """The duration of the last question."""
    caution: int = 2
    """The next question is about this fraction of what is possible: 1 / caution."""
    left: int = 0
    """The number of overdue questions in a row."""
    stays_whole: bool = False
    """Whether it can't be split."""
    is_split: bool = False
    spent: float = 0.0
    """The seconds spent on it since it was split."""
    rate: float | None = None
    """The recent gain of the bound of a split position per second."""

    @property
    def most(self) -> int:
        """The largest cost that is still in question."""
        upper = self.entry.bounds.upper
        return self.wanted if upper is None else min(upper - 1, self.wanted)

    @property
    def room(self) -> int:
        """The number of costs that are still in question."""
        return self.most + 1 - self.entry.bounds.lower

    @property
    def budget(self) -> int:
        """The lower fraction of what is possible; all of it while there is no upper bound."""
        if self.entry.bounds.upper is None and self.wanted == INFINITE - 1:
            return self.wanted
        return self.entry.bounds.lower + (self.room - 1) // self.caution

    @property
    def promise(self) -> float:
        """The expected gain per second of the next question or spell."""
        if self.is_split:
            return max(self.room / (HOPE * max(self.spent, 0.001)), self.rate or 0.0)
        return self.room / self.caution / (SLOWER * self.seconds)

    def asked(self, seconds: float, *, is_answered: bool) -> None:
        """Count a question: the next is larger if it was answered, smaller if abandoned."""
        if is_answered:
            self.seconds = seconds
            self.left = 0
            self.caution = max(self.caution // 2, 2)
        else:  # for a part the time of an answer is the better estimate
            self.seconds = 2 * self.seconds if self.is_part else seconds
            self.left += 1
            self.caution *= 2

    def worked(self, gain: int, seconds: float) -> None:
        """Count a spell by its gain and its duration."""
        rate = gain / max(seconds, 0.001)
        self.rate = rate if self.rate is None else (self.rate + rate) / 2
        self.spent += seconds


class Bounding:
    """Tightens the bounds of a tree's root, or of `option`, a guess there, until they meet.

    The cost is wanted if it is at most `budget`; otherwise a proof that it is more.  `progress` is
    called about ten times a second, with the bounds so far.
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
        self._search = search
        self._tree = tree
        self._progress = progress
        self._budget = budget
        self._is_limited = budget < INFINITE // 2
        self._given = option
        self._option = _only_option(tree) if option is None else option
        self._efforts: dict[Entry, Effort] = {}
        self._before = 0.0
        self._beam_seconds = 0.0
        self._started = search.clock()
        self._limit: float | None = None
        self._width = 1
        self._room = ROOM
        if search.proven is not None:
            search.proven.merge()
        leaves = [tree.root] if self._option is None else tree.parts(tree.root, self._option)
        self._leaves = {node.entry: node for node in leaves}
        for entry, node in self._leaves.items():
            entry.learn(search.recalled(node.position(tree.table)))
            self._efforts[entry] = Effort(entry)

    def bounds(self, time_limit: float | None = None) -> Bounds:
        """Tighten the bounds and return them; equal bounds are the value.

        After `time_limit` seconds, or on Ctrl-C, these are the bounds so far, from which another
        call continues.  Raises `HorizonError` if uncapped weights do not reach far enough.
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
        """Take over bounds of the root, or of the given guess."""
        (self._tree.root.entry if self._given is None else self._given).learn(found)

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
        """Give the bounds so far to the checkpoint."""
        if self._search.proven is not None:
            for entry, node in self._leaves.items():
                self._search.remember(node.position(self._tree.table), entry.bounds)
            self._search.proven.learn(self._bounds())

    def _open(self) -> list[TreeNode]:
        """Return the unsolved positions; their budgets follow from the bounds of the others."""
        bounds = self._bounds()
        if bounds.exact or bounds.lower > self._budget:
            return []
        if self._is_limited:
            total = self._tree.root.bounds.lower if self._option is None else self._option.total
            for entry in self._leaves:
                self._efforts[entry].wanted = self._budget - total + entry.bounds.lower
        return [node for entry, node in self._leaves.items() if self._efforts[entry].room > 0]

    def _promise(self, node: TreeNode) -> float:
        return self._efforts[node.entry].promise

    def _widen(self, leaves: list[TreeNode]) -> bool:
        """Try the next beam on all open positions; return False if it was interrupted."""
        began = self._elapsed()
        beam = self._search.beam(width=self._width)
        self._width *= WIDENING
        for node in leaves:
            found = self._value(beam, node, self._efforts[node.entry].most)
            node.entry.learn(Bounds(0, found.upper))
            self._search.interrupted |= beam.interrupted
            if beam.stopped:
                break
        self._beam_seconds += self._elapsed() - began
        return not beam.stopped

    def _raise(self, node: TreeNode) -> bool:
        """Tighten the bounds of a position; return False if interrupted."""
        return self._spell(node) if self._efforts[node.entry].is_split else self._ask(node)

    def _spell(self, node: TreeNode) -> bool:
        """Raise the weakest guesses of a split position for a while; as `_raise`."""
        effort = self._efforts[node.entry]
        before = node.bounds
        began = self._elapsed()
        until = began + max(SPELL * effort.spent, SHORTEST_SPELL)
        tried = self._search.tried
        going = True
        while going:
            option = self._tree.weakest(node)
            part = self._next_part(node, option, effort.most) if effort.room > 0 else None
            if part is None:
                break
            going = self._raise(part)
            if self._elapsed() >= until or self._is_over():
                break
        self._tree.weakest(node)
        if node.bounds != before:
            position = node.position(self._tree.table)
            self._search.remember(position, node.bounds, self._search.tried - tried)
        effort.worked(node.bounds.lower - before.lower, self._elapsed() - began)
        return going

    def _next_part(self, node: TreeNode, option: Option, most: int) -> TreeNode | None:
        """Return the part with the largest expected gain, if the guess is to cost `most`."""
        spare = most - option.total
        open_parts = []
        for part in self._tree.parts(node, option):
            effort = self._effort_of_part(part, spare)
            effort.wanted = part.bounds.lower + spare
            if effort.room > 0:
                open_parts.append(part)
        # The first of all equivalent positions is the one that is split.
        chosen = max(open_parts, key=self._promise, default=None)
        return None if chosen is None else chosen.entry.first

    def _effort_of_part(self, part: TreeNode, spare: int) -> Effort:
        """Return the effort of a part of a guess, whose first question is a small one."""
        if part.entry not in self._efforts:
            # A budget that nothing keeps within takes no search: what is returned is a quick bound.
            position = part.position(self._tree.table)
            part.entry.learn(self._search.value(position, budget=-1))
            part.entry.learn(self._search.recalled(position))
            caution = max(FRESH * spare // max(part.bounds.lower, 1), 2)
            self._efforts[part.entry] = Effort(part.entry, True, seconds=0.0005, caution=caution)
        return self._efforts[part.entry]

    def _ask(self, node: TreeNode) -> bool:
        """Ask whether the cost is in the lower fraction; return False if interrupted."""
        effort = self._efforts[node.entry]
        began = self._elapsed()
        patience = self._patience(effort)
        node.entry.learn(self._value(self._search, node, effort.budget, patience))
        seconds = max(self._elapsed() - began, MOMENT)
        if not self._search.stopped:
            effort.asked(seconds, is_answered=True)
        elif patience is not None and seconds >= patience:
            effort.asked(seconds, is_answered=False)
            if effort.left >= SPLIT_AFTER and not effort.stays_whole and self._may_split:
                self._split(node, effort)
        else:
            effort.seconds = seconds
        return not self._search.interrupted

    @property
    def _may_split(self) -> bool:
        """Whether bounds are the aim: the time is limited, the cost is not."""
        return self._limit is not None and not self._is_limited

    def _patience(self, effort: Effort) -> float | None:
        """Return the seconds that the next question about a position may take."""
        proven = self._search.proven
        may_split = self._may_split and not effort.stays_whole
        earlier = 0.0 if proven is None or may_split else proven.earlier_seconds
        share = max(PATIENCE * (earlier + self._elapsed()), SHORTEST)
        if effort.is_part:
            return min(max(OVERDUE * effort.seconds, SHORTEST_OF_PARTS), share)
        return None if effort.budget >= effort.most else share

    def _split(self, node: TreeNode, effort: Effort) -> None:
        """Split a large position into its guesses, unless they are too many."""
        guesses = [] if node.count < SPLIT_SIZE else self._tree.guesses(node)
        cost = len(guesses) * node.count
        if 0 < len(guesses) <= MOST_OPTIONS and cost <= self._room:
            self._tree.split(node, guesses)
            self._room -= cost
            effort.is_split = True
        else:
            effort.stays_whole = True

    def _is_over(self) -> bool:
        return self._limit is not None and self._elapsed() >= self._limit

    def _value(
        self, search: Search, node: TreeNode, budget: int, patience: float | None = None
    ) -> Bounds:
        left = None if self._limit is None else max(self._limit - self._elapsed(), 0.0)
        limits = [limit for limit in (left, patience) if limit is not None]
        return search.value(
            node.position(self._tree.table),
            budget=budget,
            progress=None if self._progress is None else self._report,
            time_limit=min(limits, default=None),
        )

    def _report(self, progress: Progress) -> None:
        """Report progress with the time of all questions and the bounds of the whole."""
        assert self._progress is not None
        lower, upper = self._bounds()
        self._progress(replace(progress, seconds=self._elapsed(), lower=lower, best=upper))

    def _elapsed(self) -> float:
        return self._before + self._search.clock() - self._started


def tree_of(search: Search, history: Sequence[Turn]) -> BoundedTree:
    """Return the bounded tree of the position after some turns, by number, for a search."""
    only = search.candidates_only
    return BoundedTree(search.table, search.weights, history, candidates_only=only)


def _only_option(tree: BoundedTree) -> Option | None:
    """Return the guess that represents all others at the start of a game, if there is one."""
    root = tree.root
    rules = tree.table.rules
    if rules is None or root.turns or root.count <= SETTLED:
        return None
    return tree.split(root)[0] if len(representatives(rules, ())) == 1 else None
