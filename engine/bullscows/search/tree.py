"""One bounded tree of positions above the kernel: what is proved of each, and what to ask next.

A position costs as much as its cheapest guess, and a guess as much as its parts together.  So the
bounds of parts add up to bounds of a guess, and the least of these bounds the position
(docs/proof.md, "Bounds from both sides").  A position is split into its guesses when a question
about it takes too long.  Equivalent positions share what is proved of them.

The questions are asked by drivers: threads with one transposition table
(`bullscows.search.bounding`), processes with a store (`bullscows.jobs.plan`), random draws
(`bullscows.jobs.estimate`).  Nothing here needs the compiled search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from math import log2
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bullscows.game.canonical import canonical_form
from bullscows.game.cost import Bounds
from bullscows.game.history import History, Turn, Turns
from bullscows.game.objective import INFINITE, Weights
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import AnswerIndex, CodeIndex
from bullscows.game.symmetry import IndexArray, representatives
from bullscows.kernels.bounds import cheapest
from bullscows.kernels.thresholds import TIED_SIZE
from bullscows.search.position import Position

ENOUGH = 256
"""Questions asked at once: more would be asked with budgets that the first answers make stale."""

PARTS_AT_ONCE = 2
"""Parts of a guess asked for at once when a better guess is known: the largest ones are often
enough to leave it."""

EXCHANGED = 5
"""Guesses are also equal if exchanging turns with the same answer makes them so; in histories of
more turns than this that is left out, for all orders of the turns are gone through."""

SETTLED = 2
"""Positions of up to this number of candidates need no question: their size gives their cost."""

Key: TypeAlias = Callable[[Turns, CodeIndex | None], str]
"""Names the position after some turns, or the only guess considered there, so that two things with
one name cost the same."""


@dataclass(eq=False)
class Known:
    """What is proved of all positions with one key."""

    bounds: Bounds = field(default_factory=Bounds)
    is_long: bool = False
    """Has a question about it ended with its time?"""
    first: Place | None = None
    """The first of these positions that was looked at."""
    options: list[Option] = field(default_factory=list)
    """The guesses of which it is a part, each as often as it is one."""

    def learn(self, found: Bounds) -> None:
        """Take bounds over where they are better."""
        before, self.bounds = self.bounds, self.bounds.tightened(found)
        if self.bounds != before:
            for option in self.options:
                option.count(before, self.bounds)


@dataclass(eq=False)
class Place:
    """A position of the tree."""

    turns: Turns
    """The guesses and answers that lead to it, by number."""
    key: str
    members: IndexArray
    """(n,) int32, ascending: the candidates, as the table numbers them."""
    fan_out: int
    """No guess splits any of its subsets into more parts, its own win left out."""
    known: Known
    fan_out_below: int = 0
    """The same of the positions after its guesses, once it is split."""
    options: list[Option] | None = None
    """The guesses worth a try, most promising first, once it is split."""
    best: Option | None = None
    """The first guess in the order of ties that attains the value, once `BoundedTree.edge` or
    `BoundedTree.next_questions` has found it."""

    @property
    def count(self) -> int:
        """The number of candidates."""
        return len(self.members)

    @property
    def turn(self) -> int:
        """The number of the next guess."""
        return len(self.turns) + 1

    @property
    def bounds(self) -> Bounds:
        """What is proved of its cost."""
        return self.known.bounds

    def position(self, table: ResponseTable) -> Position:
        """Return it as the search takes it."""
        guesses = tuple(table.number(guess) for guess, _ in self.turns)
        return Position(tuple(self.members.tolist()), self.turn, guesses)


_Sizes: TypeAlias = NDArray[np.intp]


class Part(NamedTuple):
    """The candidates that give one answer to a guess, the win left out."""

    answer: AnswerIndex
    size: int
    least: int
    """Lower bound of their cost by their number alone; the cost of one or two."""


@dataclass(eq=False)
class Option:
    """A guess at a position that is split."""

    guess: CodeIndex
    rank: tuple[bool, CodeIndex]
    """The order of ties: candidates first, then by number."""
    won: int
    """The cost of the secret that the guess finds, 0 if it is no candidate."""
    parts: list[Part]
    """The other answers, those of most candidates first."""
    places: dict[AnswerIndex, Place] = field(default_factory=dict)
    """The positions after these answers that were looked at."""

    def __post_init__(self) -> None:
        settled = [part.least for part in self.parts if part.size <= SETTLED]
        self.least = min(self.won + sum(part.least for part in self.parts), INFINITE)
        """Lower bound of its cost by the sizes of its parts alone."""
        self.total = self.won + sum(part.least for part in self.parts)
        """The sum of the lower bounds of its parts."""
        self._upper = self.won + sum(settled)
        self._open = len(self.parts) - len(settled)
        self.bounds = Bounds()
        """What is proved of the strategies that begin with it."""
        self._add_up()

    def count(self, before: Bounds, after: Bounds) -> None:
        """Take note that more is proved of a part."""
        self.total += after.lower - before.lower
        if after.upper is not None:
            self._open -= before.upper is None
            self._upper += after.upper - (before.upper or 0)
        self._add_up()

    def learn(self, found: Bounds) -> None:
        """Take over what is proved of the guess itself."""
        self.bounds = self.bounds.tightened(found)

    def _add_up(self) -> None:
        lower = min(self.total, INFINITE)
        self.learn(Bounds(lower, None if self._open or lower >= INFINITE else self._upper))


class Asked(NamedTuple):
    """A question: whether the cost of a position, or of one guess there, is at most this."""

    place: Place
    budget: int
    guess: CodeIndex | None = None


class BoundedTree:
    """What is proved of a position and of those after it.

    Parameters
    ----------
    table, weights
        The game and the cost of each turn.
    history
        The turns to the position.
    candidates_only
        Must each guess be a candidate?
    plies
        Turns to split before anything is asked.
    key
        Names positions; by default the text of their canonical form does.

    Raises
    ------
    HistoryError
        If a guess or an answer does not exist.
    InconsistentError
        If no code fits all answers.
    """

    def __init__(
        self,
        table: ResponseTable,
        weights: Weights,
        history: Sequence[Turn] = (),
        *,
        candidates_only: bool = False,
        plies: int = 0,
        key: Key | None = None,
    ) -> None:
        self.table, self.weights = table, weights
        self.candidates_only = candidates_only
        # No bound method, or the tree and its table would only go with the next garbage collection.
        self.key = partial(_canonical, table) if key is None else key
        self._known: dict[str, Known] = {}
        self._least = cache(partial(_least_cost, weights))
        self._plies = len(history) + plies
        self._asked: list[Asked] = []
        members = np.array(Position.after(table, history).candidates, dtype=np.int32)
        self.root = self._place(tuple(history), members, table.answers - 1)

    def __del__(self) -> None:
        """Free the candidates of all positions at once, though these refer to each other."""
        for known in self._known.values():
            known.first = None
            known.options.clear()

    # -- positions -----------------------------------------------------------------------------

    def _place(self, turns: Turns, members: IndexArray, fan_out: int) -> Place:
        key = self.key(turns, None)
        known = self._known.setdefault(key, Known())
        place = Place(turns, key, members, fan_out, known, fan_out)
        known.first = known.first or place
        known.learn(self._by_size(place.count, self.least(place)))
        return place

    def least(self, place: Place) -> int:
        """Return a lower bound of a position's cost by its size; the cost of one or two codes."""
        return self._least(place.count, place.turn, place.fan_out)

    def _by_size(self, count: int, least: int) -> Bounds:
        return Bounds(least, least if count <= SETTLED and least < INFINITE else None)

    def after(self, place: Place, option: Option, answer: AnswerIndex) -> Place:
        """Return the position after a guess and its answer."""
        if answer not in option.places:
            answers = self.table.responses[place.members, self.table.number(option.guess)]
            turns = (*place.turns, (option.guess, answer))
            part = self._place(turns, place.members[answers == answer], place.fan_out_below)
            option.places[answer] = part
            least = next(one.least for one in option.parts if one.answer == answer)
            option.count(self._by_size(part.count, least), part.bounds)
            part.known.options.append(option)
        return option.places[answer]

    def parts(self, place: Place, option: Option) -> list[Place]:
        """Return the positions after a guess about which something may be asked."""
        open_parts = [part.answer for part in option.parts if part.size > SETTLED]
        return [self.after(place, option, answer) for answer in open_parts]

    def guesses(self, place: Place) -> list[CodeIndex]:
        """Return a guess of each class that the turns to a position leave equal."""
        rules = self.table.rules
        if rules is None:
            return list(range(self.table.size))
        turns = History(rules, place.turns)
        answers = [answer for _, answer in turns] if len(turns) <= EXCHANGED else None
        return [int(guess) for guess in representatives(rules, turns.guesses, answers=answers)]

    def split(self, place: Place, guesses: Sequence[CodeIndex] | None = None) -> list[Option]:
        """Split a position into the guesses that tell something apart; return them.

        First come those with the least bound, then those that split most finely.  No guess splits
        a subset into more parts than the set, so the most parts that any guess makes here, its own
        win left out, cap the fan-out below (docs/proof.md, "Fan-out").

        Parameters
        ----------
        place
            The position; one that is split stays as it is.
        guesses
            What `guesses` returned for it; None: not asked yet.
        """
        if place.options is None:
            sizes = self._sizes(place, self.guesses(place) if guesses is None else guesses)
            win = self.table.win
            most = max(np.count_nonzero(row) - (row[win] > 0) for row in sizes.values())
            place.fan_out_below = min(place.fan_out, int(most))
            options = [
                self._option(place, guess, row)
                for guess, row in sizes.items()
                if row.max() < place.count and (row[win] or not self.candidates_only)
            ]
            place.options = sorted(options, key=_order)
        return place.options

    def option(self, place: Place, guess: CodeIndex) -> Option:
        """Return any guess at a position, with bounds of the strategies that begin with it.

        It is none of those into which the position may be split, so that the bounds of the position
        do not depend on it; but it shares what is proved of its parts.
        """
        return self._option(place, guess, self._sizes(place, [guess])[guess])

    def _sizes(self, place: Place, guesses: Sequence[CodeIndex]) -> dict[CodeIndex, _Sizes]:
        """Count the candidates that give each answer, (answers,) int64, for some guesses."""
        table, members = self.table, place.members
        return {
            guess: np.bincount(
                table.responses[members, table.number(guess)], minlength=table.answers
            )
            for guess in guesses
        }

    def _option(self, place: Place, guess: CodeIndex, sizes: _Sizes) -> Option:
        win, turn, fan_out = self.table.win, place.turn, place.fan_out_below
        won = self._least(1, turn, fan_out) if sizes[win] else 0
        parts = [
            Part(answer, count, self._least(count, turn + 1, fan_out))
            for answer, count in enumerate(sizes.tolist())
            if count and answer != win
        ]
        parts.sort(key=lambda part: (-part.size, part.answer))
        return Option(guess, (not sizes[win], guess), won, parts)

    # -- what is proved ------------------------------------------------------------------------

    def learn(self, key: str, found: Bounds, *, is_long: bool = False) -> None:
        """Take over what is proved of a position, or of a guess, by its key.

        `is_long` says that a question about it ended with its time.
        """
        known = self._known.setdefault(key, Known())
        known.learn(found)
        known.is_long = known.is_long or is_long

    def bounds(self) -> Bounds:
        """Return what is proved of the root, by itself and by its guesses."""
        self._gather(self.root)
        return self.root.bounds

    def weakest(self, place: Place) -> Option:
        """Take over what is proved of the guesses; return the one whose lower bound is least."""
        self._gather(place)
        return min(self.split(place), key=_lower)

    def _gather(self, place: Place) -> None:
        """Bound a position that is split by its guesses."""
        if place.options:
            uppers = [one.bounds.upper for one in place.options if one.bounds.upper is not None]
            lower = min(map(_lower, place.options))
            place.known.learn(Bounds(lower, min(uppers, default=None)))

    # -- the questions of a proof --------------------------------------------------------------

    def next_questions(self, budget: int = INFINITE - 1) -> list[Asked]:
        """Return what the proof needs next, largest positions first; nothing at its end.

        It is to be proved that the root costs at most `budget`, and how much, or that it costs
        more.  First the value of the most promising guess is asked for, then of each other guess
        whether it costs less: the outer part of the branch and bound that the search does inside a
        question.  So answers are exact values where they matter, and bounds elsewhere.
        """
        self._asked = []
        self._settle(self.root, budget)
        return self._questions()

    def _questions(self) -> list[Asked]:
        """Return what was asked, each question once, with its largest budget."""
        smallest_first = sorted(self._asked, key=lambda asked: asked.budget)
        unique = {(asked.place.key, asked.guess): asked for asked in smallest_first}
        return sorted(unique.values(), key=lambda asked: -asked.place.count)

    def is_split(self, place: Place) -> bool:
        """Return whether a position is for several questions.

        Small ones are not: among their optimal guesses the search chooses by more than the order
        (`bullscows.kernels.ties`).
        """
        if place.count <= TIED_SIZE:
            return False
        return len(place.turns) < self._plies or place.known.is_long

    def _settle(self, place: Place, limit: int) -> None:
        """Find the value of a position if it is at most `limit`; ask for what is missing."""
        if place.bounds.exact or place.bounds.lower > limit:
            return
        if self.is_split(place):
            self._settle_options(place, limit)
        else:
            self._asked.append(Asked(place, limit))

    def _settle_options(self, place: Place, limit: int) -> None:
        """Branch over the guesses of a position that is split."""
        best: Option | None = None
        value, is_open = 0, False
        for option in self.split(place):
            cap = limit
            if best is not None:
                cap = min(limit, value if option.rank < best.rank else value - 1)
            if option.bounds.lower <= cap and len(self._asked) < ENOUGH:
                if best is None:
                    self._settle_parts(place, option, cap, len(option.parts))
                else:
                    self._settle_option(place, option, cap)
            if option.bounds.lower <= cap:
                if option.bounds.exact:
                    best, value = option, option.bounds.lower
                else:
                    is_open = True
                    if best is None:  # to look at more guesses before one has a value is guessing
                        break
        place.best = None if is_open else best
        self._gather(place)

    def _settle_option(self, place: Place, option: Option, cap: int) -> None:
        """Compare a guess with the best one known: by one question, else by its parts."""
        known = self._known.setdefault(self.key(place.turns, option.guess), Known())
        option.learn(known.bounds)
        if option.bounds.exact or option.bounds.lower > cap:
            return
        if known.is_long:
            self._settle_parts(place, option, cap, PARTS_AT_ONCE)
        else:
            self._asked.append(Asked(place, cap, option.guess))

    def _settle_parts(self, place: Place, option: Option, cap: int, at_once: int) -> None:
        """Find the values of the parts, `at_once` of them, unless their sum exceeds `cap`."""
        asked = len(self._asked)
        for part in option.parts:
            if part.size <= SETTLED or option.bounds.lower > cap or at_once == 0:
                break
            below = self.after(place, option, part.answer)
            if not below.bounds.exact:
                self._settle(below, cap - option.total + below.bounds.lower)
                at_once -= not below.bounds.exact
        if option.bounds.lower > cap:
            del self._asked[asked:]

    def limits(
        self, place: Place, option: Option, cap: int, value: Callable[[Place, int], int]
    ) -> Iterator[tuple[Place, int]]:
        """Yield the parts of a guess that a search looks at, smallest first, each with its limit.

        A part may cost what the values of those before it and the bounds by size of those after it
        leave of `cap`.

        Parameters
        ----------
        place, option
            A position that is split, and one of its guesses.
        cap
            The largest cost at which the guess is of interest.
        value
            Returns the value of a part if it is at most its limit, else a bound above that.
        """
        total = option.least
        for answer, size, least in reversed(option.parts):
            if total > cap:
                return
            if size > SETTLED:
                part, limit = self.after(place, option, answer), cap - total + least
                yield part, limit
                total += value(part, limit) - least

    # -- strategies ----------------------------------------------------------------------------

    def edge(self, is_end: Callable[[Place], bool]) -> tuple[list[Place], list[Asked]]:
        """Return where the optimal strategy leaves the tree, and what is still to be asked.

        The value of the root is proved.  The places follow each other breadth first, and their own
        optimal trees make up the rest; what is settled by its size is left out.  Questions are left
        if a value was learnt of an equivalent position: which guess attains it is not known then.

        Parameters
        ----------
        is_end
            Returns whether the tree need not be followed beyond a position that is split.
        """
        self._asked = []
        places, queue = [], [self.root]
        for place in queue:
            if place.count > SETTLED and (is_end(place) or not self.is_split(place)):
                places.append(place)
            elif place.count > SETTLED:
                self._settle_options(place, place.bounds.lower)
                if place.best is not None:
                    self._settle_parts(place, place.best, place.bounds.lower, len(place.best.parts))
                    parts = self.parts(place, place.best)
                    queue += [part for part in parts if part.bounds.exact]
        return places, self._questions()


def _lower(option: Option) -> int:
    return option.bounds.lower


def _order(option: Option) -> tuple[int, float, tuple[bool, CodeIndex]]:
    disorder = sum(part.size * log2(part.size) for part in option.parts)
    return option.least, disorder, option.rank


def _canonical(table: ResponseTable, turns: Turns, guess: CodeIndex | None) -> str:
    if table.rules is None or guess is not None:
        return f"{turns} {guess}"
    return str(canonical_form(History(table.rules, turns)).history)


def _least_cost(weights: Weights, count: int, turn: int, fan_out: int) -> int:
    if weights.capped and turn + min(count, SETTLED) - 1 > weights.turns:
        return INFINITE
    return min(cheapest(count, weights.values, fan_out, turn), INFINITE)
