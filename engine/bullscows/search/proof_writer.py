"""Write a proof that no strategy takes fewer turns, for `bullscows.tree.proof_checker`.

Lemmas are written for the positions that the checker cannot bound by itself.  Sets are proved from
the largest to the smallest, so the bound that a lemma needs is final when its turn comes: the
largest of those that lemmas about larger sets have requested.
The exact search says how much each part of a guess costs, and the checker how many guesses are open
below a bound; a lemma with few open guesses is preferred.  The checker decides whether the file is
right.
"""

from __future__ import annotations

import heapq
import json
import lzma
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from itertools import pairwise, permutations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullscows.game.objective import INFINITE, ObjectiveError
from bullscows.game.question import Question
from bullscows.game.response_table import ResponseTable
from bullscows.kernels.pruning import SHARED_SIZE
from bullscows.search.position import Position
from bullscows.search.position_search import Search
from bullscows.search.proof_kernels import guess_bounds
from bullscows.tree.proof_checker import FORMAT, MOST_WEIGHT, SYMBOLS, Checker, Codes, Game
from bullscows.tree.strategy_tree import StrategyError

FEW_CODES = 12
"""Of more candidates, symmetries are looked for."""

MANY_OPEN = 200
"""Of a set with more open guesses, their number is estimated."""

MOST_BOUNDS = 16
"""The number of bounds of a part among which the writer chooses."""

LARGE_PART = 100
"""The exact cost of a part with more codes, which can take minutes, is searched only if the smaller
parts of its guess prove too little."""

TOO_LATE = MOST_WEIGHT - 1
"""The weight of turns after the last one that is allowed: more than any strategy costs."""

_Words = NDArray[np.uint64]


class CanonicalImage(NamedTuple):
    """An image of a set of codes, the same for most equivalent sets: a miss repeats a lemma."""

    turn: int
    """The turn of the next guess, as lemmas count."""
    image: bytes
    positions: NDArray[np.intp]
    """The image of x has symbol ``names[i, x[positions[i]]]`` at place i."""
    names: NDArray[np.intp]
    """(positions, symbols): the rows are alike unless each place may have its own names."""


class Use(NamedTuple):
    """A lemma for a part of a guess."""

    guess: int
    answer: int
    part: CanonicalImage
    bound: int


class Plan(NamedTuple):
    """Lemmas for some parts of a guess."""

    price: float
    """How many lemmas the proof is expected to get by them."""
    gain: int
    """How much more the guess costs by them."""
    raises: tuple[tuple[int, int], ...]
    """Answers, and the bounds of their parts."""


@dataclass
class Pending:
    """A set of candidates for which a lemma is needed."""

    candidates: Codes
    history: str
    form: CanonicalImage
    bound: int
    symmetries: list[str] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)

    @property
    def key(self) -> tuple[int, bytes]:
        """The turn and the image of the set."""
        return self.form[:2]


class Proof(NamedTuple):
    """A proof that no strategy costs less than `claim`."""

    claim: int
    lemmas: int
    content: bytes
    """The file, compressed."""


class Writer:
    """The lemmas of a proof about a whole game.

    Raises `ObjectiveError` if the objective is no sum over secrets, or its weights are too large,
    `ProofError` if the game is too large for the checker.
    """

    def __init__(self, question: Question, threads: int = 1) -> None:
        rules = question.rules
        weights = question.weights()
        self.game = Game(str(rules))
        self._question = question
        self._is_average = str(question.objective) == "average" and question.max_turns is None
        self._weights = (
            None if self._is_average else (*weights.values, *[TOO_LATE] * weights.capped)
        )
        if weights.values[-1] >= TOO_LATE:
            raise ObjectiveError(f"a proof has weights below {TOO_LATE}, not {weights.values[-1]}")
        self._checker = Checker(self.game, self._weights)
        places = self.game.positions
        # (sets, positions): the sets of places at which a symbol has the same name.
        self._alike = np.eye(places) if self.game.renames_by_place else np.ones((1, places))
        self._search = Search(ResponseTable.of(rules), weights, threads=threads)
        self._answers = list(self.game.answers)
        bits = [1 << answer for answer in range(len(self._answers) - 1)]
        self._bits = np.array([*bits, 0], dtype=np.min_scalar_type(bits[-1]))
        self._costs_by_turn = np.array(self._weights or range(1, 2 * len(self.game.codes)))
        self._pending: dict[tuple[int, bytes], Pending] = {}
        self._waiting: list[tuple[int, tuple[int, bytes]]] = []
        # Of a set the least cost, or a lower bound, and whether it is exact.
        self._costs: dict[tuple[int, bytes], tuple[int, bool]] = {}
        # Of a set a bound, the costs of guesses that are open below it, ascending, and how many
        # guesses each stands for.
        self._open: dict[tuple[int, bytes], tuple[int, NDArray[np.int64], float]] = {}
        noise = np.random.default_rng(1)
        self._words = noise.integers(1, 1 << 63, len(self.game.codes) + 1, dtype=np.uint64)

    def write(
        self,
        progress: Callable[[tuple[int, int]], None] | None = None,
        partial: Path | None = None,
    ) -> Proof:
        """Return a proof that no strategy costs less than the best one.

        `progress` is called with the numbers of lemmas that are proved, and of those known.  The
        file `partial` gets the lemmas as they are proved, and the next call continues from it.
        Raises `StrategyError` if no strategy finds every code in the turns allowed, `OSError`.
        """
        header = {
            "format": FORMAT,
            "rules": str(self._question.rules),
            "objective": str(self._question.objective),
            "max_turns": self._question.max_turns,
            "weights": self._weights,
        }
        question = json.dumps(header)
        kept = {} if partial is None else _read_partial(partial, question)
        everything = np.arange(len(self.game.codes))
        claim = kept[""][0] if "" in kept else self._claim(everything)
        header["claim"] = claim
        self._request(everything, self._canonical(everything, 1), "", claim)
        proved = []
        with ExitStack() as stack:
            file = None
            if partial is not None:
                file = stack.enter_context(partial.open("a" if kept else "w", encoding="ascii"))
                if not kept:
                    file.write(question)
            while self._waiting:
                pending = self._pending[heapq.heappop(self._waiting)[1]]
                pending.symmetries = self._symmetries_of(pending.candidates)
                bound, uses = kept.get(pending.history, (0, []))
                if bound == pending.bound:
                    for guess, answer, least in uses:
                        self._use_lemma(pending, guess, answer, least)
                else:
                    self._prove(pending)
                    if file is not None:
                        # A line begins with its line feed: the last line may be cut off.
                        uses = [[use.guess, use.answer, use.bound] for use in pending.uses]
                        file.write("\n" + json.dumps([pending.history, pending.bound, uses]))
                        file.flush()
                proved.append(pending)
                if progress is not None:
                    progress((len(proved), len(proved) + len(self._waiting)))
        lines = [json.dumps(header), *self._lines(proved[::-1])]
        content = lzma.compress("\n".join([*lines, ""]).encode(), preset=9)
        return Proof(claim, len(proved), content)

    def _claim(self, everything: Codes) -> int:
        """Return the least cost of the game."""
        claim = self._searched(Position(tuple(everything.tolist()), 1, ()), INFINITE - 1)
        if claim >= INFINITE:
            raise StrategyError(f"no strategy answers {self._question} in time")
        return claim

    def _searched(self, position: Position, budget: int) -> int:
        """Return the least cost of a position if it is at most `budget`, else a bound above."""
        if len(position.candidates) < SHARED_SIZE:  # without starting a thread
            return self._search.cost(position, budget)
        found = self._search.value(position, budget=budget)
        if self._search.stopped:
            raise KeyboardInterrupt
        return found.lower

    def _request(self, candidates: Codes, form: CanonicalImage, history: str, bound: int) -> None:
        """Ask for a lemma about a set; the largest of the bounds asked for counts."""
        key = form[:2]
        found = self._pending.get(key)
        if found is None:
            self._pending[key] = Pending(candidates, history, form, bound)
            heapq.heappush(self._waiting, (-len(candidates), key))
        else:
            found.bound = max(found.bound, bound)

    def _prove(self, pending: Pending) -> None:
        """Find lemmas for the parts of all guesses that may cost less than a bound."""
        candidates = pending.candidates
        turn = pending.form.turn
        first = self._checker.orbit_representatives(candidates, pending.symmetries)
        guesses = np.unique(first)
        is_open = self._bounds(pending.form, candidates, guesses, pending.bound) < pending.bound
        if any(is_open):
            guesses = guesses[is_open]
            first = np.where(np.isin(first, guesses), first, guesses[0])
            for guess, cost, parts in self._checker.open_guesses(
                candidates, turn, pending.bound, first
            ):
                self._use_lemmas(pending, guess, parts, pending.bound - cost)

    def _bounds(
        self,
        form: CanonicalImage,
        candidates: Codes,
        guesses: Codes,
        limit: int,
        enough: int = sys.maxsize,
    ) -> NDArray[np.int64]:
        """Return the costs of guesses that the checker needs no lemma to prove, up to a limit."""
        given = self.game.table[candidates]
        answers = np.ascontiguousarray(given.T)
        bits = self._bits[given]
        turn = form.turn
        weights = self._costs_by_turn
        return guess_bounds(answers, bits, candidates, guesses, turn, limit, weights, enough)

    def _use_lemmas(
        self, pending: Pending, guess: int, parts: dict[int, tuple[Codes, int]], missing: int
    ) -> None:
        """Request lemmas for parts of a guess: those of the least price that prove enough."""
        turn = 1 if self._is_average else pending.form.turn + 1
        forms = {answer: self._canonical(part, turn) for answer, (part, _) in parts.items()}

        def order(answer: int) -> tuple[bool, int]:
            """Sets that have lemmas come first, then the smallest."""
            return forms[answer][:2] not in self._pending, len(parts[answer][0])

        plans = [Plan(0, 0, ())]
        for answer in sorted(parts, key=order):
            part, least = parts[answer]
            form = forms[answer]
            is_enough = plans[-1].gain == missing
            if is_enough and (plans[-1].price <= 1 or len(part) > LARGE_PART):
                break
            known = least - len(part) * self._is_average
            most = min(self._cost(part, form, known + missing - 1), known + missing)
            more = [
                Plan(
                    plan.price + price,
                    min(plan.gain + bound - known, missing),
                    (*plan.raises, (answer, bound)),
                )
                for bound, price in self._prices(part, form, known, most)
                for plan in plans
            ]
            plans = _undominated([*plans, *more])
        for answer, bound in plans[-1].raises:
            self._use_lemma(pending, guess, answer, bound)

    def _use_lemma(self, pending: Pending, guess: int, answer: int, bound: int) -> None:
        """Request a lemma about the part of a guess."""
        codes = pending.candidates
        part = codes[self.game.table[guess, codes] == answer]
        form = self._canonical(part, 1 if self._is_average else pending.form.turn + 1)
        history = f"{pending.history} {self._text(guess)}:{self._answers[answer]}".lstrip()
        self._request(part, form, history, bound)
        pending.uses.append(Use(guess, answer, form, bound))

    def _prices(
        self, part: Codes, form: CanonicalImage, known: int, most: int
    ) -> list[tuple[int, float]]:
        """Return bounds of a part above a known one, and how many lemmas each is expected to add.

        A bound takes a lemma, and about one more for each guess that the checker cannot exclude.
        """
        if most <= known:
            return []
        found = self._pending.get(form[:2])
        if found is not None and found.bound >= most:
            return [(most, 0)]
        bound, costs, weight = self._open.get(form[:2], (0, np.array([]), 0.0))
        if bound < most:
            symmetries = self._symmetries_of(part)
            guesses = np.unique(self._checker.orbit_representatives(part, symmetries))
            sample = np.random.default_rng(1).permutation(guesses)
            costs = self._bounds(form, part, sample, most, MANY_OPEN)
            weight = len(guesses) / len(costs)
            costs = np.sort(costs[costs < most])
            self._open[form[:2]] = most, costs, weight
        asked = known if found is None else max(found.bound, known)
        bounds = np.unique([*costs[(costs > asked) & (costs < most)], most])
        bounds = bounds[np.unique(np.linspace(0, len(bounds) - 1, MOST_BOUNDS).astype(int))]
        prices = 1 + weight * np.searchsorted(costs, bounds)
        if asked > known:
            bounds = np.append(bounds, asked)
            prices = np.append(prices - 1 - weight * np.searchsorted(costs, asked), 0)
        return list(zip(bounds.tolist(), prices.round().tolist(), strict=True))

    def _cost(self, part: Codes, form: CanonicalImage, budget: int) -> int:
        """Return the least cost of a part if it is at most `budget`, else a lower bound above."""
        cost, is_exact = self._costs.get(form[:2], (-1, False))
        if not is_exact and cost <= budget:
            cost = self._searched(Position(tuple(part.tolist()), form.turn, None), budget)
            is_exact = cost <= budget
            cost = min(cost, TOO_LATE)
            self._costs[form[:2]] = cost, is_exact
        return cost

    # -- symmetry ------------------------------------------------------------------------------

    def _canonical(self, candidates: Codes, turn: int) -> CanonicalImage:
        _, places, symbols = self._colours(candidates)
        positions = np.argsort(places, kind="stable")
        if not self.game.has_zero:  # the first place and 0 keep their names
            positions = np.array([0, *(each for each in positions if each != 0)])
            symbols[0] = 0
        names = np.argsort(np.argsort(symbols.T[positions], kind="stable"), kind="stable")
        image = np.sort(self.game.image(_written(positions, names), candidates))
        return CanonicalImage(turn, image.tobytes(), positions, names)

    def _colours(self, candidates: Codes) -> tuple[_Words, _Words, _Words]:
        """Return colours of cells, places and symbols, refined in three rounds.

        A colour is a hash that does not depend on the names of places and symbols.  A cell is a
        symbol at a place; symbols have a colour at each place, the same at places alike.
        """
        alike = (self._alike.T @ self._alike).astype(np.uint64)
        codes = self.game.codes[candidates]
        places = np.arange(self.game.positions)
        counts = np.zeros((self.game.symbols, self.game.positions), dtype=np.int64)
        np.add.at(counts, (codes, places), 1)
        cells = self._words[counts]
        of_places = _hashed(cells.sum(axis=0))
        for _ in range(3):
            of_symbols = _hashed((cells * (of_places | np.uint64(1))) @ alike)
            cells = _hashed(cells + 3 * of_symbols + 5 * of_places)
            of_codes = _hashed(cells[codes, places].sum(axis=1))
            sums = np.zeros_like(cells)
            np.add.at(sums, (codes, places), of_codes[:, None])
            cells = _hashed(cells + sums)
            of_places = _hashed(cells.sum(axis=0) + of_places)
        return cells, of_places, _hashed((cells * (of_places | np.uint64(1))) @ alike)

    def _symmetries_of(self, candidates: Codes) -> list[str]:
        """Return transformations that map the candidates to each other, if these are many."""
        return list(self._symmetries(candidates)) if len(candidates) > FEW_CODES else []

    def _symmetries(self, candidates: Codes) -> Iterator[str]:
        cells, of_places, of_symbols = self._colours(candidates)
        same = np.arange(self.game.positions)
        unchanged = np.tile(np.arange(self.game.symbols), (len(same), 1))
        sets = [np.flatnonzero(each) for each in self._alike]
        for places in sets:
            colours = of_symbols[:, places[0]]
            for one, other in pairwise(np.argsort(colours, kind="stable").tolist()):
                if colours[one] == colours[other]:
                    names = unchanged.copy()
                    names[places, one] = other
                    names[places, other] = one
                    yield from self._if_symmetry(candidates, same, names)
        for order in permutations(same.tolist()):
            positions = np.array(order)
            if any(positions != same) and np.array_equal(of_places[positions], of_places):
                names = unchanged.copy()
                for places in sets:
                    before = np.lexsort(cells[:, positions[places]].T)
                    names[places[:, None], before] = np.lexsort(cells[:, places].T)
                yield from self._if_symmetry(candidates, positions, names)

    def _if_symmetry(
        self, candidates: Codes, positions: NDArray[np.intp], names: NDArray[np.intp]
    ) -> Iterator[str]:
        text = _written(positions, names)
        if not self.game.has_zero and (positions[0] != 0 or names[0, 0] != 0):
            return
        if np.array_equal(np.sort(self.game.image(text, candidates)), candidates):
            yield text

    # -- the file ------------------------------------------------------------------------------

    def _lines(self, lemmas: list[Pending]) -> Iterator[str]:
        """Yield the lemmas, those about the fewest codes first."""
        numbers = {each.key: at for at, each in enumerate(lemmas, start=1)}
        for lemma in lemmas:
            uses: dict[str, str] = {}
            for guess, answer, part, _ in lemma.uses:
                earlier = self._pending[part[:2]].form
                word = f"{self._answers[answer]}={numbers[part[:2]]}@{_between(earlier, part)}"
                text = self._text(guess)
                uses[text] = f"{uses[text]} {word}" if text in uses else word
            fields = [lemma.history, lemma.bound, lemma.symmetries, uses]
            yield json.dumps(fields, separators=(",", ":"))

    def _text(self, code: int) -> str:
        return self._question.rules.text(code)


def _read_partial(path: Path, first: str) -> dict[str, tuple[int, list[list[int]]]]:
    """Return the bound and the uses of lemmas, by history, if a file has this first line."""
    kept = {}
    if path.is_file():
        head, *lines = path.read_text(encoding="ascii", errors="replace").split("\n")
        for line in lines if head == first else ():
            with suppress(ValueError):  # the line was cut off
                history, bound, uses = json.loads(line)
                kept[history] = bound, uses
    return kept


def _undominated(plans: list[Plan]) -> list[Plan]:
    """Return the plans that gain more than all of the same or a lower price, cheapest first."""
    kept: list[Plan] = []
    for plan in sorted(plans, key=lambda plan: (plan.price, -plan.gain)):
        if not kept or plan.gain > kept[-1].gain:
            kept.append(plan)
    return kept


def _between(one: CanonicalImage, other: CanonicalImage) -> str:
    """Return the transformation of a set to another whose images are the same."""
    back = np.argsort(other.positions)
    names = np.take_along_axis(np.argsort(other.names), one.names, axis=1)
    return _written(one.positions[back], names[back])


def _written(positions: NDArray[np.intp], names: NDArray[np.intp]) -> str:
    lists = names[:1] if np.all(names == names[0]) else names
    return "/".join("".join(SYMBOLS[each] for each in part) for part in (positions, *lists))


def _hashed(words: _Words) -> _Words:
    """Return words whose bits depend on all bits of these."""
    mixed = (words ^ (words >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15)
    return mixed ^ (mixed >> np.uint64(29))
