"""Terms of a duel, encrypted in its URL: the computer's code and level.

The code is bound at the start by its commitment, the SHA-256 hash of the code and of 32 drawn
characters, the *salt*.  At the end both are shown, so that anyone can compute the hash again.  The
salt also seeds the relabelling and the random choices of the computer.  It would reveal the
computer's guesses, so it is shown only together with the code.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from hashlib import sha256

from bullscows.game.rules import CodeIndex, Rules
from bullscows_web.duel.levels import LevelName, is_level
from bullscows_web.duel.seal import Sealer
from bullscows_web.trees.library import Library
from bullscows_web.trees.relabelling import Relabelling
from bullscows_web.web.errors import BrokenStateError, OtherGameError

PURPOSE = "duel"
FRIEND = "friend"
"""Purposes of encrypted texts: a duel, and a code for a friend."""


@dataclass(frozen=True)
class Terms:
    """Encrypted state of a duel."""

    rules: Rules
    """The game."""
    code: CodeIndex
    """The computer's code."""
    salt: str
    """Random text hashed with the code."""
    level: LevelName
    """How the computer plays."""
    visitor_begins: bool
    """Whether the visitor guesses first."""

    @classmethod
    def draw(cls, rules: Rules, level: LevelName, *, visitor_begins: bool) -> Terms:
        """Return the terms of a new duel: any code is as likely."""
        code = secrets.randbelow(rules.size)
        return cls(rules, code, secrets.token_hex(16), level, visitor_begins)

    @classmethod
    def open(cls, sealer: Sealer, library: Library, rules: Rules, sealed: str) -> Terms:
        """Return the terms that are sealed in an address that names a game.

        Raises
        ------
        BrokenStateError, SecretKeyError, OtherGameError
            If the seal does not open, or holds the terms of another game.
        """
        game, code, salt, level, begins = _parts(sealer.open(PURPOSE, sealed), 5)
        check_game(rules, game)
        if not is_level(library, rules, level):
            raise BrokenStateError  # of a server with other levels
        known: LevelName = level  # type: ignore[assignment]
        return cls(rules, rules.parse_code(code), salt, known, begins == "you")

    def sealed(self, sealer: Sealer) -> str:
        """Return the seal that `open` opens."""
        begins = "you" if self.visitor_begins else "me"
        parts = (str(self.rules), self.opened, self.level, begins)
        return sealer.seal(PURPOSE, " ".join(parts))

    @property
    def opened(self) -> str:
        """The text whose hash is the commitment."""
        return f"{self.rules.text(self.code)} {self.salt}"

    @property
    def commitment(self) -> str:
        """The hash that is shown from the start."""
        return sha256(self.opened.encode()).hexdigest()

    @property
    def relabelling(self) -> Relabelling:
        """How the computer's strategy names places and symbols."""
        drawn = sha256(f"relabelling {self.salt}".encode()).digest()
        return Relabelling.numbered(self.rules, int.from_bytes(drawn, "big"))


def check_game(rules: Rules, sealed: str) -> None:
    """Refuse a seal of another game; raise `OtherGameError`."""
    if str(rules) != sealed:
        raise OtherGameError(str(rules), Rules.parse(sealed))


def seal_code(sealer: Sealer, rules: Rules, code: CodeIndex) -> str:
    """Seal a code for a friend."""
    return sealer.seal(FRIEND, f"{rules} {rules.text(code)}")


def open_code(sealer: Sealer, rules: Rules, sealed: str) -> CodeIndex:
    """Return the code that somebody sealed for a friend.

    Raises
    ------
    BrokenStateError, SecretKeyError, OtherGameError
        If the seal does not open, or holds a code of another game.
    """
    game, code = _parts(sealer.open(FRIEND, sealed), 2)
    check_game(rules, game)
    return rules.parse_code(code)


def _parts(text: str, number: int) -> list[str]:
    parts = text.split(" ")
    if len(parts) != number:
        raise BrokenStateError
    return parts
