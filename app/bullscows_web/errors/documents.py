"""Problem documents (RFC 9457), and the answers and fields that they mention."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from pydantic import BaseModel, Field

from bullscows.game.history import Correction, Mistake
from bullscows.game.rules import Answer


class Outcome(BaseModel):
    """An answer, as text and as numbers."""

    answer: str = Field(examples=["1.2"])
    bulls: int
    cows: int

    @classmethod
    def of(cls, answer: Answer, **others: Any) -> Self:
        """Describe an answer, with the other fields of a subclass."""
        return cls(answer=str(answer), bulls=answer.bulls, cows=answer.cows, **others)


class CorrectionDocument(BaseModel):
    """A single answer whose correction makes the history consistent."""

    turn: int
    guess: str
    given: Outcome
    instead: Outcome
    mistake: Mistake = Field(description="How the two answers might have been confused.")
    remaining: int = Field(description="Codes that fit the corrected history.")
    session: str | None = Field(
        default=None, description="The session after the corrected turn; null for `POST /guess`."
    )

    @classmethod
    def of(cls, found: Correction, session: str | None = None) -> CorrectionDocument:
        """Describe a correction; `session` is the game after it."""
        return cls(
            turn=found.turn,
            guess=found.guess,
            given=Outcome.of(found.given),
            instead=Outcome.of(found.instead),
            mistake=found.mistake,
            remaining=found.remaining,
            session=session,
        )


class InvalidField(BaseModel):
    """An invalid part of a request."""

    field: str = Field(examples=["body.bulls"])
    message: str

    @classmethod
    def of(cls, place: Sequence[str | int], message: str) -> InvalidField:
        """Describe an invalid part; names and messages are cut, because clients choose them."""
        return cls(field=".".join(str(part)[:40] for part in place), message=message[:300])


class ProblemDocument(BaseModel):
    """A problem document (RFC 9457)."""

    type: str = Field(examples=["/api/v1/problems/contradiction"])
    title: str
    status: int
    detail: str
    corrections: list[CorrectionDocument] | None = Field(
        default=None,
        description="For a contradiction: the answers that might be wrong, most plausible first.",
    )
    errors: list[InvalidField] | None = Field(
        default=None, description="For an invalid request: its invalid parts."
    )
