"""What all errors of addresses below `/guess` have in common."""

from __future__ import annotations

from fastapi import Request

from bullscows_web.web.errors.problems import ProblemError
from bullscows_web.web.html.frame import Frame


class GuessProblem(ProblemError):
    """An address below `/guess` that leads to no game."""

    section = "guess"

    def way_on(self, frame: Frame, _request: Request) -> tuple[str, str] | None:
        """Lead to the choice of games."""
        return frame.url("/guess"), frame.language.gettext("Choose what to guess")
