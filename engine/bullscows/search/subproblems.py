"""Which questions to ask about a bounded tree, so that its bounds soon meet.

Upper bounds: a *beam*, a search that tries only the most promising guesses of each position, finds
a strategy.  Beams are widened whenever they have taken a small share of the time so far.

Lower bounds: the exact search is asked again and again whether the cost is in the lower half of
what is still possible, or in a smaller fraction if that took too long: a small budget fails most
guesses early.  If only one guess is possible, its parts are bounded one by one, always the part
with the largest expected gain per second.

A position about which questions take too long may be split into its guesses, and so may their parts
in turn.  That tightens the bounds sooner, and gives several machines something to do.  To find a
value on one machine, whole questions take less time.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bullscows.game.objective import INFINITE, Bounds
from bullscows.game.rules import Turn
from bullscows.game.symmetry import representatives
from bullscows.kernels.compiling.jit import Numbers
from bullscows.search.bounded_tree import SETTLED, BoundedTree, Entry, Option, TreeNode
from bullscows.search.position_search import Search

BEAM_SHARE = 0.1
"""The next beam begins when beams have taken at most this share of the time."""

WIDENING = 4
"""Each beam is wider than the one before by this factor."""

PATIENCE, SHORTEST = 0.25, 1.0
"""A question is abandoned for a smaller one after this share of the time so far, and these seconds
at least.  The time of earlier runs counts only for positions that are not to be split."""

OVERDUE, SHORTEST_OF_PARTS = 12.0, 0.2
"""A question about a part is abandoned after this multiple of the time of the last result, and
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


class Subproblem(NamedTuple):
    """The question whether a position costs at most `budget`."""

    node: TreeNode
    budget: int
    width: int = 0
    """The width of the beam to be asked; 0: the exact search."""
    patience: float | None = None
    """The seconds after which the question is abandoned; None: no limit."""
    within: tuple[TreeNode, ...] = ()
    """The split positions whose bounds it is to raise, each a part of a guess at the one before."""


class SubproblemResult(NamedTuple):
    """What the search of a subproblem has proved."""

    bounds: Bounds
    seconds: float
    is_abandoned: bool
    """Whether it took too long, so that the bounds are those proved by then."""
    tried: int
    """The number of guesses tried."""
    guess: int | None = None
    """The guess, by number, that attains the upper bound, if it is known."""
    nodes: int = 0
    """The number of nodes that a worker of a cluster has searched."""
    rows: Numbers | None = None
    """What it has proved of other positions meanwhile."""


@dataclass
class Spell:
    """A time for which a split position is worked on before another is considered."""

    began: float
    until: float
    before: Bounds
    """The bounds at its beginning."""
    tried: int = 0
    """The number of guesses tried since then."""


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
    spell: Spell | None = None
    """The present spell of work on a split position."""

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
        else:  # for a part the time of a result is the better estimate
            self.seconds = 2 * self.seconds if self.is_part else seconds
            self.left += 1
            self.caution *= 2


class Bounding:
    """Chooses the questions about a tree's root, or about `option`, a guess there.

    The cost is wanted if it is at most `budget`; otherwise a proof that it is more.  `may_split`
    says whether positions may be split into their guesses.  `is_remote` says whether questions go
    to other machines: then they are larger, and none may take any time that it likes.
    """

    def __init__(
        self,
        search: Search,
        tree: BoundedTree,
        *,
        option: Option | None = None,
        budget: int = INFINITE - 1,
        may_split: bool = False,
        is_remote: bool = False,
    ) -> None:
        self._search = search
        self._tree = tree
        self._budget = budget
        self._is_limited = budget < INFINITE // 2
        self._may_split = may_split
        self._is_remote = is_remote
        self._given = option
        self._option = _only_option(tree) if option is None else option
        self._efforts: dict[Entry, Effort] = {}
        self._asked: set[tuple[Entry, int]] = set()
        self._beams: list[Subproblem] = []
        self._width = 1
        self._beam_seconds = 0.0
        self._seconds = 0.0
        self._started = time.monotonic()
        self._room = ROOM
        if search.proven is not None:
            search.proven.merge()
        leaves = [tree.root] if self._option is None else tree.parts(tree.root, self._option)
        self._leaves = {node.entry: node for node in leaves}
        for entry, node in self._leaves.items():
            entry.learn(search.recalled(node.position(tree.table)))
            self._efforts[entry] = Effort(entry)

    def bounds(self) -> Bounds:
        """Return the bounds proved so far; equal bounds are the value."""
        return self._tree.bounds() if self._given is None else self._given.bounds

    def start_from(self, bounds: Bounds) -> None:
        """Take over bounds of the root, or of the given guess."""
        (self._tree.root.entry if self._given is None else self._given).learn(bounds)

    # -- questions -----------------------------------------------------------------------------

    def next_questions(self, count: int) -> list[Subproblem]:
        """Return up to `count` questions that are not asked yet, most promising first.

        None if the bounds meet or exceed the budget, or if only their results can say what to ask
        next.
        """
        questions: list[Subproblem] = []
        while len(questions) < count and (question := self._next_question()) is not None:
            self._asked.add((question.node.entry, question.width))
            questions.append(question)
        return questions

    def _next_question(self) -> Subproblem | None:
        while leaves := self._open():
            is_cheap = self._beam_seconds <= BEAM_SHARE * self._seconds
            is_wide = self._width > self._search.table.size
            is_asked = any(width for _, width in self._asked)
            if is_cheap and not (self._beams or is_wide or is_asked or self._is_limited):
                for node in leaves:
                    most = self._efforts[node.entry].most
                    self._beams.append(Subproblem(node, most, self._width))
                self._width *= WIDENING
            if self._beams:
                return self._beams.pop(0)
            question = self._most_promising(leaves, ())
            if question is not None or self._asked:
                return question
            # Otherwise the bounds of a split position became tighter as it was looked at.
        return None

    def _open(self) -> list[TreeNode]:
        """Return the unsolved positions; their budgets follow from the bounds of the others."""
        bounds = self.bounds()
        if bounds.exact or bounds.lower > self._budget:
            return []
        if self._is_limited:
            total = self._tree.root.bounds.lower if self._option is None else self._option.total
            for entry in self._leaves:
                self._efforts[entry].wanted = self._budget - total + entry.bounds.lower
        return [node for entry, node in self._leaves.items() if self._efforts[entry].room > 0]

    def _most_promising(
        self, nodes: Sequence[TreeNode], within: tuple[TreeNode, ...]
    ) -> Subproblem | None:
        """Return the question with the largest expected gain that is not asked yet."""
        for node in sorted(nodes, key=self._promise, reverse=True):
            question = self._about(node, within)
            if question is not None:
                return question
        return None

    def _promise(self, node: TreeNode) -> float:
        effort = self._efforts[node.entry]
        return INFINITE if effort.spell is not None else effort.promise

    def _about(self, node: TreeNode, within: tuple[TreeNode, ...]) -> Subproblem | None:
        """Return the next question about a position, of its weakest guess if it is split."""
        effort = self._efforts[node.entry]
        if not effort.is_split:
            if (node.entry, 0) in self._asked:
                return None
            return Subproblem(node, effort.budget, 0, self._patience(effort), within)
        if effort.spell is None:
            now = self.elapsed
            until = now + max(SPELL * effort.spent, SHORTEST_SPELL)
            effort.spell = Spell(now, until, node.bounds)
        self._tree.gather(node)
        for option in sorted(self._tree.split(node), key=lambda option: option.bounds.lower):
            if effort.room <= 0 or option.bounds.lower > effort.most:
                break
            parts = self._open_parts(node, option, effort.most)
            question = self._most_promising(parts, (*within, node))
            if question is not None:
                return question
        return None

    def _open_parts(self, node: TreeNode, option: Option, most: int) -> list[TreeNode]:
        """Return the parts that are of interest if the guess is to cost `most`."""
        spare = most - option.total
        open_parts = []
        for part in self._tree.parts(node, option):
            effort = self._effort_of_part(part, spare)
            effort.wanted = part.bounds.lower + spare
            if effort.room > 0:
                # The first of all equivalent positions is the one that is split.
                open_parts.append(part.entry.first or part)
        return open_parts

    def _effort_of_part(self, part: TreeNode, spare: int) -> Effort:
        """Return the effort of a part of a guess, whose first question is a small one."""
        if part.entry not in self._efforts:
            # A budget that nothing keeps within takes no search: what is returned is a quick bound.
            position = part.position(self._tree.table)
            part.entry.learn(self._search.value(position, budget=-1))
            part.entry.learn(self._search.recalled(position))
            caution = 2 if self._is_remote else FRESH * spare // max(part.bounds.lower, 1)
            effort = Effort(part.entry, True, seconds=0.0005, caution=max(caution, 2))
            self._efforts[part.entry] = effort
        return self._efforts[part.entry]

    def _patience(self, effort: Effort) -> float | None:
        """Return the seconds that the next question about a position may take."""
        proven = self._search.proven
        is_whole = not self._may_split or effort.stays_whole
        earlier = 0.0 if proven is None or not is_whole else proven.earlier_seconds
        share = max(PATIENCE * (earlier + self.elapsed), SHORTEST)
        if effort.is_part:
            return min(max(OVERDUE * effort.seconds, SHORTEST_OF_PARTS), share)
        return None if effort.budget >= effort.most and not self._is_remote else share

    @property
    def elapsed(self) -> float:
        """The seconds since the first question could be asked."""
        return time.monotonic() - self._started

    # -- results -------------------------------------------------------------------------------

    def learn(self, question: Subproblem, result: SubproblemResult) -> None:
        """Take over the result of a question."""
        self._asked.discard((question.node.entry, question.width))
        self._seconds += result.seconds
        whole = question.within[0] if question.within else question.node
        before = whole.bounds
        if question.width:
            self._beam_seconds += result.seconds
            question.node.entry.learn(Bounds(0, result.bounds.upper))
        else:
            question.node.entry.learn(result.bounds)
            self._count(question, result)
        for node in reversed(question.within):
            self._tree.gather(node)
            effort = self._efforts[node.entry]
            if effort.spell is not None:
                effort.spell.tried += result.tried
                if self.elapsed >= effort.spell.until or effort.room <= 0:
                    self._end_spell(node, effort, effort.spell)
        if self._search.proven is not None:
            table = self._tree.table
            bounds = self.bounds()  # before the root is asked for its best guess
            if whole.bounds != before:
                guess = self._guess(whole, question, result)
                self._search.remember(whole.position(table), whole.bounds, guess=guess)
            first = self._guess(self._tree.root, question, result)
            if self._given is not None:
                first = table.number(self._given.guess)
            self._search.proven.learn(bounds, None if first is None else table.code(first))

    def _guess(self, node: TreeNode, question: Subproblem, result: SubproblemResult) -> int | None:
        """Return the guess, by number, that attains the upper bound of a position, if known."""
        if node is question.node and node.bounds.upper == result.bounds.upper:
            return result.guess
        return self._tree.best_guess(node)

    def _count(self, question: Subproblem, result: SubproblemResult) -> None:
        """Count the time of a question; split a position about which questions take too long."""
        effort = self._efforts[question.node.entry]
        seconds = max(result.seconds, MOMENT)
        if not result.is_abandoned:
            effort.asked(seconds, is_answered=True)
        elif question.patience is not None and seconds >= question.patience:
            effort.asked(seconds, is_answered=False)
            if effort.left >= SPLIT_AFTER and self._may_split:
                self._split(question.node, effort)
        else:
            effort.seconds = seconds

    def _end_spell(self, node: TreeNode, effort: Effort, spell: Spell) -> None:
        effort.spell = None
        seconds = self.elapsed - spell.began
        rate = (node.bounds.lower - spell.before.lower) / max(seconds, 0.001)
        effort.rate = rate if effort.rate is None else (effort.rate + rate) / 2
        effort.spent += seconds
        if node.bounds != spell.before:
            position = node.position(self._tree.table)
            guess = self._tree.best_guess(node)
            self._search.remember(position, node.bounds, spell.tried, guess)

    def end(self) -> None:
        """End all spells, so that the checkpoint has the bounds of split positions."""
        for entry, effort in self._efforts.items():
            if effort.spell is not None and entry.first is not None:
                self._end_spell(entry.first, effort, effort.spell)

    def _split(self, node: TreeNode, effort: Effort) -> None:
        """Split a large position into its guesses, unless they are too many."""
        if effort.is_split or effort.stays_whole:
            return
        guesses = [] if node.count < SPLIT_SIZE else self._tree.guesses(node)
        cost = len(guesses) * node.count
        if 0 < len(guesses) <= MOST_OPTIONS and cost <= self._room:
            self._tree.split(node, guesses)
            self._room -= cost
            effort.is_split = True
        else:
            effort.stays_whole = True


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
