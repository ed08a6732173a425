"""The exact search: against unpruned recursion, published values, itself with pruning off."""

import signal
import threading
from collections import Counter
from contextlib import suppress
from functools import cache
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.arguments import ArgumentError
from bullscows.game.history import candidates, table_after
from bullscows.game.objective import NAMES, Objective, Weights, combine, total_turns
from bullscows.game.question import Question
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import Rules
from bullscows.kernels.pruning import ALL_PRUNING, Pruning
from bullscows.library import solve
from bullscows.search.position import Position, SearchError
from bullscows.search.position_search import Search
from bullscows.shipping.named_trees import strategy_tree
from bullscows.tree.strategy_tree import StrategyTree
from tests.support.examples import examples
from tests.support.known import KnownCost, known_costs, known_total
from tests.support.naive import naive_first_guess, naive_value
from tests.support.servers.processes import interruptible

pytestmark = pytest.mark.large


@cache
def table_of(text):
    return ResponseTable.of(text)


def rows_of(table):
    return table.responses[:, : table.size].tolist()


small_rules = st.sampled_from(
    [
        *("p1c4r", "p2c3r", "p2c4n", "p3c3r", "p3c4n", "p2c5r", "p3c5n", "p4c5n", "p2c3z", "p3c4z"),
        *("p3c5z", "p3c3rb", "p4c2rb", "p3c4nb", "p4c4nb", "p3c4zb"),
    ]
)
weight_lists = st.lists(st.sampled_from([0, 0, 1, 1, 2, 7, 100]), min_size=3, max_size=7).map(
    lambda steps: tuple(int(weight) for weight in np.cumsum(steps))
)


@st.composite
def positions(draw):
    """A game and a small set of candidates, by history or at will."""
    table = table_of(draw(small_rules))
    if draw(st.booleans()):
        history = []
        secret = draw(st.integers(0, table.size - 1))
        for guess in draw(st.lists(st.integers(0, table.size - 1), min_size=1, max_size=2)):
            history.append((guess, int(table.responses[secret, guess])))
        position = Position.after(table, history)
        if len(position.candidates) <= 9:
            return table, position
    codes = draw(st.sets(st.integers(0, table.size - 1), min_size=1, max_size=7))
    return table, Position(tuple(sorted(codes)), draw(st.integers(1, 2)))


@examples(100)
@given(positions(), weight_lists, st.sampled_from([Pruning(0), *Pruning]), st.booleans())
def test_value_and_guess_agree_with_unpruned_search(case, weights, off, only):
    """With every technique and without each of them, among all guesses or candidates only."""
    table, position = case
    given = rows_of(table), table.win, weights, position.candidates, position.turn
    options = {"table_bits": 10, "pruning": ALL_PRUNING & ~off, "candidates_only": only}
    search = Search(table, Weights.of(weights), **options)
    expected = naive_value(*given, candidates_only=only)
    outcome = search.value(position)
    assert (outcome.upper, outcome.exact) == (expected, True)
    if expected is not None:
        guess = search.guess(position, expected)
        assert guess in position.candidates if only else guess == naive_first_guess(*given)


@examples(60)
@given(positions(), weight_lists, st.integers(0, 60))
def test_budget_gives_the_value_or_a_bound_above_it(case, weights, budget):
    table, position = case
    outcome = Search(table, Weights.of(weights), table_bits=10).value(position, budget=budget)
    exact = naive_value(rows_of(table), table.win, weights, position.candidates, position.turn)
    if (exact is not None and exact <= budget) or len(position.candidates) <= 2:
        assert outcome.upper == exact
    else:
        assert outcome.lower > budget
        assert exact is None or outcome.lower <= exact


@given(st.integers(0, 2**32), st.integers(5, 8), st.integers(2, 4))
@examples(60)
def test_a_game_may_answer_a_guess_otherwise_than_the_secret_would(seed, size, others):
    """No symmetry of guess and secret is taken for granted: any table of answers is a game."""
    answers = np.random.default_rng(seed).integers(0, others, (size, size), dtype=np.uint8)
    np.fill_diagonal(answers, others)
    table = ResponseTable.from_answers(answers, answers=others + 1, win=others)
    weights = range(1, size + 2)
    expected = naive_value(answers.tolist(), others, weights, tuple(range(size)))
    assert solve(table).value == expected


def test_zero_stands_for_no_other_digit_where_no_number_begins_with_it():
    """Swapping 0 and 2 maps these candidates to themselves, but no best guess to a number."""
    table = table_of("p4c5z")
    codes = tuple(map(table.rules.parse_code, ["1340", "1342", "3014", "3214", "4103", "4123"]))
    weights = tuple(range(1, 8))
    found = Search(table, Weights.of(weights)).value(Position(codes))
    assert found.upper == naive_value(rows_of(table), table.win, weights, codes) == 12


ASYMMETRIC = ALL_PRUNING & ~(Pruning.CANONICAL | Pruning.HISTORY | Pruning.SYMBOLS)
WITHOUT = [
    *(("p3c6n", "average,last", ALL_PRUNING & ~off) for off in Pruning),
    ("p3c7z", "worst,average", ASYMMETRIC),
    ("p4c6z", "average", ASYMMETRIC),
    *(
        (game, objective, ASYMMETRIC)
        for game in ("p3c4rb", "p6c2rb", "p4c5nb", "p5c5nb", "p3c5zb")
        for objective in ("average,worst", "weights:0,1,1,4,9,9,30")
    ),
]


@pytest.mark.parametrize(("text", "objective", "pruning"), WITHOUT, ids=str)
def test_techniques_change_neither_value_nor_tree(text, objective, pruning):
    turns = 6 if "last" in objective else None
    plain, without = (
        solve(table_of(text), objective, max_turns=turns, pruning=used)
        for used in (ALL_PRUNING, pruning)
    )
    assert without.value == plain.value
    assert without.tree() == plain.tree()


@cache
def naive_totals(text):
    """The fewest turns in all, by the last turn allowed."""
    table = table_of(text)
    everything = tuple(range(table.size))
    return {
        last: naive_value(rows_of(table), table.win, range(1, last + 1), everything)
        for last in range(1, 7)
    }


@pytest.mark.parametrize(
    "text", ["p2c4r", "p3c4n", "p2c6n", "p2c6r", "p3c4z", "p4c2rb", "p4c4nb", "p3c4zb"]
)
@pytest.mark.parametrize("objective", ["average", "worst,average", "average,worst"])
def test_first_positions_agree_with_unpruned_search(text, objective):
    solution = solve(table_of(text), objective)
    totals = {last: total for last, total in naive_totals(text).items() if total is not None}
    if objective == "worst,average":
        expected = min(totals.items())
    else:
        expected = min(totals.items(), key=lambda item: (item[1], item[0]))
    tree = solution.tree()
    assert solution.levels["total"] == tree.total == expected[1]
    if "worst" in objective:
        assert solution.levels["worst"] == tree.depth == expected[0]


def test_late_turns_without_a_cap_are_those_under_it() -> None:
    """p3c9n takes fewest turns within 6, and `last` counts there what ``from:6`` does."""
    free = solve("p3c9n", "average,from:7,from:6")
    capped = solve("p3c9n", "average,last", max_turns=6)
    assert free.levels["turn 7 or later"] == 0
    assert free.levels["turn 6 or later"] == capped.levels["last"]
    assert free.levels["total"] == capped.levels["total"]


@pytest.mark.parametrize(
    ("rules", "objective", "max_turns", "nodes"),
    [("p4c6r", "average", None, 308), ("p4c10n", "average,last", 7, 15743)],
)
def test_the_reference_search_visits_the_stated_number_of_nodes(rules, objective, max_turns, nodes):
    """Change a number here only in a commit that means to change what is searched, and says so."""
    solution = solve(table_of(rules), objective, max_turns=max_turns)
    assert solution.counters["nodes"] == nodes


@pytest.mark.parametrize(
    ("rules", "objective", "max_turns"),
    [
        ("p4c6r", "average,last", 6),
        ("p4c6r", "movers", 5),
        ("p3c9n", "average", None),
        ("p3c9r", "last,average", 6),
        ("p4c5r", "weights:0,1,3,3,7,20,50", None),
    ],
)
def test_three_threads_find_the_value_and_tree_of_one(rules, objective, max_turns):
    """Bounds of guesses shared by threads were once applied to images of a set, too."""
    alone = solve(table_of(rules), objective, max_turns=max_turns)
    for _ in range(3):
        shared = solve(table_of(rules), objective, max_turns=max_turns, threads=3)
        assert (shared.value, shared.guess) == (alone.value, alone.guess)
        assert shared.tree() == alone.tree()


def interrupt(_progress):
    raise KeyboardInterrupt


def test_interrupt_leaves_bounds():
    solution = solve(table_of("p4c10n"), "last,average", max_turns=7, progress=interrupt)
    assert (solution.optimal, solution.feasible) == (False, None)


def test_progress_names_the_guess_by_its_code():
    """A table of some candidates has numbers of its own."""
    rules = Rules.parse("p5c8r")
    question = Question.of(rules, "01234:0.3", candidates_only=True)
    table = table_after(question.history)
    search = Search(table, question.weights(), candidates_only=True)
    guesses = []

    def show(progress):
        if progress.guess is not None:
            guesses.append(progress.guess)
            raise KeyboardInterrupt

    search.value(Position.after(table, question.history), progress=show)
    assert guesses
    assert set(guesses) <= set(question.candidates.tolist())


@pytest.mark.parametrize("objective", ["worst,average", "average,worst"])
def test_an_interrupt_as_the_search_for_one_last_turn_ends_is_not_lost(objective, monkeypatch):
    """Each last turn is asked about by a search of its own, which may take less than a moment."""
    value = Search.value

    def interrupted(search, *args, **options):
        bounds = value(search, *args, **options)
        search.interrupted = True
        return bounds

    monkeypatch.setattr(Search, "value", interrupted)
    solution = solve(table_of("p3c5n"), objective)
    assert (solution.interrupted, solution.optimal) == (True, False)


def test_an_interrupt_while_the_guess_is_looked_for_is_no_guess():
    """Threads that were stopped once left the guess of some smaller position behind."""
    table = table_of("p4c10n")
    weights = combine(Objective.parse("average"), 16, 5040, 14, capped=False)
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))

    def work():
        while True:  # until the interrupt: a fast machine finds the guess before it
            search = Search(table, weights, threads=2)
            search.guess(Position.after(table, ()), known_total("p4c10n"))

    with interruptible():
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            work()


def test_last_turn_that_is_over_leaves_no_strategy():
    rules = Rules.parse("p4c6r")
    history = [(rules.parse_code(guess), rules.parse_answer("1.1")) for guess in ("0012", "0034")]
    for objective in ("worst", "worst,average", "average,worst"):
        solution = solve(table_of("p4c6r"), objective, history=history, max_turns=1)
        assert solution.feasible is False


def test_worst_case_without_time_names_no_cap_of_its_own():
    solution = solve(table_of("p4c10n"), "worst", time_limit=0.0)
    assert (solution.optimal, solution.question.max_turns) == (False, None)
    assert 1 <= solution.bounds.lower <= 7
    assert solution.bounds.upper is None


@pytest.mark.parametrize("options", [{"first": -1}, {"first": 60}, {"threads": 0}], ids=str)
def test_bad_questions_are_refused(options):
    with pytest.raises((SearchError, ArgumentError)):
        solve(table_of("p3c5n"), "average", **options)


@pytest.mark.parametrize("text", ["p4c5r", "p3c7n", "p4c7n"])
@pytest.mark.parametrize("objective", ["average", "average,last"])
def test_rows_of_the_candidates_are_all_that_a_search_needs(text, objective):
    """The same value and the same guess as with the table of the whole game."""
    rules = Rules.parse(text)
    random = Random(text + objective)
    whole = ResponseTable.of(rules)
    weights = combine(Objective.of(objective), 9, rules.size, whole.answers, capped=True)
    search = Search(whole, weights)
    for _ in range(12):
        secret = random.randrange(rules.size)
        guesses = random.sample(range(rules.size), random.choice((1, 2)))
        history = tuple((guess, rules.respond(guess, secret)) for guess in guesses)
        position = Position.after(whole, history)
        rows = ResponseTable.of_candidates(rules, candidates(rules, history))
        narrow = Search(rows, weights)
        same = Position.after(rows, history)
        found = search.value(position)
        assert narrow.value(same) == found
        if found.upper is not None:
            guess = search.guess(position, found.upper)
            assert rows.code(narrow.guess(same, found.upper)) == guess


SEARCHED = [row for row in known_costs() if set(row.objective.split(",")) <= set(NAMES)]
FOLLOWED = [row for row in known_costs() if row not in SEARCHED]


def rows(costs: list[KnownCost]) -> list[object]:
    slow = pytest.mark.slow
    return [pytest.param(row, id=str(row), marks=[slow] if row.is_slow else []) for row in costs]


def agrees(tree: StrategyTree, row: KnownCost) -> None:
    found = {"total": tree.total, "depth": tree.depth, "worst": tree.distribution[-1]}
    stated = {name: getattr(row, name) for name in found if getattr(row, name) is not None}
    assert stated == {name: found[name] for name in stated}


@pytest.mark.parametrize("row", rows(SEARCHED))
def test_the_search_finds_the_known_cost(row: KnownCost) -> None:
    rules = Rules.parse(row.rules)
    first = None if row.first is None else rules.parse_code(row.first)
    table = ResponseTable.of(rules)
    solution = solve(table, row.objective, max_turns=row.max_turns, first=first)
    assert solution.feasible == row.is_feasible
    if row.is_feasible:
        tree = solution.tree()
        agrees(tree, row)
        for name, cost in (("total", tree.total), ("worst", tree.depth)):
            assert solution.levels.get(name, cost) == cost


@pytest.mark.parametrize("row", rows(FOLLOWED))
def test_the_strategy_has_the_known_cost(row: KnownCost) -> None:
    agrees(strategy_tree(Rules.parse(row.rules), row.objective), row)


def test_rows_are_asked_once_and_say_who_found_them() -> None:
    assert not [name for name, count in Counter(map(str, known_costs())).items() if count > 1]
    for row in known_costs():
        assert row.source
        assert not row.is_feasible or any((row.total, row.depth, row.worst)), row


RULES = Rules.parse("p3c6n")
TABLE = ResponseTable.of(RULES)


@pytest.mark.parametrize(
    ("history", "first"), [("", None), ("", "012"), ("012:0.1", None), ("012:0.1 345:0.2", "120")]
)
@pytest.mark.parametrize("objective", ["average,last", "last", "movers", "worst,average"])
def test_all_figures_are_those_of_the_tree(history, first, objective):
    solution = solve(TABLE, objective, history=history, first=first, max_turns=6)
    tree = solution.tree()
    assert tree.root.turn == len(history.split()) + 1
    assert solution.distribution == tree.distribution
    assert solution.total == tree.total
    assert solution.mean == tree.total / tree.root.size
    turns = [*tree.distribution, 0, 0, 0, 0, 0, 0][:6]
    costs = {"total": total_turns(turns), "last": turns[5], "worst": tree.depth}
    costs |= {f"turn {k} or later": sum(turns[k - 1 :]) for k in range(2, 7)}
    assert solution.levels == {name: costs[name] for name in solution.levels}
    assert solution.value == next(iter(solution.levels.values()))
    assert solution.bounds == (solution.value, solution.value)


def test_a_total_counts_from_the_first_turn_of_the_game_as_the_value_does() -> None:
    solution = solve(TABLE, history="012:0.1")
    assert solution.value == solution.total == 140
    assert solution.distribution == (0, 1, 7, 23, 5)
    assert "average, " not in str(solution)
    assert "total 140 (mean 3.889)" in str(solution)


@pytest.mark.parametrize(("text", "left"), [("012:0.3", 2), ("012:0.3 120:0.3", 1)])
def test_turns_of_one_or_two_candidates_begin_with_the_first_guess_too(text: str, left: int):
    """A guess that can't be the secret takes a turn more, and the value has it."""
    turn = len(text.split()) + 1
    later = 0
    for first in range(RULES.size):
        with suppress(SearchError):  # it excludes nothing
            solution = solve(TABLE, history=text, first=first)
            turns = solution.distribution
            assert turns is not None
            assert sum(turns) == solution.secrets == left
            assert total_turns(turns) == solution.value
            assert (turns[turn - 1] == 1) == (first in solution.position.candidates)
            later += turns[turn - 1] == 0
            if left > 1:
                tree = solution.tree()
                assert (tree.root.guess, tree.distribution) == (first, turns)
    assert later


@pytest.mark.parametrize(
    ("objective", "max_turns", "level", "value"),
    [
        ("average", None, "total", 26274),
        ("last,average", 7, "last", 50),
        ("worst,average", None, "worst", 7),
    ],
)
def test_bounds_are_those_of_the_strongest_criterion(objective, max_turns, level, value):
    """The upper one is that of the shipped tree."""
    stopped = solve("p4c10n", objective, max_turns=max_turns, time_limit=0.0)
    assert (stopped.value, stopped.total, stopped.distribution) == (None, None, None)
    assert stopped.bounds.lower < value == stopped.bounds.upper
    assert f"{level} at least {stopped.bounds.lower}" in stopped.claim
    assert f"at most {value}" in stopped.claim


def test_without_a_strategy_there_is_no_distribution() -> None:
    solution = solve(TABLE, "average", max_turns=2)
    assert (solution.distribution, solution.total, solution.mean) == (None, None, None)
    assert "no strategy" in str(solution)
