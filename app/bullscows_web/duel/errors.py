"""Addresses below `/duel` that lead to no game, and seals that don't open."""

from __future__ import annotations

import logging

from fastapi import Request

from bullscows.game.rules import Rules
from bullscows_web.language.catalogues import Language
from bullscows_web.language.words import game_name, quoted
from bullscows_web.web.errors.problems import Kind, ProblemError
from bullscows_web.web.html.frame import Frame


class DuelProblem(ProblemError):
    """An address below `/duel` that leads to no game."""

    section = "duel"

    def way_on(self, frame: Frame, _request: Request) -> tuple[str, str] | None:
        """Lead to the choice of duels."""
        return frame.url("/duel"), frame.language.gettext("Begin a duel")


class BrokenSealError(DuelProblem, ValueError):
    """A text that this server has not sealed, or not all of it."""

    kind = Kind(
        422,
        "broken-seal",
        "This seal does not open",
        "copy the whole address; seals of other servers, or of a lost key, don't open here",
    )

    def __init__(self) -> None:
        super().__init__("this is no sealed text of this server, or not all of it")

    def advice(self, language: Language, _request: Request) -> str:
        """Say what may have happened."""
        return language.gettext(
            "The long part of the address holds the hidden code under a seal. This one is cut"
            " short, changed, or from another server: copy the whole link once more, or ask for"
            " a new one."
        )


class NoSealError(DuelProblem, RuntimeError):
    """The server has no key to seal with."""

    kind = Kind(
        503,
        "no-seal-key",
        "This server can't seal codes",
        "its operator gives it a key or a state folder that it can write to",
        logging.ERROR,
        retry_seconds=600,
    )

    def __init__(self) -> None:
        super().__init__("this server has no key to seal with; its log says why")

    def advice(self, language: Language, _request: Request) -> str:
        """Tell what still works."""
        return language.gettext(
            "Duels need a key that the server could not read or keep; whoever runs it finds why"
            " in its log. All other games go on."
        )


class OtherGameError(DuelProblem, ValueError):
    """The address names another game than the one that was sealed."""

    kind = Kind(
        422,
        "sealed-for-another-game",
        "The seal belongs to another game",
        "copy the whole address: the game before the seal is part of it",
    )

    def __init__(self, named: str, sealed: Rules) -> None:
        super().__init__(f"the address names {named[:20]!r}, but its seal is of {sealed}")
        self.named = named
        self.sealed = sealed

    def advice(self, language: Language, _request: Request) -> str:
        """Name both games."""
        text = language.gettext(
            "The address names %(named)s, but what is sealed in it is a code of %(game)s."
        )
        game = game_name(language, self.sealed)
        return text % {"named": quoted(language, self.named), "game": game}


class UnknownLevelError(DuelProblem, ValueError):
    """A level that a game does not have."""

    kind = Kind(
        422,
        "unknown-level",
        "This game has no such level",
        "leave the level out, or choose one on the page of the game's duels",
    )

    def __init__(self, rules: Rules, named: str) -> None:
        super().__init__(f"{rules} has no level {named[:20]!r}")
        self.rules = rules

    def advice(self, language: Language, _request: Request) -> str:
        """Lead to the levels that there are."""
        text = language.gettext("Choose one of the levels that are listed for %(game)s.")
        return text % {"game": game_name(language, self.rules)}

    def way_on(self, frame: Frame, _request: Request) -> tuple[str, str] | None:
        """Lead to the levels of the game."""
        return frame.url(f"/duel/{self.rules}"), frame.language.gettext("Choose the level")


class MalformedKeptError(DuelProblem, ValueError):
    """Turns that can't be those of a game in which only the visitor guesses."""

    kind = Kind(
        422,
        "malformed-turns",
        "These are not the turns of a game",
        "turns are guesses, as in 0123-4567; against the dodging keeper guesses with their"
        " answers, as in 0123:0.1-1456:1.1",
    )

    def advice(self, language: Language, _request: Request) -> str:
        """Show how turns are written."""
        return language.gettext(
            "The game of a friend is written as guesses with hyphens between them, as in 0123-4567;"
            " a game against the dodging keeper as guesses with their answers, as in"
            " 0123:0.1-1456:1.1. Some code has to fit all answers, and nothing follows the end."
        )


class MalformedDuelError(DuelProblem, ValueError):
    """Moves that can't be those of a duel."""

    kind = Kind(
        422,
        "malformed-duel",
        "These are not the moves of a duel",
        "moves are your guesses and your answers in turn, as in 0123-0.1-4567",
    )

    def advice(self, language: Language, _request: Request) -> str:
        """Show how moves are written."""
        return language.gettext(
            "After the seal come your guesses and your answers in turn, with hyphens between"
            " them, as in 0123-0.1-4567; you never answer more often than I guess."
        )
