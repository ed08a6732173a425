"""Addresses to which no game of a tree comes: malformed, impossible, or after the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import Request

from bullscows.game.rules import AnswerError, AnswerIndex, Rules
from bullscows_web.language.catalogues import Language
from bullscows_web.language.words import answer_form, quoted
from bullscows_web.trees.links import Links
from bullscows_web.trees.repairs import Repair, path_of, repairs
from bullscows_web.web import text_patterns
from bullscows_web.web.errors.documents import Conflict
from bullscows_web.web.errors.problems import IMPOSSIBLE_ANSWER, Kind, ProblemError
from bullscows_web.web.html.frame import Frame
from bullscows_web.web.metrics import Metrics

if TYPE_CHECKING:
    from bullscows_web.trees.position import GamePosition

MAX_TEXT = 400
"""The longest text of a position: no game of any tree comes near."""


class MalformedPositionError(ProblemError, ValueError):
    """A text that is not a position, whatever the tree."""

    kind = Kind(422, "malformed-position", "This is not a position", text_patterns.SESSION.wanted)

    def advice(self, language: Language, _request: Request) -> str:
        """Say how long the answers may be."""
        text = language.gettext("The answers in an address take at most %(number)s characters.")
        return text % {"number": language.integer(MAX_TEXT)}


class ImpossibleAnswerError(ProblemError, AnswerError):
    """An answer that a game does not have."""

    kind = IMPOSSIBLE_ANSWER

    def __init__(self, error: AnswerError, rules: Rules, text: str) -> None:
        super().__init__(*error.args)
        self.rules = rules
        self.text = text

    def advice(self, language: Language, _request: Request) -> str:
        """Say which answers the game has, and how they are written."""
        limit = language.gettext(
            "%(answer)s is not an answer of this game: bulls and cows add up to at most %(most)d, "
            "and %(bulls)d.1 does not occur."
        )
        most, wrong = self.rules.positions, quoted(language, self.text)
        told = limit % {"answer": wrong, "most": most, "bulls": most - 1}
        return f"{told} {answer_form(language)}"


def parse_answer(rules: Rules, text: str) -> AnswerIndex:
    """Return the number of an answer; raise `ImpossibleAnswerError` if the game has none such."""
    try:
        return rules.parse_answer(text)
    except AnswerError as error:
        raise ImpossibleAnswerError(error, rules, text) from None


class NowhereError(ProblemError, ValueError):
    """Answers to which no game of a tree comes."""

    position: GamePosition
    """The last state on the way that exists."""

    def way_on(self, frame: Frame, request: Request) -> tuple[str, str] | None:
        """Lead to the last state that exists on the way to one that does not."""
        _, last, links = frame.language.gettext, self.position, Links(frame)
        if frame.path.startswith("/compare/"):
            first, second = request.path_params["first"], request.path_params["second"]
            url = links.comparison(first, second, "-".join(last.parts[2:]))
            return url, _("Compare the trees where their games last are")
        if frame.path.startswith("/trees/"):
            node = last.before(last.turn) if last.is_finished else last
            return links.node(node), _("Open the last node on the way")
        return links.position(last), _("See how it ended")


class ContradictionError(NowhereError):
    """An answer that exists in the game, but that no remaining candidate would give."""

    kind = Kind(
        409,
        "contradiction",
        "No code fits all answers",
        "change one of the answers under conflicts, or go back to an earlier session",
    )

    def __init__(self, position: GamePosition, answer: AnswerIndex) -> None:
        text = position.entry.rules.answers[answer]
        super().__init__(
            f"no code fits all answers: none of the {position.remaining} remaining ones "
            f"gives {text} to {position.guess} at turn {position.turn}"
        )
        self.position = position
        self.answer = answer

    def conflicts(self) -> list[Conflict] | None:
        """Return the single answers that could be wrong."""
        return [Conflict.of(found, found.position.id) for found in self.repairs()]

    def repairs(self) -> list[Repair]:
        """Return every single answer that may be wrong, the refused one too, most plausible first.

        An empty list means that at least two answers are wrong.
        """
        position = self.position
        return repairs(position, (*path_of(position), (position.node.guess, self.answer)))

    def count(self, metrics: Metrics) -> None:
        """Count it for the tree whose guess was answered."""
        metrics.count_contradiction(self.position.entry.name)

    def advice(self, language: Language, _request: Request) -> str:
        """Say which answer to which guess nobody gives."""
        position = self.position
        text = language.ngettext(
            "At turn %(turn)d %(name)s guesses %(guess)s. The only code left does not answer "
            "%(answer)s.",
            "At turn %(turn)d %(name)s guesses %(guess)s. None of the %(number)s codes left "
            "answers %(answer)s.",
            position.remaining,
        )
        return text % {
            "turn": position.turn,
            "name": position.entry.name,
            "guess": position.guess,
            "number": language.integer(position.remaining),
            "answer": quoted(language, str(position.entry.rules.answers[self.answer])),
        }


class GameOverError(NowhereError):
    """An answer to a game that has ended."""

    kind = Kind(
        409,
        "game-over",
        "The game is over",
        "go back to an earlier session, or start another with POST /api/v1/sessions",
    )

    def __init__(self, position: GamePosition) -> None:
        super().__init__(f"the game ended at turn {position.turn}")
        self.position = position

    def advice(self, language: Language, _request: Request) -> str:
        """Say which code the answers find."""
        text = language.gettext(
            "These answers find the code %(code)s at turn %(turn)d, and nothing comes after that."
        )
        return text % {"code": self.position.guess, "turn": self.position.turn}
