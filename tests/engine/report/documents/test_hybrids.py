"""Slovesnov's hybrids: which figures are his, and which differ and are known to."""

from __future__ import annotations

from bullscows.report.rows import Row
from bullscows.report.tables import read_tables, tables_file
from tests import ROOT

SHIPPED = read_tables(tables_file(ROOT / "trees"))


def rows(name: str) -> tuple[Row, ...]:
    """Return the rows that ship: `test_report` makes each table again and holds it against them."""
    return SHIPPED[name].rows


def differing(name: str, verdict: str = "unexplained") -> list[tuple[str, str, str]]:
    found = [row for row in rows(name) if row.verdict not in ("", "agrees")]
    assert {row.verdict for row in found} <= {verdict}
    assert all(row.why for row in found)
    return [(row.label, row.published, row.ours) for row in found]


def test_hybrids_of_mastermind_but_for_the_order_of_equal_guesses() -> None:
    differs = differing("hybrids-mastermind", "explained")
    assert differs == [("avg3, 0011", "5716", "5717")]
    found = {row.label: row.ours for row in rows("hybrids-mastermind")}
    assert found["avg3, last outside, 0011"] == "5716"
    assert found["avg3, last outside, total"] == "5638"


def test_crush35_answer_by_answer() -> None:
    assert differing("hybrids-movers") == [
        ("crush35, 0123 0.1", "76", "104"),
        ("crush35, 0123 0.2", "22", "24"),
        ("crush35, total", "99", "129"),
    ]


def test_turns_answer_by_answer() -> None:
    assert differing("hybrids-turns") == [
        ("avg35, 0123 2.0", "845", "844"),
        ("avg35, 0123 2.1", "314", "316"),
        ("avg35, total", "26431", "26432"),
        ("avg45, 0123 0.2", "6817", "6816"),
        ("avg45, total", "26306", "26305"),
    ]


def test_crush45_after_two_turns() -> None:
    assert differing("hybrids-positions") == [
        ("crush45, 0123 0.1, 1245 0.1", "41", "51"),
        ("crush45, 0123 0.1, 1245 0.2", "10", "12"),
        ("crush45, 0123 0.2, 1435 0.1", "9", "11"),
        ("crush45, 0123 0.2, 1435 0.2", "1", "3"),
    ]
