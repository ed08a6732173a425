"""Reasons why a guess could not be the code, against all codes that could."""

from __future__ import annotations

import pytest

from bullscows.analysis.findings import Evaluation
from bullscows.game.candidates import splits
from bullscows.game.history import History
from bullscows.game.question import Question
from bullscows.game.rules import Rules
from bullscows_web.review.reasons import impossible
from bullscows_web.review.reviewed import Judgement


@pytest.mark.parametrize("played", ["p3c5n 012:0.2", "p3c4r 001:1.1", "p3c5n 012:1.1 031:1.0"])
def test_reason_is_true_of_all_codes_that_are_left(played: str):
    rules, *turns = played.split()
    question = Question.of(rules, " ".join(turns))
    left = [question.rules.text(code) for code in question.candidates.tolist()]
    codes = range(question.rules.size)
    flaws = set()
    for split in splits(question.rules, question.candidates, codes):
        judged = Judgement(Evaluation(question, split), split)
        reason = impossible(judged)
        assert (reason is None) == (judged.guess in left)
        if reason is None:
            continue
        flaws.add(reason.flaw)
        if reason.flaw == "excluded":
            assert reason.symbol in judged.guess
            assert not any(reason.symbol in code for code in left)
        elif reason.flaw == "missing":
            assert reason.symbol not in judged.guess
            assert all(reason.symbol in code for code in left)
        elif reason.flaw == "place":
            assert judged.guess[reason.number - 1] == reason.symbol
            assert not any(code[reason.number - 1] == reason.symbol for code in left)
        else:
            assert reason.instead == answer(question.history, reason.number, split.guess)
            assert reason.instead != question.rules.answers[question.history[reason.number - 1][1]]
    assert flaws, "some codes are no candidates"


def answer(history: History, number: int, code: int) -> object:
    """Return what a guess would have been answered if a code were the secret."""
    rules: Rules = history.rules
    return rules.answers[rules.respond(history[number - 1][0], code)]
