"""The sections: every table that ships is recomputed, every difference known."""

import pytest

from bullscows.shipping.catalogue import CATALOGUE
from bullscows.shipping.totals import NOBODY, credit
from bullscows.strategies.rules.one_step import HEURISTICS
from research.beyond import OPEN
from research.page import rewritten
from research.sections import sections
from research.tables import read_tables, tables_file
from tests import ROOT

pytestmark = pytest.mark.large

DOCS = ROOT / "docs"

SHIPPED = read_tables(tables_file(ROOT / "trees"))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if section.is_quick else pytest.mark.slow)
        for name, section in sections().items()
    ],
)
def test_every_table_that_ships_is_made_again(name: str) -> None:
    made = sections()[name].table()
    assert made.rows
    assert [row for row in made.rows if row.verdict == "differs"] == []
    assert made == SHIPPED.get(name), f"stale: python -m research {name} --write"


def test_page_of_results_shows_the_tables_that_ship() -> None:
    assert list(SHIPPED) == list(sections())
    page = (DOCS / "results.md").read_text(encoding="utf-8")
    assert page == rewritten(page, SHIPPED, ROOT / "trees"), "stale: python -m research --write"


def test_every_row_of_two_figures_has_a_verdict_and_a_reason_if_they_differ() -> None:
    rows = [row for table in SHIPPED.values() for row in table.rows]
    assert not [row for row in rows if "" not in (row.published, row.ours) and not row.verdict]
    assert not [row for row in rows if row.verdict not in ("", "agrees") and not row.why]


def test_nothing_published_is_called_unpublished() -> None:
    assert not [row for row in OPEN if credit(*row) != NOBODY]


def test_every_rule_and_tree_of_its_games_has_its_length() -> None:
    """To count the turns again takes a minute, to see that a new strategy lacks its row nothing."""
    listed = {row.label for row in read_tables(tables_file(ROOT / "trees"))["lengths"].rows}
    games = {name.split()[0] for name in listed}
    trees = [one for one in CATALOGUE.values() if one.rules in games]
    due = {f"{one.rules} {one.name}" for one in trees if one.objective not in HEURISTICS}
    due |= {f"{rules} {name}" for rules in games for name in HEURISTICS}
    assert due - listed == set(), "stale: python -m research lengths duel --write"
