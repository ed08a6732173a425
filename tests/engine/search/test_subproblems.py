"""Bounds from both sides: always true, ever tighter, and equal if there is time."""

from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.objective import INFINITE, Bounds, Objective, combine
from bullscows.game.question import Question
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import Rules, Turns
from bullscows.game.symmetry import representatives
from bullscows.game.timer import Timer
from bullscows.search.bounded_tree import BoundedTree, TreeNode
from bullscows.search.checkpoint import Checkpoint
from bullscows.search.executor import tighten
from bullscows.search.position import Position, Progress
from bullscows.search.position_search import Search
from bullscows.search.proven_bounds import MOST_ROWS, BoundsMemory
from bullscows.search.subproblems import SPLIT_SIZE, Bounding, Subproblem, SubproblemResult, tree_of
from tests.support.examples import examples
from tests.support.known import known, known_total

pytestmark = pytest.mark.large

FEWEST_TURNS = known_total("p4c10n")
KNOWN = {
    ("p4c6r", "average", None): known_total("p4c6r"),
    ("p4c6r", "last", 4): INFINITE,
    ("p4c6r", "last", 5): known("p4c6r", "last", 5).worst,
    ("p4c10n", "average", None): FEWEST_TURNS,
    ("p3c10n", "average", None): known_total("p3c10n"),
}


def search_of(rules: str, objective: str, max_turns: int | None = None, threads: int = 1) -> Search:
    table = ResponseTable.of(Rules.parse(rules))
    aim = Objective.parse(objective)
    turns = max_turns or 16
    capped = max_turns is not None
    weights = combine(aim, turns, table.size, table.answers, capped=capped)
    return Search(table, weights, threads=threads)


def root(search: Search) -> Position:
    return Position.after(search.table, ())


@pytest.mark.parametrize(("game", "value"), KNOWN.items())
def test_bounds_meet_at_the_value(game: tuple[str, str, int | None], value: int) -> None:
    search = search_of(*game)
    upper = value if value < INFINITE else None
    assert tighten(search, tree_of(search, ())) == Bounds(value, upper)


def test_every_upper_bound_of_the_whole_has_a_guess() -> None:
    plain = search_of("p3c10n", "average")
    memory = BoundsMemory(1)
    search = Search(plain.table, plain.weights, checkpoint=memory)
    proven = memory.proven(plain.weights)
    total = known_total("p3c10n")
    bounding = Bounding(search, tree_of(search, ()))
    while questions := bounding.next_questions(1):
        (question,) = questions
        position = question.node.position(search.table)
        bounds = search.value(position, budget=question.budget)
        bounding.learn(question, SubproblemResult(bounds, 0.1, False, 10, search.best_guess))
        assert (proven.guess is None) == (proven.bounds.upper is None)
    assert proven.bounds == Bounds(total, total)


@pytest.mark.parametrize("first", ["0000", "0011"])
def test_the_first_guess_can_be_given(first: str) -> None:
    search = search_of("p4c6r", "average")
    guess = Rules.parse("p4c6r").parse_code(first)
    tree = tree_of(search, ())
    bounds = tighten(search, tree, option=tree.option(tree.root, guess))
    plain = sum(search.value(part).lower for part in search.parts(root(search), guess).values())
    assert bounds == Bounds(plain, plain)


def answer(search: Search, question: Subproblem, is_abandoned: bool) -> SubproblemResult:
    """Answer a question at once, or after its patience without any bound."""
    if is_abandoned:
        return SubproblemResult(Bounds(), question.patience or 1.0, True, 0)
    asked = search.beam(width=question.width) if question.width else search
    bounds = asked.value(question.node.position(search.table), budget=question.budget)
    return SubproblemResult(bounds, 0.001, False, 100)


def work_off(search: Search, bounding: Bounding, seed: int) -> None:
    """Answer up to four questions in any order; abandon each large position twice."""
    chance = Random(seed)
    abandoned: Counter[tuple[Turns, int]] = Counter()
    asked = bounding.next_questions(4)
    while asked:
        question = asked.pop(chance.randrange(len(asked)))
        name = (question.node.turns, question.width)
        is_abandoned = question.node.count >= SPLIT_SIZE and abandoned[name] < 2
        abandoned[name] += is_abandoned
        bounding.learn(question, answer(search, question, is_abandoned))
        asked += bounding.next_questions(4 - len(asked))
    bounding.end()


def split_nodes(tree: BoundedTree) -> list[TreeNode]:
    """Return the positions that were split, but for those of a single first guess."""
    found = []
    queue = [tree.root]
    for node in queue:
        options = node.options or []
        found += [node] if len(options) > 1 else []
        queue += [part for option in options for part in option.children.values()]
    return found


@pytest.mark.parametrize(
    ("rules", "objective", "max_turns"),
    [
        ("p4c5r", "average", None),
        pytest.param("p4c6r", "average", None, marks=pytest.mark.slow),
        pytest.param("p5c7n", "average", None, marks=pytest.mark.slow),
        ("p4c8n", "average,last", 8),
        ("p4c8n", "movers", 6),
        ("p4c6r", "last", 4),  # no strategy keeps within the turns
    ],
)
@pytest.mark.parametrize("seed", range(4))
def test_questions_answered_in_any_order_prove_the_value(rules, objective, max_turns, seed) -> None:
    """Some are abandoned, so that their positions are split into guesses."""
    plain = search_of(rules, objective, max_turns)
    value = plain.value(root(plain))
    search = search_of(rules, objective, max_turns)
    tree = tree_of(search, ())
    bounding = Bounding(search, tree, may_split=True, is_remote=True)
    work_off(search, bounding, seed)
    assert bounding.bounds() == value
    assert split_nodes(tree)


def test_no_question_is_asked_twice_at_once() -> None:
    search = search_of("p4c8n", "average")
    bounding = Bounding(search, tree_of(search, ()), may_split=True, is_remote=True)
    asked = bounding.next_questions(1000)
    names = [(question.node.turns, question.width) for question in asked]
    assert len(set(names)) == len(names) > 10
    assert bounding.next_questions(1) == []


def test_a_budget_that_is_too_small_is_proved_to_be() -> None:
    value = search_of("p4c6r", "average").value(root(search_of("p4c6r", "average"))).lower
    for budget in (value - 1, value):
        search = search_of("p4c6r", "average")
        bounds = tighten(search, tree_of(search, ()), budget=budget)
        assert bounds.lower == value
        assert bounds.exact == (budget == value)


def test_bounds_of_split_positions_are_kept_in_a_checkpoint(tmp_path: Path) -> None:
    """All of them, as long as there is room for their rows."""
    plain = search_of("p4c8n", "average")
    checkpoint = Checkpoint(tmp_path / "proof.json", Question.of("p4c8n"))
    search = Search(plain.table, plain.weights, checkpoint=checkpoint)
    kept = checkpoint.proven(plain.weights)
    kept.least_effort = 0
    tree = tree_of(search, ())
    bounding = Bounding(search, tree, may_split=True, is_remote=True)
    work_off(search, bounding, 1)
    kept.merge()
    nodes = split_nodes(tree)
    assert nodes
    assert len(kept.rows()) < MOST_ROWS
    for node in nodes:
        position = node.position(search.table)
        recalled = max(search.recalled(position).lower, tree.least(node))
        assert node.bounds.lower <= recalled <= plain.value(position).lower


@pytest.mark.parametrize("answer_text", ["0.3", pytest.param("1.1", marks=pytest.mark.slow)])
@pytest.mark.parametrize("rows", ["whole", "candidates"])
def test_positions_of_a_history_are_split_into_a_guess_of_each_class(rows, answer_text):
    """Also where the table has rows of candidates only, whose numbers are not those of codes."""
    rules = Rules.parse("p4c10n")
    whole = search_of("p4c10n", "average")
    played = [(rules.parse_code("0123"), rules.parse_answer(answer_text))]
    position = Position.after(whole.table, played)
    value = whole.value(position)
    table = whole.table
    if rows == "candidates":
        candidates = np.array(position.candidates, dtype=np.int32)
        table = ResponseTable.of_candidates(rules, candidates)
    search = Search(table, whole.weights)
    tree = tree_of(search, played)
    assert tree.guesses(tree.root) == representatives(rules, [played[0][0]]).tolist()
    tree.split(tree.root)
    bounding = Bounding(search, tree, may_split=True, is_remote=True)
    work_off(search, bounding, 1)
    assert bounding.bounds() == value


@given(seconds=st.sampled_from([0.0, 0.02, 0.1, 0.3]))
@examples(4)
def test_bounds_after_any_time_hold(seconds: float) -> None:
    search = search_of("p4c10n", "average")
    bounds = tighten(search, tree_of(search, ()), timer=Timer(seconds))
    assert bounds.lower <= FEWEST_TURNS
    assert bounds.upper is None or bounds.upper >= FEWEST_TURNS


def test_progress_tightens_only() -> None:
    reported: list[Progress] = []
    search = search_of("p4c10n", "average")
    tighten(search, tree_of(search, ()), progress=reported.append)
    lowers = [progress.lower for progress in reported]
    uppers = [progress.best for progress in reported if progress.best is not None]
    assert lowers == sorted(lowers)
    assert uppers == sorted(uppers, reverse=True)
    assert [progress.seconds for progress in reported] == sorted(p.seconds for p in reported)
