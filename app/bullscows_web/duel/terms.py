"""Terms of a duel, encrypted in its URL: the computer's code and level.

The code is bound at the start by its commitment, the SHA-256 hash of the code and of 32 drawn
characters, the *salt*.  At the end both are shown, so that anyone can compute the hash again.  The
salt also seeds the relabelling of the computer's strategy.  It would reveal the computer's guesses,
so it is shown only together with the code.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from hashlib import sha256

from bullscows.game.rules import CodeIndex, Rules
from bullscows_web.duel.encrypted_state import StateCipher
from bullscows_web.duel.levels import NAMES, LevelName
from bullscows_web.trees.relabelling import Relabelling
from bullscows_web.web.errors import BrokenStateError, OtherGameError

PURPOSE = "duel"
FRIEND = "friend"
"""Purposes of encrypted texts: a duel, and a code for a friend."""


@dataclass(frozen=True)
class Terms:
    """Encrypted state of a duel."""

    rules: Rules
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
    def open(cls, cipher: StateCipher, rules: Rules, token: str) -> Terms:
        """Return the terms in the token of a URL that names a game.

        Raises `BrokenStateError`, `SecretKeyError` or `OtherGameError` if the token is invalid, or
        contains the terms of another game.
        """
        game, code, salt, level, begins = _parts(cipher.decrypt(PURPOSE, token), 5)
        check_game(rules, game)
        name = next((each for each in NAMES if each == level), None)
        if name is None:
            raise BrokenStateError  # of a server with other levels
        return cls(rules, rules.parse_code(code), salt, name, begins == "you")

    def token(self, cipher: StateCipher) -> str:
        """Return the token that `open` reads."""
        begins = "you" if self.visitor_begins else "me"
        parts = (str(self.rules), self.opened, self.level, begins)
        return cipher.encrypt(PURPOSE, " ".join(parts))

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


def check_game(rules: Rules, game: str) -> None:
    """Reject a token of another game; raise `OtherGameError`."""
    if str(rules) != game:
        raise OtherGameError(str(rules), Rules.parse(game))


def encrypt_code(cipher: StateCipher, rules: Rules, code: CodeIndex) -> str:
    """Return the token of a code for a friend."""
    return cipher.encrypt(FRIEND, f"{rules} {rules.text(code)}")


def decrypt_code(cipher: StateCipher, rules: Rules, token: str) -> CodeIndex:
    """Return the code in the token for a friend.

    Raises `BrokenStateError`, `SecretKeyError` or `OtherGameError` if the token is invalid, or
    contains a code of another game.
    """
    game, code = _parts(cipher.decrypt(FRIEND, token), 2)
    check_game(rules, game)
    return rules.parse_code(code)


def _parts(text: str, number: int) -> list[str]:
    parts = text.split(" ")
    if len(parts) != number:
        raise BrokenStateError
    return parts
