"""Slovesnov's tables, recomputed: turns, late secrets, equivalence classes, hybrids."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from bullscows.game.cycles import cycles_of, diagram
from bullscows.game.history import History
from bullscows.game.rules import Rules
from bullscows.game.symmetry import Transformation, completed, representatives
from bullscows.shipping.catalogue import build_record, tree_spec
from bullscows.shipping.named_trees import BuildOptions
from bullscows.strategies.hybrids import HYBRIDS, HybridSearch
from bullscows.tree.files import read_tree
from bullscows.tree.nodes import Node
from bullscows.tree.storage import default_folder, tree_path
from bullscows.tree.strategy_tree import StrategyTree, special_guess
from research.optimal import optimal
from research.tables import (
    BULLS_COWS,
    MASTERMIND,
    Row,
    proved,
    published,
    section,
    solved,
    table_of,
)

# -- Bulls & Cows ----------------------------------------------------------------------------------


_TOTAL = "total"


def _exact(
    label: str,
    known: int | str | None,
    rules: str,
    objective: str,
    history: str = "",
    **options: Any,
) -> Row:
    """Return the row of a proved value, with `options` of `solved`; the paper's may be a bound."""
    is_won = history.endswith(str(Rules.parse(rules).answers[-1]))
    ours = 1 if is_won else proved(solved(rules, objective, history, **options))
    return _compared(label, known, ours)


def _compared(label: str, known: int | str | None, ours: int | None) -> Row:
    if isinstance(known, str) and known:
        return Row(label, int(known.removeprefix(">=")), ours, bound=">=")
    return Row(label, known, ours)


@section("average", "Bulls & Cows: fewest turns", "Slovesnov 5.2.1")
def average_by_first_answer(threads: int) -> Iterator[Row]:
    """Fewest turns in all after each answer to 0123, and in all (paper, 5.2.1)."""
    shares = published()["total_turns"]["p4c10n_by_first_response"]["exact"]
    for answer, turns in shares.items():
        label = f"0123 {answer}"
        history = f"0123:{answer}"
        if answer == _TOTAL:
            label = answer
            history = ""
        yield _exact(label, turns, BULLS_COWS, "average", history, threads=threads)


@section("movers", "Bulls & Cows: fewest late secrets", "Slovesnov 5.1.1")
def movers_by_first_answer(threads: int) -> Iterator[Row]:
    """Fewest secrets at the last turn that any are left for, after each answer (paper, 5.1.1)."""
    figures = published()["k_movers"]
    seven = figures["p4c10n_7_movers_by_first_response"]["exact"]
    fewer = figures["p4c10n_fewest_movers_below_7"]
    late = partial(_exact, rules=BULLS_COWS, objective="last", threads=threads)
    for answer in map(str, Rules.parse(BULLS_COWS).answers[:-1]):
        known = seven.get(answer, 0)
        for turn in (7, 6, 5, 4):
            label = f"0123 {answer}, {turn}-movers"
            history = f"0123:{answer}"
            yield (row := late(label, known, history=history, max_turns=turn))
            if row.ours != 0:
                break
            known = fewer.get(f"{turn - 1}_movers", {}).get(answer, "")
    yield late("total, 7-movers", seven[_TOTAL], max_turns=7)


@section("second", "Bulls & Cows: second guesses", "Slovesnov 5.1.1")
def second_guesses(threads: int) -> Iterator[Row]:
    """Fewest 7-movers after 0123 0.1 and each second guess (paper, 5.1.1, steps 6 to 10)."""
    return _after_two_turns("exact", threads)


def _after_two_turns(name: str, threads: int) -> Iterator[Row]:
    figures = published()["k_movers"]
    for answer in ("0.2", "0.1"):
        for guess, known in figures[f"p4c10n_(0123,0.1)(t,{answer})"][name].items():
            yield _late(name, "0.1", guess, answer, known, threads)
    for answer, guesses in figures["p4c10n_step_10"].items():
        for guess, known in guesses.items():
            yield _late(name, answer, guess, answer, known, threads)


def _late(name: str, first: str, guess: str, answer: str, known: int | str, threads: int) -> Row:
    """Return the row of the fewest 7-movers after two turns, exact or by a hybrid."""
    label = f"0123 {first}, {guess} {answer}"
    history = f"0123:{first} {guess}:{answer}"
    if name != "exact":
        return _row(name, label, known, [history])
    return _exact(label, known, BULLS_COWS, "last", history, max_turns=7, threads=threads)


@section("turns", "How many turns are too few", "Slovesnov 1; Chen")
def six_turns(threads: int) -> Iterator[Row]:
    """Whether six turns are enough for Bulls & Cows, and four for Mastermind (paper, 1)."""
    for rules, turns in ((BULLS_COWS, 6), (MASTERMIND, 4)):
        label = f"{rules} within {turns} turns"
        yield _exact(label, None, rules, "average", max_turns=turns, threads=threads)


# -- Mastermind ------------------------------------------------------------------------------------


@section("mastermind-movers", "Mastermind: 5-movers", "Slovesnov 5.1.2", quick=True)
def mastermind_movers(threads: int) -> Iterator[Row]:
    """Fewest 5-movers within five turns for each first guess (paper, 5.1.2)."""
    figures = published()["k_movers"]["p4c6r_5_movers_by_first_guess_at_most_5_turns"]["exact"]
    return _by_first_guess("last", figures, threads)


@section("mastermind-average", "Mastermind: fewest turns", "Slovesnov 5.2.2", quick=True)
def mastermind_average(threads: int) -> Iterator[Row]:
    """Fewest turns within five for each first guess (paper, 5.2.2)."""
    figures = published()["total_turns"]["p4c6r_at_most_5_turns_by_first_guess"]["exact"]
    return _by_first_guess("average", figures, threads)


def _by_first_guess(objective: str, figures: dict[str, Any], threads: int) -> Iterator[Row]:
    exact = partial(_exact, rules=MASTERMIND, objective=objective, max_turns=5, threads=threads)
    for guess, known in figures.items():
        yield exact(f"{guess}, {objective}", known, first=guess)


@section("mastermind-shares", "Mastermind: after 0012", "Slovesnov 5.2.2", quick=True)
def mastermind_shares(threads: int) -> Iterator[Row]:
    """Turns within five after each answer to 0012, and without a cap (paper, 5.2.2)."""
    figures = published()["total_turns"]
    turns = partial(_exact, rules=MASTERMIND, objective="average", threads=threads)
    for answer, known in figures["p4c6r_0012_by_response_at_most_5_turns"]["exact"].items():
        if answer != _TOTAL:
            label = f"turns within five, 0012 {answer}"
            yield turns(label, known, history=f"0012:{answer}", max_turns=5)
    late = published()["k_movers"]["p4c6r_5_movers_0012_by_response"]["exact"]
    for answer, known in late.items():
        history = "" if answer == _TOTAL else f"0012:{answer}"
        label = "5-movers, total" if answer == _TOTAL else f"5-movers, 0012 {answer}"
        yield _exact(label, known, MASTERMIND, "last", history, max_turns=5, threads=threads)
    free = figures["p4c6r_any_number_of_turns"]
    yield turns("turns, 0012 1.1", free["0012 1.1"], history="0012:1.1")
    yield turns("turns, total", free["exact"])


# -- equivalence -----------------------------------------------------------------------------------


@section("classes", "Equivalence classes", "Slovesnov 2.4; Francis", quick=True)
def equivalence(_threads: int) -> Iterator[Row]:
    """Sizes of the sets of first to third guesses (paper, 2.4)."""
    figures = published()["equivalence"]
    game = Rules.parse(BULLS_COWS)
    second = _after(game, (0,))
    third = sum(len(_after(game, (0, guess))) for guess in second)
    yield from _members("Bulls & Cows, S1", figures[BULLS_COWS]["S1"], game, _after(game, ()))
    yield from _members("Bulls & Cows, S2(0123)", figures[BULLS_COWS]["S2(0123)"], game, second)
    yield Row("Bulls & Cows, S3 in all", figures[BULLS_COWS]["S3_total"], third)
    game = Rules.parse(MASTERMIND)
    first = _after(game, ())
    pairs = sum(len(_after(game, (guess,))) for guess in first)
    yield from _members("Mastermind, S1", figures[MASTERMIND]["S1"], game, first)
    yield Row(
        "Mastermind, S2 in all",
        figures[MASTERMIND]["S2_total"],
        pairs,
        why="11 + 52 + 38 + 129 + 56; a listing of all 24 x 720 transformations gives the same",
        unexplained=True,
    )


def _members(label: str, known: list[str], game: Rules, ours: list[int]) -> Iterator[Row]:
    """Yield how many guesses a set has, and which."""
    yield Row(label, len(known), len(ours))
    names = sorted(game.text(guess) for guess in ours)
    yield Row(f"{label}, guesses", " ".join(sorted(known)), " ".join(names))


def _after(game: Rules, guesses: tuple[int, ...]) -> list[int]:
    """Return an equivalence set as the paper defines it: without the guesses made."""
    found: list[int] = representatives(game, guesses).tolist()
    return [guess for guess in found if guess not in guesses]


@section("lemmas", "Exchange of two guesses", "Slovesnov, lemmas 2 and 3", quick=True)
def lemmas(_threads: int) -> Iterator[Row]:
    """The paper's map between 0123 and 4051, and both lemmas for all second guesses."""
    figures = published()["lemmas"]
    game = Rules.parse(BULLS_COWS)
    one, other = (place - 1 for place in figures["places"])
    swapped = {int(digit): int(image) for digit, image in figures["digits"]}
    swapped |= {image: digit for digit, image in swapped.items()}
    exchange = Transformation(
        completed({one: other, other: one}, game.positions), completed(swapped, game.symbols)
    )
    for code, known in figures["map"].items():
        image = exchange.apply_to_index(game, game.parse_code(code))
        yield Row(f"image of {code}", known, game.text(image))
    # A map carries two guesses to each other exactly if their cycles in both orders are alike.
    exchanged = sum(
        diagram(cycles_of(game, 0, guess)) == diagram(cycles_of(game, guess, 0))
        for guess in range(game.size)
    )
    yield Row("numbers that a map exchanges with 0123 (lemma 2)", game.size, exchanged)
    responses = table_of(BULLS_COWS).responses[:, : game.size].astype(np.intp)
    answers = len(game.answers)
    symmetric = 0
    for guess in range(game.size):
        both = responses[0] * answers + responses[guess]
        sizes = np.bincount(both, minlength=answers**2).reshape(answers, answers)
        symmetric += bool((sizes == sizes.T).all())
    yield Row("second guesses with which answers may be exchanged (lemma 3)", game.size, symmetric)
    for answer, after in (("0.1", "0.2"), ("1.0", "0.1"), ("1.1", "0.2")):
        turns, exchanged_turns = (
            proved(solved(BULLS_COWS, "average", f"0123:{given} 4051:{then}"))
            for given, then in ((answer, after), (after, answer))
        )
        label = f"turns after 0123 {answer}, 4051 {after}; exchanged"
        yield Row(label, turns if turns is not None else "", exchanged_turns)


# -- the strings -----------------------------------------------------------------------------------

_PAPERS_TREES = {
    "crushBullsCows": "crush-bulls-cows",
    "avgBullsCows": "avg-bulls-cows",
    "crushMastermind": "crush-mastermind",
    "avgMastermind5": "avg-mastermind-5",
    "avgMastermind": "avg-mastermind",
}


@section("strings", "Nodes of the paper's five trees", "Slovesnov 6.2")
def string_lengths(threads: int) -> Iterator[Row]:
    """Nodes, special and stored nodes of the paper's five trees, and their bytes (paper, 6.2)."""
    figures = published()["nodes"]
    total = 0
    for known, nodes, special, stored, share in figures["rows"]:
        name = _PAPERS_TREES[known]
        record = build_record(tree_spec(name), BuildOptions(threads))
        if record.objective.startswith("average"):
            trees = optimal(record.rules, 5 if record.max_turns == 5 else None)
            yield Row(f"{name}, nodes", nodes, trees.span("nodes"))
            yield Row(f"{name}, special", special, trees.span("special"))
        else:
            secrets = sum(record.distribution)
            why = (
                f"a node more for each guess that is no candidate: {nodes - secrets} in his, "
                f"{record.nodes - secrets} in ours, one of many with so few late secrets"
            )
            yield Row(f"{name}, nodes", nodes, record.nodes, why)
            yield Row(f"{name}, special", special, record.nodes - record.stored, why)
        yield Row(f"{name}, stored", stored, record.stored, bound="<=")
        share_of_ours = round(100 * record.stored / record.nodes)
        yield Row(f"{name}, stored, per cent", share, share_of_ours, bound="<=")
        total += len(record.string)
    yield Row("bytes of the five strings", figures["all_strings_bytes"], total, bound="<=")


@section(
    "sizes", "Sizes of searches, limits and shares", "Slovesnov 1, 2.4.3, 2.5, 6.2", quick=True
)
def sizes(_threads: int) -> Iterator[Row]:
    """The naive search, the most secrets in three turns, and shares of the paper's trees."""
    figures = published()["sizes"]
    game = Rules.parse(BULLS_COWS)
    others = game.size - 1
    answers = len(game.answers) - 1
    naive = f"{(answers / 4) ** 6 * (others / 4) ** 5:.1e}".replace("+", "")
    yield Row("nodes of the naive search", figures["naive_search"], naive)
    third = f"{others**2:.1e}".replace("e+0", "e")
    yield Row("third guesses without symmetry", figures["third_guesses_without_symmetry"], third)
    most = 1 + answers + answers**2
    yield Row("secrets in three turns, at most", figures["last_but_two"], most)
    parts = game.partition(0, range(game.size))
    widths = [min(answers, len(part)) for answer, part in parts.items() if answer != game.win]
    label = "secrets in three turns of Bulls & Cows, at most"
    yield Row(label, figures["last_but_two_bulls_cows"], 1 + answers + sum(widths))
    trees = [read_tree(tree_path(name, default_folder())).tree for name in _PAPERS_TREES.values()]
    outside = _range(trees, _splits_outside)
    label = "nodes that only a guess outside the candidates splits into single ones"
    yield Row(label, figures["nodes_split_from_outside"], outside)
    inside = _range(trees, lambda _, node: node.is_candidate_guess)
    label, why = "guesses that are candidates", "within the printed range"
    yield Row(label, figures["guesses_of_candidates"], inside, why=why)


def _range(trees: list[StrategyTree], counts: Callable[[StrategyTree, Node], bool]) -> str:
    """Return the least and the largest share of nodes that count, over the trees."""
    shares = [sum(counts(tree, node) for node in tree.nodes) / len(tree.nodes) for tree in trees]
    return f"{min(shares) * 100:.0f} to {max(shares):.0%}".replace("%", " %")


def _splits_outside(tree: StrategyTree, node: Node) -> bool:
    """Return whether some guess splits the candidates into single ones, but no candidate does."""
    if node.size >= len(tree.rules.answers):
        return False
    if special_guess(tree.rules, node.candidates) is not None:
        return False
    answers = np.sort(table_of(str(tree.rules)).responses[:, list(node.candidates)], axis=1)
    return bool((np.diff(answers, axis=1) > 0).all(axis=1).any())


# -- hybrids ---------------------------------------------------------------------------------------


@section("hybrids-movers", "Hybrids: fewest late secrets", "Slovesnov 5.1.1")
def late_secrets(_threads: int) -> Iterator[Row]:
    """Seven-movers of each hybrid after the first answers that it was run for (paper, 5.1.1)."""
    figures = published()["k_movers"]["p4c10n_7_movers_by_first_response"]
    for name in ("crush35", "crush45", "crush5"):
        yield from _column(name, "0123", figures[name])


@section("hybrids-turns", "Hybrids: fewest turns", "Slovesnov 5.2.1")
def turns(_threads: int) -> Iterator[Row]:
    """Turns of each hybrid after the first answers that it was run for (paper, 5.2.1)."""
    figures = published()["total_turns"]["p4c10n_by_first_response"]
    for name in ("avg35", "avg45", "fso", "avg5"):
        yield from _column(name, "0123", figures[name])
    both = "min(avg45,fso)"
    least = 0
    for answer, known in figures[both].items():
        if answer != _TOTAL:
            costs = (_value(name, f"0123:{answer}") for name in ("avg45", "fso"))
            ours = min(cost for cost in costs if cost is not None)
            least += ours
            yield Row(f"{both}, 0123 {answer}", known, ours)
    yield Row(f"{both}, total", figures[both][_TOTAL], least)


@section("hybrids-positions", "Seven-movers after two turns", "Slovesnov 5.1.1")
def positions(threads: int) -> Iterator[Row]:
    """Seven-movers of hybrids and of the exact search after two turns (paper, 5.1.1)."""
    figures = published()["k_movers"]
    for first in ("0.1", "0.2"):
        for position, columns in figures[f"p4c10n_second_guess_{first}"].items():
            guess = position.split("(")[2][:4]
            for name, column in columns.items():
                for answer, known in column.items():
                    if answer != _TOTAL:
                        yield _late(name, first, guess, answer, known, threads)
    yield from _after_two_turns("crush5", threads)


@section("hybrids-mastermind", "Mastermind: hybrids", "Slovesnov 5.1.2, 5.2.2", quick=True)
def mastermind(_threads: int) -> Iterator[Row]:
    """The hybrids of Mastermind by first guess, and after 0012 by answer (paper, 5.1.2, 5.2.2)."""
    movers = published()["k_movers"]
    totals = published()["total_turns"]
    rules = Rules.parse(MASTERMIND)
    for name, by_guess, by_answer in (
        (
            "crush3",
            movers["p4c6r_5_movers_by_first_guess_at_most_5_turns"],
            movers["p4c6r_5_movers_0012_by_response"],
        ),
        (
            "avg3",
            totals["p4c6r_at_most_5_turns_by_first_guess"],
            totals["p4c6r_0012_by_response_at_most_5_turns"],
        ),
    ):
        for guess, known in by_guess[name].items():
            parts = rules.partition(rules.parse_code(guess), range(rules.size))
            histories = [f"{guess}:{rules.answers[answer]}" for answer in parts]
            yield _row(name, guess, known, histories)
        yield from _column(name, "0012", by_answer[name])


def _column(name: str, guess: str, figures: Mapping[str, Any]) -> Iterator[Row]:
    """Yield a figure for each answer to a first guess, and their sum if the paper has it."""
    histories = {answer: f"{guess}:{answer}" for answer in figures if answer != _TOTAL}
    for answer, history in histories.items():
        yield _row(name, f"{guess} {answer}", figures[answer], [history])
    if _TOTAL in figures:
        yield _row(name, _TOTAL, figures[_TOTAL], list(histories.values()))


def _row(name: str, label: str, known: int | str | None, histories: list[str]) -> Row:
    """Compare what a hybrid costs after some histories in all.

    If it differs and the hybrid breaks ties, the figure is impossible if the best of all ties costs
    more.
    """
    row = _compared(f"{name}, {label}", known, _sum(name, histories))
    if row.verdict != "differs" or f"{name}-all" not in HYBRIDS:
        return row
    least = _sum(f"{name}-all", histories)
    assert isinstance(least, int)
    assert isinstance(row.published, int)
    why = f"whatever the ties, at least {least}"
    if least > row.published:
        return replace(row, why=why, impossible=True)
    why += "; ten orders of equal guesses give other figures"
    return replace(row, why=why, unexplained=True)


def _sum(name: str, histories: list[str]) -> int | None:
    """Return what a hybrid costs after some histories in all; None if some secret is too late."""
    costs = [_value(name, history) for history in histories]
    return None if None in costs else sum(cost for cost in costs if cost is not None)


@cache
def _search(name: str) -> HybridSearch:
    rules = MASTERMIND if name in ("crush3", "avg3") else BULLS_COWS
    return HybridSearch(Rules.parse(rules), HYBRIDS[name])


@cache
def _value(name: str, history: str) -> int | None:
    search = _search(name)
    turns = History.parse(search.rules, history).turns
    won = turns[-1][1] == search.rules.win
    return search.hybrid.weights[len(turns) - 1] if won else search.value(turns)
