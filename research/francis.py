"""Francis' tables, recomputed: classes of second guesses, his estimator, and nodes of his trees.

The estimator is a lower bound on the turns after each first answer.  The *fan-out* of a set of
candidates is the most answers that a guess can get from it, where a guess that is no candidate
counts one less: a candidate with f - 1 answers finds itself now and f - 2 more on the next turn,
which costs at least as much as f on the next turn.  After two guesses the fan-outs are exact, by
trying every third guess.  Below that a part is at most as wide as its size and the fan-outs of
every pair of the three guesses made.

A bound after a first answer is the least over all second guesses of the cost of its parts if every
fan-out is attained.  There is one for each turn from 2 to 5, in which all secrets left are found at
the next turn; each uses the fan-outs of one guess more.  Francis prints the differences of these
bounds as secrets at each turn.  His columns therefore limit turns, not the secrets found by a turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from math import comb, perm

import numpy as np
from numpy.typing import NDArray

from bullscows.game.cycles import cycles_of, diagram
from bullscows.game.objective import cheapest, total_turns
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import AnswerIndex, CodeIndex, Rules
from bullscows.game.symmetry import IndexArray, equivalence_classes, place_orders, representatives
from research.tables import BULLS_COWS, Row, published, section, solved, table_of

_GAME = Rules.parse(BULLS_COWS)

# -- equivalences ----------------------------------------------------------------------------------


@section("francis-classes", "Classes of second guesses", "Francis, Equivalences", quick=True)
def second_guess_classes(_threads: int) -> Iterator[Row]:
    """The twenty classes of second guesses: cycles, sizes, and third guesses after each."""
    found = equivalence_classes(_GAME, [0])
    sizes = dict(zip(found.representatives.tolist(), found.sizes.tolist(), strict=True))
    for known in published()["second_guess_classes"]["rows"]:
        name, answer, after, among_209, among_5040, before, drawn = known
        guess = _GAME.parse_code(name)
        used = set(_GAME.code(0)) | set(_GAME.code(guess))
        new = len(used) - _GAME.positions
        yield Row(f"{name}, cycles", drawn, diagram(cycles_of(_GAME, 0, guess)))
        yield Row(f"{name}, answer", answer, str(_GAME.answers[_GAME.respond(0, guess)]))
        alike = sizes[guess] // perm(_GAME.symbols - _GAME.positions, new)
        yield Row(f"{name}, guesses with new symbols alike", among_209, alike)
        yield Row(f"{name}, guesses", among_5040, sizes[guess])
        renamed = guesses_but_for_renaming(len(used))
        yield Row(f"{name}, third guesses but for renaming", before or "", renamed)
        if after is not None:
            yield Row(f"{name}, third guesses", after, third_guesses(guess))
        every = len(representatives(_GAME, [0, guess]))
        yield Row(f"{name}, third guesses by all symmetries", "", every)


def guesses_but_for_renaming(used: int) -> int:
    """Return the number of guesses up to renaming of the symbols not used yet.

    It is Francis' sum over the number of used symbols in a guess.

    >>> [guesses_but_for_renaming(used) for used in (4, 5, 6, 7, 8)]
    [209, 501, 1045, 1960, 3360]
    """
    places = _GAME.positions
    fewest = max(0, places - (_GAME.symbols - used))
    return sum(perm(used, taken) * comb(places, taken) for taken in range(fewest, places + 1))


def third_guesses(guess: CodeIndex) -> int:
    """Return the number of third guesses that Francis distinguishes after 0123 and `guess`.

    A third guess counts unless a usable symmetry maps it to a smaller one.  A symmetry of the first
    two guesses is usable if it only exchanges places in pairs, or leaves the places of open cycles.

    >>> [third_guesses(_GAME.parse_code(guess)) for guess in ("0456", "4567")]
    [373, 218]
    """
    opened = {place for one in cycles_of(_GAME, 0, guess) if one.is_open for place in one.places}
    usable = [
        order
        for order in place_orders(_GAME)
        if all(order[order[place]] == place for place in order)
        or all(order[place] == place for place in opened)
    ]
    return len(representatives(_GAME, [0, guess], orders=usable))


# -- estimators ------------------------------------------------------------------------------------


@section("francis-estimator", "Francis' lower bound", "Francis, Estimators", quick=True)
def estimates(_threads: int) -> Iterator[Row]:
    """The estimator's secrets at each turn and its turns, by first answer and in all."""
    figures = published()["estimator"]
    naive = cheapest(_GAME.size, range(1, _GAME.size), len(_GAME.answers) - 1)
    yield Row("bound from the number of answers alone", figures["naive_bound"], naive)
    estimator = Estimator(_GAME)
    totals = np.zeros(7, dtype=int)
    for answer, _, *known in figures["rows"]:
        estimate = estimator.estimate(_GAME.parse_answer(answer))
        ours = (*estimate, total_turns(estimate))
        totals += ours
        yield from _estimate_rows(f"0123 {answer}", known, ours)
    known = [sum(row[place] for row in figures["rows"]) for place in range(2, 8)]
    yield from _estimate_rows("total", [*known, figures["total"]], totals.tolist())


def _estimate_rows(label: str, known: Sequence[int], ours: Sequence[int]) -> Iterator[Row]:
    for turn, (figure, value) in enumerate(zip(known[:-1], ours[:-1], strict=True), start=1):
        yield Row(f"{label}, turn {turn}", figure, value)
    yield Row(f"{label}, turns", known[-1], ours[-1])


_LIMITED = 5
"""The last turn whose limit is searched for: by turn 6 all but the 50 last 7-movers are found."""
_BOUND = 5
"""The turn whose column he calls an approximate bound, where those before it are exact limits."""
_ENOUGH = 7
"""Turns that find any secret, whatever was asked before: those of a whole game."""


@section("francis-limits", "The most secrets by each turn", "Francis, Estimators", quick=True)
def limits(threads: int) -> Iterator[Row]:
    """The most secrets found by each turn, by search, compared with his columns added up.

    He counts an outside guess with f answers as a candidate with f - 1. If that is the reason for a
    limit that is too low, candidates alone stay within it.
    """
    rows = published()["estimator"]["rows"]
    sums = ["", *(sum(row[place] for row in rows) for place in range(1, 8))]
    for answer, size, *found in (*rows, sums):
        if answer == "4.0":
            continue
        history = f"0123:{answer}" if answer else ""
        label = f"0123 {answer}" if answer else "total"
        for turn in range(2, _LIMITED + 1):
            most = size - _fewest_after(turn, history, threads)
            printed = sum(found[:turn])
            label_at = f"{label}, by turn {turn}"
            if most > printed:
                inside = size - _fewest_after(turn, history, threads, candidates_only=True)
                is_reason = inside <= printed
                why = (
                    "guesses that are no candidates exceed his limit; candidates alone stay within"
                    " it"
                    if is_reason
                    else "candidates alone exceed his limit too"
                )
                yield Row(label_at, printed, most, why, unexplained=not is_reason)
                yield Row(f"{label_at}, by candidates only", "", inside)
            else:
                is_bound = most < printed and turn == _BOUND
                why = "he calls it an approximate bound; no strategy finds more than ours"
                yield Row(label_at, printed, most, why if is_bound else "")
            if most == size:
                break


def _fewest_after(turn: int, history: str, threads: int, *, candidates_only: bool = False) -> int:
    """Return the fewest secrets that any strategy leaves for later than `turn`."""
    weights = [0] * turn + [1] * _ENOUGH
    objective = "weights:" + ",".join(map(str, weights))
    value = solved(
        BULLS_COWS, objective, history, threads=threads, candidates_only=candidates_only
    ).value
    assert isinstance(value, int)
    return value


@section(
    "francis-fan-out", "Answers to second guesses after 3.0", "Francis, Appendix A", quick=True
)
def appendix(_threads: int) -> Iterator[Row]:
    """How many of the secrets after 0123 3.0 give each answer to each second guess."""
    figures = published()["after_3.0"]
    candidates = np.flatnonzero(table_of(BULLS_COWS).responses[0] == _GAME.parse_answer("3.0"))
    for place, name in enumerate(figures["guesses"]):
        parts = _GAME.partition(_GAME.parse_code(name), candidates.tolist())
        for answer, known in figures["answers"].items():
            ours = len(parts.get(_GAME.parse_answer(answer), ()))
            yield Row(f"{name}, {answer}", known[place], ours)
        yield Row(f"{name}, answers", figures["fan_out"][place], len(parts))


Counts = NDArray[np.intp]
Fits = NDArray[np.bool_]
"""(size,): whether a code is among some secrets."""


class Estimator:
    """The estimates of one game without repeats, after its first guess, number 0.

    >>> Estimator(Rules.parse("p4c10n")).estimate(11)  # after 3.0
    (0, 1, 5, 10, 8, 0)
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._answers = range(len(rules.answers))
        table = ResponseTable.of(rules)
        self._responses = table.responses[:, : rules.size]
        self.seconds: list[CodeIndex] = representatives(rules, [0]).tolist()
        """A second guess of each class."""
        self._classes = {_cycles(rules, 0, one): place for place, one in enumerate(self.seconds)}
        fitting = (self._responses[0] == answer for answer in self._answers)
        self._sizes = [self._parts(fits, self.seconds) for fits in fitting]

    def estimate(self, answer: AnswerIndex) -> tuple[int, ...]:
        """Return the secrets at turn 1, 2, ..., 6 after an answer to the first guess.

        No strategy betters their turns.
        """
        if answer == self.rules.win:
            return (1, 0, 0, 0, 0, 0)
        left = int(self._sizes[answer][0].sum())
        found = [0]
        turns = 0
        for turn, bound in enumerate(self._bounds(answer), start=2):
            found.append(turns + (turn + 1) * left - bound)
            turns += turn * found[-1]
            left -= found[-1]
        return (*found, left)

    # -- after two guesses -------------------------------------------------------------------------

    @cached_property
    def fan_outs(self) -> Counts:
        """(answers, classes, answers): the fan-outs after two guesses; 0 for no secret.

        The guesses may change places: with the answers exchanged the fan-out is the same.
        """
        fan_outs = np.zeros((len(self._answers), len(self.seconds), len(self._answers)), np.intp)
        for place, guess in enumerate(self.seconds):
            thirds = representatives(self.rules, [0, guess])
            for first, second, fits in self._positions(guess):
                parts = np.count_nonzero(self._parts(fits, thirds), axis=1)
                fan_outs[first, place, second] = (parts - ~fits[thirds]).max()
        return fan_outs

    @cached_property
    def _turns(self) -> Counts:
        """(answers, classes, answers): turns that the secrets after two guesses take at least."""
        least = np.zeros_like(self.fan_outs)
        for place, guess in enumerate(self.seconds):
            thirds = representatives(self.rules, [0, guess])
            labels, seen = (self._classes_after(first, thirds) for first in (0, guess))
            for first, second, fits in self._positions(guess):
                sizes = self._parts(fits, thirds)
                inside = fits[thirds]
                widths = np.minimum(sizes, self.fan_outs[first, place, second])
                widths = np.minimum(widths, self.fan_outs[first, labels])
                widths = np.minimum(widths, self.fan_outs[second, seen])
                widths[:, self.rules.win] = sizes[:, self.rules.win] = 0
                fourth = np.count_nonzero(sizes, axis=1)
                fifth = np.maximum(widths - 1, 0).sum(axis=1)
                sixth = np.count_nonzero(fits) - inside - fourth - fifth
                turns = 3 * inside + 4 * fourth + 5 * fifth + 6 * sixth
                least[first, place, second] = turns.min()
        return least

    def _bounds(self, answer: AnswerIndex) -> list[int]:
        """Return the bounds of an answer's secrets, with those left after turn 2, 3, 4, 5 next."""
        sizes = self._sizes[answer]
        inside = sizes[:, self.rules.win]
        parts = np.delete(sizes, self.rules.win, axis=1)
        size = sizes[0].sum()
        third = np.count_nonzero(parts, axis=1)
        fourth = np.delete(self.fan_outs[answer], self.rules.win, axis=1).sum(axis=1) - third
        sixth = np.delete(self._turns[answer], self.rules.win, axis=1).sum(axis=1)
        bounds = (
            np.array([3 * size - 1]),
            4 * size - 2 * inside - third,
            5 * size - 3 * inside - 2 * third - fourth,
            2 * inside + sixth,
        )
        return [int(bound.min()) for bound in bounds]

    # -- what the response table says --------------------------------------------------------------

    def _positions(self, guess: CodeIndex) -> Iterator[tuple[AnswerIndex, AnswerIndex, Fits]]:
        """Yield answers to the first guess and to `guess`, with the secrets that give them."""
        for first, second in product(self._answers, repeat=2):
            fits = (self._responses[0] == first) & (self._responses[guess] == second)
            if fits.any():
                yield first, second, fits

    def _parts(self, fits: Fits, guesses: IndexArray | list[CodeIndex]) -> Counts:
        """Return (guesses, answers): the sizes of the parts of some secrets by answer."""
        answers = len(self._answers)
        cells = self._responses[guesses][:, fits].astype(np.intp)
        cells += np.arange(0, len(guesses) * answers, answers)[:, None]
        counts = np.bincount(cells.ravel(), minlength=len(guesses) * answers)
        return counts.reshape(-1, answers)

    def _classes_after(self, first: CodeIndex, guesses: IndexArray) -> Counts:
        """Return the classes of second guesses after any first one, as places in `seconds`."""
        diagrams = (_cycles(self.rules, first, guess) for guess in guesses.tolist())
        return np.array([self._classes[one] for one in diagrams])


def _cycles(rules: Rules, first: CodeIndex, second: CodeIndex) -> str:
    """Return the diagram of two guesses, which is the same for equivalent ones."""
    return diagram(cycles_of(rules, first, second))
