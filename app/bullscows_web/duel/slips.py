"""Answers of the visitor that contradict each other, and which single change would mend them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from bullscows.game.candidates import Correction, witnesses
from bullscows.game.history import History
from bullscows.game.rules import AnswerIndex
from bullscows_web.duel.duel import Duel


@dataclass(frozen=True)
class Mended(Correction):
    """An answer that may be wrong, and the duel with it put right."""

    duel: Duel
    """The duel that goes on: no guess of the visitor is lost."""


def suspects(duel: Duel) -> list[Mended]:
    """Return the answers that, if changed alone, make sense of all, most plausible first.

    If an answer was refused, it counts among them.  Otherwise the right answer to the guess on the
    board is none of those offered, so the codes that are asked are those that give it another.
    """
    asked = duel.question
    if asked is None:
        return []
    refused = duel.refused
    if refused is not None:
        return _mended(duel, duel.theirs.after(asked, refused.answer), None)
    parts = duel.rules.partition(asked, range(duel.rules.size))
    others = [code for answer, part in parts.items() for code in part if _is_new(duel, answer)]
    return _mended(duel, duel.theirs, others)


def _is_new(duel: Duel, answer: AnswerIndex) -> bool:
    return answer not in duel.possible


def _mended(duel: Duel, history: History, codes: Iterable[int] | None) -> list[Mended]:
    asked = None if codes is None else np.array(list(codes), dtype=np.int32)
    rules, found = duel.rules, []
    for (turn, instead), count in witnesses(history, asked).items():
        guess, given = history[turn - 1]
        found.append(
            Mended(
                turn=turn,
                guess=rules.text(guess),
                given=rules.answers[given],
                instead=rules.answers[instead],
                remaining=count,
                duel=duel.mended(turn, instead),
            )
        )
    return sorted(found, key=lambda each: each.order)
