"""The strategy of Goel and Garg for people (5.3), and whether a guess follows it.

Guess the digits that occur least among the codes left.  Their extension (5.4) is accepted as well:
a guess that gets a different answer from each code.  Two codes are guessed one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from bullscows.game.responses import responses_between
from bullscows.game.rules import SYMBOLS, CodeIndex, Rules
from bullscows.game.symmetry import IndexArray
from bullscows.strategies.rules.least_frequent import symbol_counts

Reason = Literal["rarest", "apart", "few", "absent", "frequent", "order"]
"""Why a guess follows the rule or not: its digits occur least; each code has another answer; two
codes or one are left; a digit occurs in no code; a digit occurs more often than one that is not in
the guess; all codes have the same answer."""


@dataclass(frozen=True)
class Verdict:
    """Whether a guess follows the rule, and why."""

    follows: bool
    reason: Reason
    counts: dict[str, int]
    """How many codes left have each digit."""
    most: int
    """The largest number of codes that can be left after the guess."""
    size: int
    """The number of codes left before it."""
    digit: str = ""
    """The digit of the guess that breaks the rule."""
    rarer: str = ""
    """A digit that occurs less often, if the reason is "frequent"."""


def judge(rules: Rules, left: IndexArray, guess: CodeIndex) -> Verdict:
    """Judge a guess at a position of a game without repeats; `left` are its codes, ascending."""
    totals = symbol_counts(rules, tuple(left.tolist())).sum(axis=0).tolist()
    counts = dict(zip(SYMBOLS, totals, strict=False))
    answers = responses_between(rules, np.array([guess], dtype=np.int32), left)[0]
    most = int(np.bincount(answers).max())

    def verdict(reason: Reason, *found: str, follows: bool = False) -> Verdict:
        return Verdict(follows, reason, counts, most, len(left), *found)

    if len(left) <= 2:
        return verdict("few", follows=guess in left)
    if most == 1:
        return verdict("apart", follows=True)
    digits = rules.text(guess)
    unused = [digit for digit in counts if counts[digit] and digit not in digits]
    rarer = min(unused, key=counts.__getitem__, default="")
    absent = next((digit for digit in digits if not counts[digit]), "")
    if absent and rarer:
        return verdict("absent", absent)
    worst = max(digits, key=counts.__getitem__)
    if rarer and counts[rarer] < counts[worst]:
        return verdict("frequent", worst, rarer)
    return verdict("rarest", follows=True) if most < len(left) else verdict("order")
