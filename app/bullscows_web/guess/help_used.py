"""Help that a player used: hints, guesses taken back, and a secret that was known.

It is part of a game's address, after ``?help=``: the turns at which hints were shown, the guesses
that were taken back although their answers had been seen, and whether the secret was known before
it was found.  So ``h1-3.u0123-4567.k`` is two hints, two guesses taken back, and a known secret.
Empty parts are left out; the address of a game without help has no such part.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from bullscows.game.rules import CodeIndex, Rules
from bullscows_web.language.catalogues import Language

MAX_UNDONE = 60
"""The most guesses taken back that are remembered."""

_CODES = rf"[0-9a-f]{{1,8}}(-[0-9a-f]{{1,8}}){{0,{MAX_UNDONE - 1}}}"
_TURNS = r"[1-9][0-9]?(-[1-9][0-9]?){0,98}"
PATTERN = rf"^(h{_TURNS}(\.u{_CODES})?(\.k)?|u{_CODES}(\.k)?|k)?$"
_PARTS = re.compile(r"(?:h([^.]+))?\.?(?:u([^.]+))?\.?(k)?")


@dataclass(frozen=True)
class HelpUsed:
    """Help used in a game."""

    hints: tuple[int, ...] = ()
    """The turns at which hints were shown, ascending."""
    undone: tuple[CodeIndex, ...] = ()
    """The guesses that were taken back, in the order in which they were."""
    known: bool = False
    """Whether the secret was shown before."""

    @classmethod
    def parse(cls, text: str, read: Callable[[str], CodeIndex]) -> HelpUsed:
        """Read a text that matches `PATTERN`; `read` returns a guess's code; its errors pass."""
        parts = _PARTS.fullmatch(text)
        assert parts is not None, "the pattern of the address"
        hints, undone, known = parts.groups()
        return cls(
            tuple(sorted({int(turn) for turn in _listed(hints)})),
            tuple(dict.fromkeys(read(code) for code in _listed(undone))),
            known is not None,
        )

    def text(self, rules: Rules) -> str:
        """Return the text that `parse` reads."""
        hints = "-".join(map(str, self.hints))
        undone = "-".join(map(rules.text, self.undone))
        parts = (hints and f"h{hints}", undone and f"u{undone}", "k" if self.known else "")
        return ".".join(filter(None, parts))

    def hinted(self, turn: int) -> HelpUsed:
        """Return the help used after hints at a turn too."""
        return replace(self, hints=tuple(sorted({*self.hints, turn})))

    def without(self, *guesses: CodeIndex) -> HelpUsed:
        """Return the help used after some guesses were taken back too."""
        undone = tuple(dict.fromkeys((*self.undone, *guesses)))
        return replace(self, undone=undone[:MAX_UNDONE])

    def in_game(self, guesses: tuple[CodeIndex, ...]) -> HelpUsed:
        """Return the help used in a game with these guesses, none of which is taken back."""
        return replace(self, undone=tuple(code for code in self.undone if code not in guesses))

    def words(self, language: Language) -> str:
        """Return the help used in words to follow the number of turns: ", 1 hint", or nothing."""
        ngettext = language.ngettext
        parts = []
        if self.known:
            parts = [language.gettext("the code was known already")]
        else:
            if hints := len(self.hints):
                parts += [
                    ngettext("%(number)d hint", "%(number)d hints", hints) % {"number": hints}
                ]
            if undone := len(self.undone):
                text = ngettext(
                    "%(number)d guess taken back", "%(number)d guesses taken back", undone
                )
                parts += [text % {"number": undone}]
        return "".join(f", {part}" for part in parts)


NO_HELP = HelpUsed()
"""Nothing."""


def _listed(text: str | None) -> list[str]:
    return text.split("-") if text else []
