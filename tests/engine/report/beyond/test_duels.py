"""The table of the duel: a strategy is called beaten only if the best reply gains."""

from __future__ import annotations

from engine.game.duel import Score
from engine.report.beyond.duels import reason_against


def test_a_strategy_is_beaten_by_what_the_best_reply_gains() -> None:
    assert "by 100.00 duels in a thousand" in reason_against(Score(won=5, drawn=1, lost=4))


def test_a_strategy_that_no_reply_beats_has_no_reason_against_it() -> None:
    assert reason_against(Score(won=4, drawn=2, lost=4)) == ""
