"""A game that a visitor describes by its numbers, in the form of `_macros/sizes.html`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Depends, Request

from bullscows.game.history import MAX_CODES
from bullscows.game.rules import MAX_POSITIONS, MAX_SYMBOLS, Rules
from bullscows_web.language.catalogues import N_, Language
from bullscows_web.web.dependencies import TextQuery

FLAWS = {
    "positions": N_("A code has 1 to 8 places."),
    "symbols": N_("There are 1 to 16 digits or colours."),
    "few": N_("Without repeats there must be at least as many digits as places."),
    "zero": N_(
        "A leading 0 can be excluded only if digits do not repeat and there is at least one other "
        "digit."
    ),
    "unplayed": N_("The computer does not play this size."),
}
"""Error in the numbers of a game, but for its size."""


@dataclass(frozen=True)
class CustomGame:
    """The numbers of a game as they were typed; the default is Bulls & Cows."""

    positions: str = "4"
    """How many places a code has."""
    symbols: str = "10"
    """How many digits or colours there are."""
    repeats: bool = False
    """Whether they may repeat."""
    no_zero: bool = False
    """Whether numbers don't begin with 0."""
    bulls_only: bool = False
    """Whether answers have no cows."""
    step: Literal["none", "typing", "sent"] = "none"
    """Whether the form is being typed into, or was sent."""
    most: int = MAX_CODES
    """The most codes that the game may have."""
    played: frozenset[Rules] | None = None
    """The games that can be chosen; None for all."""

    @property
    def flaw(self) -> str:
        """The invalid part: `positions`, `symbols`, `few` symbols, `zero` or `large`; or nothing.

        `zero` means that a leading 0 is excluded although symbols repeat or 0 is the only one, and
        `unplayed` that the game cannot be chosen.
        """
        if not _is_number(self.positions, MAX_POSITIONS):
            return "positions"
        if not _is_number(self.symbols, MAX_SYMBOLS):
            return "symbols"
        if self.no_zero and (self.repeats or int(self.symbols) == 1):
            return "zero"
        if not self.repeats and int(self.symbols) < int(self.positions):
            return "few"
        if self.rules.size > self.most:
            return "large"
        return "" if self.played is None or self.rules in self.played else "unplayed"

    @property
    def is_chosen(self) -> bool:
        """Whether the form was sent, without a flaw."""
        return self.step == "sent" and not self.flaw

    @property
    def status(self) -> int:
        """The status of a page with the form: 422 if it was sent with a flaw."""
        return 422 if self.step == "sent" and self.flaw else 200

    @property
    def block(self) -> str:
        """The part of the page that a form wants that is being typed into; empty for all."""
        return "size" if self.step == "typing" else ""

    def complaint(self, language: Language) -> str:
        """Return what is wrong with the numbers."""
        if self.flaw in FLAWS:
            return language.gettext(FLAWS[self.flaw])
        said = language.ngettext(
            "%(shown)s code is too many: a game here has at most %(most)s codes.",
            "%(shown)s codes are too many: a game here has at most %(most)s codes.",
            self.rules.size,
        )
        return said % {
            "shown": language.integer(self.rules.size),
            "most": language.integer(self.most),
        }

    @property
    def rules(self) -> Rules:
        """The game with these numbers, if nothing but its size is wrong with them."""
        positions = int(self.positions)
        symbols = int(self.symbols)
        return Rules(positions, symbols, self.repeats, not self.no_zero, self.bulls_only)


async def custom_game(
    request: Request,
    positions: TextQuery = "",
    symbols: TextQuery = "",
    repeats: TextQuery = "",
    no_zero: TextQuery = "",
    bulls_only: TextQuery = "",
) -> CustomGame:
    """Read the fields of the form; an address that ends with `size` has it while it is typed."""
    is_typing = request.url.path.endswith("/size")
    if not (is_typing or positions or symbols):
        return CustomGame()
    flags = bool(repeats), bool(no_zero), bool(bulls_only)
    step: Literal["typing", "sent"] = "typing" if is_typing else "sent"
    return CustomGame(positions.strip(), symbols.strip(), *flags, step)


CustomGameDep = Annotated[CustomGame, Depends(custom_game)]


def _is_number(text: str, most: int) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 3 and 1 <= int(text) <= most
