"""An answer in a game that no code gives: it leads to the page that looks for the wrong one."""

from __future__ import annotations

from fastapi import Request, Response

from bullscows_web.play.pages import WrongAnswersPage
from bullscows_web.trees.errors import ContradictionError
from bullscows_web.web.html.rendering import respond


class RefusedAnswerError(ContradictionError):
    """An answer that no remaining candidate of a game gives."""

    def page(self, request: Request) -> Response:
        """Show what may be wrong."""
        refused = self.position.entry.rules.answers[self.answer]
        page = WrongAnswersPage(self.position, refused, self.repairs())
        status = self.kind.status
        return respond(request, "play/wrong_answers.html", page, section="play", status=status)
