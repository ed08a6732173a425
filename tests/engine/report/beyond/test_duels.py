"""The tables of lengths and of the duel: who is in them, and who is called beaten."""

from __future__ import annotations

from bullscows.build.catalogue import CATALOGUE
from bullscows.game.duel import Score
from bullscows.report.beyond.duels import reason_against
from bullscows.report.tables import read_tables, tables_file
from bullscows.strategies.rules.one_step import HEURISTICS
from tests import ROOT


def test_a_strategy_is_beaten_by_what_the_best_reply_gains() -> None:
    assert "by 100.00 duels in a thousand" in reason_against(Score(won=5, drawn=1, lost=4))


def test_a_strategy_that_no_reply_beats_has_no_reason_against_it() -> None:
    assert reason_against(Score(won=4, drawn=2, lost=4)) == ""


def test_every_rule_and_tree_of_its_games_has_its_length() -> None:
    """To count the turns again takes a minute, to see that a new strategy lacks its row nothing."""
    listed = {row.label for row in read_tables(tables_file(ROOT / "trees"))["lengths"].rows}
    games = {name.split()[0] for name in listed}
    trees = [one for one in CATALOGUE.values() if one.rules in games]
    due = {f"{one.rules} {one.name}" for one in trees if one.objective not in HEURISTICS}
    due |= {f"{rules} {name}" for rules in games for name in HEURISTICS}
    assert due - listed == set(), "stale: make it again by bullscows report lengths duel --write"
