"""Problems as JSON, as RFC 9457 has it, and the answers and fields that they speak of."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, Field

from bullscows.game.candidates import Correction, Slip
from bullscows.game.rules import Answer


class Outcome(BaseModel):
    """An answer, in numbers and as text."""

    answer: str = Field(examples=["1.2"])
    bulls: int
    cows: int

    @classmethod
    def of(cls, answer: Answer) -> Outcome:
        """Describe an answer."""
        return cls(answer=str(answer), bulls=answer.bulls, cows=answer.cows)


class Conflict(BaseModel):
    """An answer that could be wrong: changed alone, it makes the history consistent."""

    turn: int
    guess: str
    given: Outcome
    instead: Outcome
    slip: Slip = Field(description="How one may have been taken for the other.")
    remaining: int = Field(description="Codes that fit the whole history so mended.")
    session: str | None = Field(
        default=None,
        description="The session right after the mended turn; of `POST /guess` none.",
    )

    @classmethod
    def of(cls, found: Correction, session: str | None = None) -> Conflict:
        """Describe a correction, and the game right after it if there is one."""
        return cls(
            turn=found.turn,
            guess=found.guess,
            given=Outcome.of(found.given),
            instead=Outcome.of(found.instead),
            slip=found.slip,
            remaining=found.remaining,
            session=session,
        )


class InvalidField(BaseModel):
    """What is wrong with one part of a request."""

    field: str = Field(examples=["body.bulls"])
    message: str

    @classmethod
    def of(cls, place: Sequence[str | int], message: str) -> InvalidField:
        """Describe a finding of the validation; a field's name may be a visitor's: cut it."""
        return cls(field=".".join(str(part)[:40] for part in place), message=message[:300])


class ProblemDocument(BaseModel):
    """An error, as RFC 9457 has it."""

    type: str = Field(examples=["/api/v1/problems/contradiction"])
    title: str
    status: int
    detail: str
    conflicts: list[Conflict] | None = Field(
        default=None,
        description="Of a contradiction: the answers that could be wrong, most plausible first.",
    )
    errors: list[InvalidField] | None = Field(
        default=None, description="Of an invalid request: what is wrong where."
    )
