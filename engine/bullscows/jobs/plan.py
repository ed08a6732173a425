"""Which tasks a question needs next, and the answer made of their results.

A question that is too long for one task is split: over the guesses that symmetry leaves, and, for
the first of them and those that are too long in their turn, over the answers to each.  Tasks are
asked for with what the best guess known leaves them as budget, so the results are exact values
where they matter and proven bounds elsewhere, and `Plan.next_tasks` is the outer part of the same
branch and bound that `bullscows.search.solver` does inside a task.

The answer does not depend on the order in which results come, nor on what was split: of several
optimal guesses the tree takes the first candidate, else the first guess, as
`bullscows.search.solver` does for sets that are large enough to be split.
"""

from __future__ import annotations

from collections.abc import Iterator

from bullscows.game.cost import Bounds
from bullscows.game.history import Turns
from bullscows.game.objective import INFINITE
from bullscows.game.question import Question
from bullscows.game.rules import AnswerIndex, CodeIndex
from bullscows.jobs.places import Option, Place, candidates_of, least, place_of
from bullscows.jobs.store.tasks import FAILED, Task
from bullscows.kernels.thresholds import TIED_SIZE
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import StrategyTree

_FIRST_GUESSES = 1
"""Guesses looked at before any of them has a value: more would be guessing."""


_ENOUGH = 256
"""Tasks asked for at once: more would be asked with budgets that the first results make stale."""

_PARTS_AT_ONCE = 2
"""Parts of a guess asked for at once when a better guess is known: the largest ones are often
enough to leave it."""


class Plan:
    """The work on one question.

    Parameters
    ----------
    question
        What to solve.
    budget
        The value is wanted if it is at most this; else a proof that it is more.
    plies
        Turns to split before anything is tried; a task that turns out to be too long is split
        in any case.
    tree
        Is the whole tree wanted, or the value only?
    """

    def __init__(
        self,
        question: Question,
        *,
        budget: int = INFINITE - 1,
        plies: int = 1,
        tree: bool = False,
    ) -> None:
        self.question = question
        self.budget = budget
        self.root = place_of(question)
        self.value: Bounds | None = None
        """The answer, once there is one."""
        self.failures: list[Task] = []
        """Tasks without which there will be none."""
        self._plies = plies
        self._wants_tree = tree
        self._known: dict[str, Task] = {}
        self._asked: list[Task] = []
        self._strategy: dict[tuple[AnswerIndex, ...], CodeIndex] = {}

    def learn(self, task: Task) -> None:
        """Take note of a row of the store."""
        self._known[task.key] = task

    def next_tasks(self) -> list[Task]:
        """Return the tasks needed next, longest first; none when `value` or `failures` says all."""
        self._asked, self.failures = [], []
        found = self._settle(self.root, self.budget)
        if not self._asked and (found.exact or found.lower > self.budget):
            self.value = found
            if self._wants_tree and found.upper is not None and found.upper < INFINITE:
                self._strategy = {}
                self._follow(self.root, ())
        asked = {task.key: task for task in sorted(self._asked, key=lambda task: task.budget)}
        if asked:
            self.value = None
        return sorted(asked.values(), key=lambda task: -task.estimate)

    @property
    def is_split(self) -> bool:
        """Whether the question is for several tasks."""
        return self._is_split(self.root)

    @property
    def bounds(self) -> Bounds:
        """What is proven of the value so far."""
        return self._bounds(self.root)

    def grow(self) -> StrategyTree:
        """Return the optimal tree; it was asked for, and `value` is known."""
        rules = self.question.rules
        before = len(self.question.history)

        def choose(_: Candidates, path: Turns) -> CodeIndex:
            return self._strategy[tuple(answer for _, answer in path[before:])]

        candidates = candidates_of(self.question)
        return StrategyTree.grow(
            rules, choose, candidates=candidates, path=self.question.history.turns
        )

    # -- values --------------------------------------------------------------------------------

    def _settle(self, place: Place, limit: int) -> Bounds:
        """Return the value if it is at most `limit`, else a bound; ask for what is missing."""
        known = self._bounds(place)
        if known.exact or known.lower > limit:
            return known
        if self._is_split(place):
            return self._settle_options(place, limit, known)
        self._ask(place.key, place, limit)
        return known

    def _settle_options(self, place: Place, limit: int, known: Bounds) -> Bounds:
        """Branch over the guesses of a position that is split."""
        best: Option | None = None
        value = 0
        lower = INFINITE
        open_options = 0
        for option in place.options:
            cap = limit
            if best is not None:
                cap = min(limit, value if option.rank < best.rank else value - 1)
            if option.bound > cap or len(self._asked) >= _ENOUGH:
                found = Bounds(option.bound)
            elif best is None:
                found = self._settle_parts(place, option, cap, len(option.parts))
            else:
                found = self._settle_option(place, option, cap)
            if found.exact and found.lower <= cap:
                best, value = option, found.lower
            elif not found.exact and found.lower <= cap:
                open_options += 1
            lower = min(lower, found.lower)
            if best is None and open_options >= _FIRST_GUESSES:
                lower = min([lower, *(later.bound for later in place.options)])
                break
        upper = value if best is not None else known.upper
        if best is not None and not open_options:
            lower, place.best = value, best
        if best is None and not open_options and lower >= INFINITE:
            upper = INFINITE
        place.bounds = Bounds(max(known.lower, lower), upper)
        return place.bounds

    def _settle_option(self, place: Place, option: Option, cap: int) -> Bounds:
        """Compare a guess with the best one known: by one task, else by tasks of its parts."""
        key = place.question.trying(option.guess).key
        task = self._known.get(key)
        lower = option.bound if task is None else max(option.bound, task.lower)
        if task is not None and task.exact:
            return task.bounds
        if lower > cap:
            return Bounds(lower)
        if task is not None and task.sliced:
            found = self._settle_parts(place, option, cap, _PARTS_AT_ONCE)
            return Bounds(max(lower, found.lower), found.upper)
        self._ask(key, place, cap, first=option.guess)
        return Bounds(lower)

    def _settle_parts(self, place: Place, option: Option, cap: int, at_once: int) -> Bounds:
        """Add up the parts of a guess, as far as they stay below `cap`, `at_once` open ones."""
        parts = [place.then(option, answer, count) for answer, count in option.parts]
        known = [self._bounds(part) for part in parts]
        total = option.won + sum(bounds.lower for bounds in known)
        asked = len(self._asked)
        complete = True
        for part, before in zip(parts, known, strict=True):
            if total > cap or at_once == 0:
                break
            after = before
            if not before.exact:
                after = self._settle(part, cap - (total - before.lower))
            total += after.lower - before.lower
            complete = complete and after.exact
            at_once -= not after.exact
        total = min(total, INFINITE)
        if total > cap:
            del self._asked[asked:]
            return Bounds(total)
        return Bounds(total, total if complete else None)

    def _bounds(self, place: Place) -> Bounds:
        """Return what is known without asking."""
        lower = least(place.question, place.count, place.fan_out)
        if place.count <= 2:
            return Bounds(lower, lower)
        bounds = Bounds(lower)
        task = self._known.get(place.key)
        if task is not None:
            bounds = bounds.tightened(task.bounds)
        return bounds if place.bounds is None else bounds.tightened(place.bounds)

    def _is_split(self, place: Place) -> bool:
        """Return whether a position is for several tasks; in small ones ties are for the search."""
        if place.count <= TIED_SIZE:
            return False
        if len(place.question.history) < len(self.question.history) + self._plies:
            return True
        tasks = (self._known.get(place.key), self._known.get(place.question.tree_key))
        return any(task is not None and task.sliced for task in tasks)

    def _ask(self, key: str, place: Place, budget: int, *, first: CodeIndex | None = None) -> None:
        task = self._known.get(key)
        if task is not None and task.state == FAILED:
            self.failures.append(task)
            return
        question = place.question if first is None else place.question.trying(first)
        self._asked.append(Task(key, str(question), budget, place.count))

    # -- trees ---------------------------------------------------------------------------------

    def _follow(self, place: Place, answers: tuple[AnswerIndex, ...]) -> None:
        """Note the guesses from a solved position on; ask for the trees that are missing."""
        if place.count <= 2:
            self._note(place, answers, _in_order(place))
            return
        for key in (place.key, place.question.tree_key):
            task = self._known.get(key)
            if task is not None and task.guesses and task.question == str(place.question):
                self._note(place, answers, map(int, task.guesses.split()))
                return
        value = self._bounds(place).lower
        if not self._is_split(place):
            self._ask(place.question.tree_key, place, value)
            return
        asked = len(self._asked)
        self._settle_options(place, value, Bounds(value))
        if place.best is None:
            return
        self._settle_parts(place, place.best, value, len(place.best.parts))
        if len(self._asked) > asked:
            return
        self._strategy[answers] = place.best.guess
        for answer, count in place.best.parts:
            self._follow(place.then(place.best, answer, count), (*answers, answer))

    def _note(
        self, place: Place, answers: tuple[AnswerIndex, ...], guesses: Iterator[CodeIndex]
    ) -> None:
        candidates = candidates_of(place.question)
        tree = StrategyTree.grow(
            place.question.rules, lambda _, __: next(guesses), candidates=candidates
        )
        for node in tree.nodes:
            path = tuple(answer for _, answer in tree.path(node))
            self._strategy[answers + path] = node.guess


def _in_order(place: Place) -> Iterator[CodeIndex]:
    """Yield the candidates of a position of one or two, each a guess."""
    yield from candidates_of(place.question)
