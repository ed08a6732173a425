"""What an error page adds to its title, in the page's language: where it is wrong, what to do.

Problem documents tell programs the exceptions' own messages, in English.  People get a sentence
of the catalogue, with the part of the address that is meant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError

from app.daily import FIRST, NotOpenError, opening
from app.guessing import MAX_GUESSES, MAX_SEED, GuessError, UnknownGameError
from app.i18n import Language
from app.library import Library, UnknownTreeError
from app.position import MAX_TEXT, ContradictionError, GameOverError
from app.security import MAX_BODY, MAX_URL
from app.words import flaw
from engine.game.candidates import MAX_CODES
from engine.game.rules import AnswerError, Rules

SHOWN = 40
"""The most characters of an address that a page repeats."""


def advice(language: Language, request: Request, reason: str, error: Exception) -> str:
    """Return a sentence or two for a kind of problem, or for a status; empty if there is none.

    `reason` is the last part of a problem's type, or its status as text.
    """
    failure = _Failure(language, request, error)
    if reason == "impossible-answer":
        return failure.impossible_answer()
    if reason == "malformed-relabelling":
        return failure.malformed_relabelling()
    if reason == "invalid-request":
        return failure.invalid_request()
    if isinstance(error, UnknownTreeError):
        return failure.unknown_tree(error)
    if isinstance(error, UnknownGameError):
        return failure.unknown_game(error)
    if isinstance(error, NotOpenError):
        return failure.not_open(error)
    if isinstance(error, GuessError):
        return failure.bad_guess(error)
    if isinstance(error, GameOverError):
        return failure.game_over(error)
    if isinstance(error, ContradictionError):
        return failure.contradiction(error)
    return _plain(language).get(reason, "")


def _plain(language: Language) -> dict[str, str]:
    """Return what is said of all requests that fail for the same reason."""
    _, number = language.gettext, language.integer
    return {
        "tree-unavailable": _("The other trees play on, and nothing of your game is lost."),
        "malformed-position": _("The answers in an address take at most %(number)s characters.")
        % {"number": number(MAX_TEXT)},
        "malformed-puzzle": _(
            "A puzzle is named by at most %(seed)s small letters and digits, and at most "
            "%(guesses)s guesses follow."
        )
        % {"seed": number(MAX_SEED), "guesses": number(MAX_GUESSES)},
        "no-day": _("A day is written as year-month-day, as in %(day)s.") % {"day": FIRST},
        "no-puzzle": _("The first puzzle is that of %(day)s.") % {"day": language.day(FIRST)},
        "game-too-large": _("Games of at most %(number)s codes are analysed here.")
        % {"number": number(MAX_CODES)},
        "busy": _("Reload the page in a few seconds."),
        "400": _("A request names its host once, and by a name to which this server answers."),
        "403": _("This request was made by the page of another site."),
        "404": _("Check the address, or go on from one of these pages."),
        "405": _("Pages are asked for, and nothing is sent to them."),
        "413": _("What is sent here has at most %(number)s bytes.") % {"number": number(MAX_BODY)},
        "414": _("An address here has at most %(number)s characters.")
        % {"number": number(MAX_URL)},
    }


@dataclass(frozen=True)
class _Failure:
    """A request that failed, and what to say of it."""

    language: Language
    request: Request
    error: Exception

    def unknown_tree(self, error: UnknownTreeError) -> str:
        text = self.language.gettext(
            "No tree is called %(name)s. The page of the trees names them all."
        )
        return text % {"name": self._quoted(error.name)}

    def unknown_game(self, error: UnknownGameError) -> str:
        text = self.language.gettext("No tree here plays %(name)s.")
        return text % {"name": self._quoted(error.name)}

    def not_open(self, error: NotOpenError) -> str:
        text = self.language.gettext(
            "The puzzle of %(day)s opens at %(time)s UTC that day. Days are those of UTC, so "
            "everybody gets the same puzzle at the same moment."
        )
        day = self.language.day(error.day)
        return text % {"day": day, "time": f"{opening(error.day):%H:%M}"}

    def bad_guess(self, error: GuessError) -> str:
        return f"{self._quoted(error.text)}: {flaw(self.language, error)}"

    def game_over(self, error: GameOverError) -> str:
        text = self.language.gettext(
            "These answers find the code %(code)s at turn %(turn)d, and nothing comes after that."
        )
        return text % {"code": error.position.guess, "turn": error.position.turn}

    def contradiction(self, error: ContradictionError) -> str:
        position = error.position
        text = self.language.ngettext(
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
            "number": self.language.integer(position.remaining),
            "answer": self._quoted(str(position.entry.rules.answers[error.answer])),
        }

    def impossible_answer(self) -> str:
        _, rules = self.language.gettext, self._rules()
        form = _("Answers are written as bulls.cows with hyphens between them, as in 0.1-1.1.")
        if rules is None:
            return form
        limit = _(
            "%(answer)s is none of this game, where bulls and cows are at most %(most)d together "
            "and %(bulls)d.1 does not occur."
        )
        most, wrong = rules.positions, self._quoted(self._wrong_answer(rules))
        return f"{limit % {'answer': wrong, 'most': most, 'bulls': most - 1}} {form}"

    def malformed_relabelling(self) -> str:
        text = self.language.gettext(
            "The part after the name of the tree says how digits and places are shuffled. "
            "%(part)s says nothing of the kind; 0 leaves them as they are."
        )
        return text % {"part": self._quoted(str(self.request.path_params.get("token", "")))}

    def invalid_request(self) -> str:
        error = self.error
        found = error.errors()[:3] if isinstance(error, RequestValidationError) else ()
        return " ".join(self._invalid_field(item) for item in found)

    def _invalid_field(self, item: Mapping[str, Any]) -> str:
        """Return what is wanted of a part of the address, by what the validation found."""
        _ = self.language.gettext
        said = {
            "string_too_long": _("%(name)s takes at most %(limit)s characters."),
            "greater_than_equal": _("%(name)s is a number, at least %(limit)s."),
            "less_than_equal": _("%(name)s is a number, at most %(limit)s."),
            "int_parsing": _("%(name)s is a number, written in digits."),
            "bool_parsing": _("%(name)s is either on or off."),
        }.get(item["type"], _("%(name)s is of another kind than asked for."))
        limits = item.get("ctx", {})
        limit = next((limits[key] for key in ("max_length", "ge", "le") if key in limits), "")
        return said % {"name": self._quoted(str(item["loc"][-1])), "limit": limit}

    def _quoted(self, text: str) -> str:
        """Return a part of an address for a page, which escapes it."""
        shown = text if len(text) <= SHOWN else text[:SHOWN] + "..."
        return self.language.gettext("“%(part)s”") % {"part": shown}

    def _rules(self) -> Rules | None:
        """Return the rules of the tree that the address names."""
        library: Library = self.request.app.state.library
        entry = library.entries.get(str(self.request.path_params.get("tree", "")))
        return entry.rules if entry else None

    def _wrong_answer(self, rules: Rules) -> str:
        """Return the first answer of the address that is none of the game."""
        given = [
            *str(self.request.path_params.get("answers", "")).split("-"),
            self.request.query_params.get("answer", ""),
        ]
        return next((text for text in given if text and not _is_answer(rules, text)), "")


def _is_answer(rules: Rules, text: str) -> bool:
    try:
        rules.parse_answer(text)
    except AnswerError:
        return False
    return True
