"""An answer that may be wrong, and how it may have gone wrong.

A code that disagrees with exactly one answer of a history is a witness that this answer alone may
be wrong, and says what it should have been; `engine.game.candidates.witnesses` counts them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.game.rules import Answer

Slip = Literal["swapped", "off-by-one", "other"]
"""How the answer may have gone wrong: bulls and cows changed places; one of them is one too many
or too few; anything else."""

LIKELIHOOD: dict[Slip, int] = {"swapped": 4, "off-by-one": 2, "other": 1}
"""How many times likelier one slip of a kind is taken to be than one of kind `other`.

A correction's plausibility is this times the number of codes behind it, as Bayes' rule has it for
codes that are equally likely.  `python -m benchmarks.doctor` measures what the weights are worth.
"""


@dataclass(frozen=True)
class Correction:
    """One answer that, if changed alone, makes the history consistent."""

    turn: int
    """The turn of the answer that may be wrong."""
    guess: str
    """What was asked then, as it was shown."""
    given: Answer
    """What was answered."""
    instead: Answer
    """What should have been answered."""
    remaining: int
    """How many codes fit the whole history so mended."""

    @property
    def slip(self) -> Slip:
        """How one answer may have been taken for the other."""
        given, instead = self.given, self.instead
        if (given.cows, given.bulls) == instead:
            return "swapped"
        if abs(given.bulls - instead.bulls) + abs(given.cows - instead.cows) == 1:
            return "off-by-one"
        return "other"

    @property
    def plausibility(self) -> int:
        """How much speaks for it, to be compared within one history only."""
        return LIKELIHOOD[self.slip] * self.remaining

    @property
    def order(self) -> tuple[int, int, Answer]:
        """What to sort by to have the most plausible first."""
        return (-self.plausibility, self.turn, self.instead)
