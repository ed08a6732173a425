"""The estimated work of a proof: draws whose mean is the work of all searches."""

import pytest

from bullscows.game.history import table_after
from bullscows.game.objective import INFINITE
from bullscows.game.question import Question
from bullscows.kernels.pruning import TIED_SIZE
from bullscows.search.bounded_tree import SETTLED, BoundedTree, TreeNode
from bullscows.search.estimate import BEAMS, estimate
from bullscows.search.position_search import Search

pytestmark = pytest.mark.large

DRAWS = 200
WHOLE = 600.0
"""Seconds that no search of a part takes, so that only the first guess is drawn."""


def nodes_of_all(question: Question, upper: int) -> int:
    """Return the nodes of every search that a draw can come to, each counted once."""
    table = table_after(question.history)
    tree = BoundedTree(table, question.weights(), question.history)
    beams = [Search(table, tree.weights, width=width) for width in BEAMS]

    def searched(search: Search, node: TreeNode, limit: int) -> tuple[int, int]:
        before = search.counters()["nodes"]
        found = search.value(node.position(table), budget=limit)
        return search.counters()["nodes"] - before, found.lower

    nodes = 0
    for option in tree.split(tree.root):
        small = Search(table, tree.weights, table_bits=16)
        total = option.least
        for answer, size, least in reversed(option.parts):
            if size <= SETTLED or total >= upper:
                continue
            part = tree.after(tree.root, option, answer)
            limit = upper - 1 - total + least
            is_small = size <= TIED_SIZE
            more, found = searched(small if is_small else Search(table, tree.weights), part, limit)
            nodes += more
            if not is_small:
                found = min(searched(beam, part, INFINITE - 1)[1] for beam in beams)
            total += found - least
    return nodes


@pytest.mark.parametrize(
    ("question", "upper"),
    [
        (Question.of("p4c5r"), 2463),
        (Question.of("p4c5r", (), "average,last", 6), None),
        (Question.of("p3c9n"), None),
        pytest.param(Question.of("p4c6r"), 5625, marks=pytest.mark.slow),
    ],
)
def test_mean_of_draws_is_the_work_of_all_searches(question: Question, upper: int | None) -> None:
    draws = 10 * DRAWS if question.game == "p4c6r" else DRAWS
    found = estimate(question, upper=upper, draws=draws, slice_seconds=WHOLE)
    assert found is not None
    assert found.error is not None
    exact = nodes_of_all(question, found.upper)
    assert exact > 0
    assert abs(found.work[0] - exact) < 4 * found.error[0] + 1e-9 * exact
    assert found.error[0] < 0.2 * exact


def test_same_seed_makes_the_same_draws() -> None:
    question = Question.of("p4c5r")
    nodes = []
    for seed in (5, 5, 6):
        found = estimate(question, upper=2463, draws=4, seed=seed, slice_seconds=WHOLE)
        assert found is not None
        nodes.append(found.work[0])
    assert nodes[0] == nodes[1] != nodes[2]


def test_a_search_that_is_too_long_is_split() -> None:
    question = Question.of("p4c9n")
    cut, whole = (
        estimate(question, draws=1, seed=3, slice_seconds=seconds) for seconds in (0.0, WHOLE)
    )
    assert cut is not None
    assert whole is not None
    assert cut.work[0] != whole.work[0]
