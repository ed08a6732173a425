"""Francis' strategies: a total is explained only if rounding leads to it."""

from __future__ import annotations

import pytest

from bullscows.report.documents.strategies import total_of_best
from bullscows.report.rows import Verdict


@pytest.mark.parametrize(
    ("exact", "rounded", "verdict"),
    [(26405, 26406, "explained"), (26405, 26407, "unexplained"), (26406, 26406, "agrees")],
)
def test_a_total_is_explained_by_rounding_only_if_rounding_gives_it(
    exact: int, rounded: int, verdict: Verdict
) -> None:
    row = total_of_best(26406, exact, rounded)
    assert row.verdict == verdict
    assert str(exact) in row.why
    assert str(rounded) in row.why
