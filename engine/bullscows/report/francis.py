"""Francis' tables, recomputed: classes of second guesses, his estimator, and nodes of his trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullscows.build.strategies import strategy_tree
from bullscows.game.cycles import cycles_of, diagram, renamings
from bullscows.game.responses import code_array
from bullscows.game.rules import Code, CodeIndex, Rules
from bullscows.game.symmetry import equivalence_classes, place_orders, representatives
from bullscows.kernels.bounds import cheapest
from bullscows.report.estimator import Estimator
from bullscows.report.sections import BULLS_COWS, published, section, solved, table_of
from bullscows.report.strategies import ONE, OPTIMAL, POSSIBLES
from bullscows.report.tables import Row
from bullscows.tree.files import POSSIBLES_ONLY
from bullscows.tree.strategy_tree import StrategyTree

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
        renamed = renamings(_GAME, len(used))
        yield Row(f"{name}, third guesses but for renaming", _known(before), renamed)
        yield _third_guesses(name, guess, after)


def _third_guesses(name: str, guess: CodeIndex, known: int | None) -> Row:
    counted = len(representatives(_GAME, [0, guess]))
    why = ""
    if known not in (None, counted) and orbits(_GAME, [0, guess]) == counted:
        why = f"{counted} by Burnside's lemma too, and the 7072 third guesses in all need it"
    return Row(f"{name}, third guesses", _known(known), counted, why=why)


def _known(figure: int | None) -> int | str:
    return "" if figure is None else figure


def orbits(rules: Rules, guesses: Sequence[CodeIndex]) -> int:
    """Return the number of classes of guesses after some guesses, by Burnside's lemma.

    It is the mean number of codes that a transformation fixes, over all that fix the guesses; it
    uses nothing of `bullscows.game.symmetry` but the orders of the positions.
    """
    codes = code_array(rules).astype(np.intp)
    fixed = transformations = 0
    for order in place_orders(rules):
        for names in _fixing(rules, [rules.code(guess) for guess in guesses], order):
            fixed += int((names[codes[:, list(order)]] == codes).all(axis=1).sum())
            transformations += 1
    return fixed // transformations


def _fixing(rules: Rules, codes: list[Code], order: Sequence[int]) -> Iterator[NDArray[np.intp]]:
    """Yield the renamings that, after reordering the places, leave all of `codes` as they are."""
    moved = {(symbol, symbol) for symbol in range(rules.pinned)}
    for code in codes:
        moved |= {(code[source], symbol) for source, symbol in zip(order, code, strict=True)}
    forced = dict(moved)
    if not len(moved) == len(forced) == len(set(forced.values())):
        return
    free = [symbol for symbol in range(rules.symbols) if symbol not in forced]
    for names in permutations(free):
        renaming = forced | dict(zip(free, names, strict=True))
        yield np.array([renaming[symbol] for symbol in range(rules.symbols)])


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
        ours = (*map(int, estimate.found), int(estimate.total))
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
    """The most secrets found by each turn, by search, compared with his columns added up."""
    for known in [*published()["estimator"]["rows"], _all_answers()]:
        answer, size, *found = known
        if answer == "4.0":
            continue
        history = f"0123:{answer}" if answer else ""
        label = f"0123 {answer}" if answer else "total"
        for turn in range(2, _LIMITED + 1):
            most = size - _fewest_after(turn, history, threads)
            printed, inside = sum(found[:turn]), None
            if most > printed:
                inside = size - _fewest_after(turn, history, threads, candidates_only=True)
            yield limit_row(
                f"{label}, by turn {turn}", printed, most, inside, is_bound=turn == _BOUND
            )
            if most == size:
                break


def _all_answers() -> list[Any]:
    rows = published()["estimator"]["rows"]
    return ["", *(sum(row[place] for row in rows) for place in range(1, 8))]


def _fewest_after(turn: int, history: str, threads: int, *, candidates_only: bool = False) -> int:
    """Return the fewest secrets that any strategy leaves for later than `turn`."""
    weights = [0] * turn + [1] * _ENOUGH
    objective = "weights:" + ",".join(map(str, weights))
    value = solved(
        BULLS_COWS, objective, history, threads=threads, candidates_only=candidates_only
    ).value
    assert isinstance(value, int)
    return value


def limit_row(label: str, printed: int, most: int, inside: int | None, *, is_bound: bool) -> Row:
    """Compare his limit with the most secrets that any strategy finds, and one of candidates only.

    He counts an outside guess with f answers as a candidate with f - 1. If that is the reason for a
    limit that is too low, candidates alone stay within it.
    """
    why, unexplained = "", False
    if inside is not None:
        unexplained = inside > printed
        why = f"guesses that are no candidates exceed his limit: candidates alone find {inside}"
        if unexplained:
            why = f"candidates alone find {inside}, so outside guesses are not the only reason"
    elif most < printed and is_bound:
        why = f"he calls it an approximate bound; no strategy finds more than {most}"
    return Row(label, printed, most, why, unexplained=unexplained)


@section(
    "francis-fan-out", "Answers to second guesses after 3.0", "Francis, Appendix A", quick=True
)
def fan_outs(_threads: int) -> Iterator[Row]:
    """How many answers each second guess can get after 0123 3.0 (Appendix A)."""
    candidates = np.flatnonzero(table_of(BULLS_COWS).responses[0] == _GAME.parse_answer("3.0"))
    for name, known in published()["fan_out_after_3.0"]["guesses"].items():
        ours = len(_GAME.partition(_GAME.parse_code(name), candidates.tolist()))
        yield Row(f"0123 3.0, {name}", known, ours)


# -- results ---------------------------------------------------------------------------------------


def decisions(tree: StrategyTree) -> tuple[int, int]:
    """Return Francis' nodes (positions of two or more candidates) and probes (outside guesses)."""
    nodes = [node for node in tree.nodes if node.size > 1]
    return len(nodes), sum(not node.is_candidate_guess for node in nodes)


@section("francis-nodes", "Nodes and probes", "Francis, Results")
def nodes_and_probes(threads: int) -> Iterator[Row]:
    """Decision points of Francis' strategies, and guesses at them that are no candidates."""
    figures = published()["strategies"][BULLS_COWS]
    optimal = solved(BULLS_COWS, "average", threads=threads).tree()
    for tree, names in (
        (optimal, OPTIMAL[:2]),
        (strategy_tree(BULLS_COWS, "larmouth"), (ONE,)),
        (strategy_tree(BULLS_COWS, POSSIBLES_ONLY), (POSSIBLES,)),
    ):
        ours = decisions(tree)
        for name in names:
            yield Row(f"{name}, nodes", figures[name]["nodes"], ours[0], depends=True)
            probes = figures[name]["probes"]
            # Without a probe by definition: the one count that all such trees share.
            is_shared = name == POSSIBLES
            yield Row(f"{name}, probes", probes, ours[1], depends=not is_shared)
