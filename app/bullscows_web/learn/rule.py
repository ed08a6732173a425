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
from bullscows.strategies.least_frequent import symbol_counts
from bullscows_web.language.catalogues import Language

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

    def reason_in(self, language: Language, guess: str, better: str = "") -> str:
        """Return why the guess follows the rule or not, and an example that is `better`, if any."""
        patterns = sentences(language)
        name = "last" if self.reason == "few" and self.size == 1 else self.reason
        said = [patterns[name]]
        if self.size > 2 and self.most > 1:
            said.append(patterns["most"])
        if better and self.reason == "rarest":
            said.append(patterns["example"])
        return " ".join(said) % {
            "digits": ", ".join(guess),
            "digit": self.digit,
            "count": self.counts.get(self.digit),
            "rarer": self.rarer,
            "fewer": self.counts.get(self.rarer),
            "most": self.most,
            "size": self.size,
            "better": better,
        }


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


def sentences(language: Language) -> dict[str, str]:
    """Return the judgements of a guess, their reasons, and what they add.

    Parts that differ have names, so that scripts fill in the same sentences offline.
    """
    _ = language.gettext
    return {
        "better": _("Better than the rule."),
        "follows": _("Yes, by the rule."),
        "breaks": _("Not by the rule."),
        "rarest": _("The digits %(digits)s occur least."),
        "apart": _("Each code left gets a different answer."),
        "last": _("When one code is left, guess it."),
        "few": _("When two codes are left, guess one of them."),
        "absent": _("%(digit)s is in none of the codes left, so it gives no information."),
        "frequent": _("%(digit)s occurs %(count)s times, but %(rarer)s only %(fewer)s."),
        "order": _("The digits are right, but in this order all codes get the same answer."),
        "most": _("At most %(most)s of the %(size)s codes are left after it."),
        "example": _("Even better is %(better)s: each code left gets a different answer."),
    }
