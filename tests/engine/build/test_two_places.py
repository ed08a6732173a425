"""The games of two places against the closed forms of Chen and Lin, which Peczarski proved."""

import pytest

from bullscows.build.atlas import atlas_path, read_atlas
from bullscows.search.solver import solve
from bullscows.tree.storage import default_folder

GAMES = read_atlas(atlas_path(default_folder())).games


@pytest.mark.parametrize("n", range(3, 17))
def test_totals_and_worst_cases_are_those_of_the_formulas(n: int) -> None:
    """Chen and Lin, JISE 20 (2004) and The Computer Journal 47 (2004); arXiv 1808.03849.

    Of two symbols with repeats the formula says 7, but each first guess leaves two codes together.
    """
    different, repeated = GAMES[f"p2c{n}n"], GAMES[f"p2c{n}r"]
    rest = -82 * n + 105 if n % 2 else -76 * n + 72
    assert 12 * different.total == 4 * n**3 + 21 * n**2 + rest
    assert different.worst == -(-n // 2) + 1
    rest = -80 * n + 69 if n % 2 else -74 * n + 48
    assert 24 * repeated.total == 8 * n**3 + 51 * n**2 + rest
    assert repeated.worst == n // 2 + 2


@pytest.mark.parametrize("n", range(2, 9))
def test_black_pegs_take_one_turn_more_than_there_are_colours(n: int) -> None:
    assert solve(f"p2c{n}rb", "worst").value == n + 1
