"""The catalogue: what a new line in it asks for."""

from bullscows.build.catalogue import CATALOGUE
from tests import ROOT
from tests.support.known import FILE, known_costs

TOO_LONG = {
    *("avg-bulls-cows-11-symbols", "avg-bulls-cows-5-of-8", "avg-bulls-cows-5-of-9"),
    *("avg-bulls-cows-6-of-7", "avg-mastermind-4x9", "avg-mastermind-5x6"),
}
"""Trees whose proofs are left to `make trees`: half a minute and more."""


def test_every_tree_has_its_row_of_known_costs() -> None:
    """But the champions, whose weights are found by a search, and the best that are not proved."""
    stated = {(row.rules, row.objective, row.max_turns) for row in known_costs()}
    lacking = {
        spec.name
        for spec in CATALOGUE.values()
        if (spec.rules, spec.objective, spec.max_turns) not in stated
        and spec.lower is None
        and not spec.objective.startswith("weights:")
    }
    assert lacking == TOO_LONG, f"they need a row in {FILE.relative_to(ROOT)}"
