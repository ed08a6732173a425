"""Encrypted URL state: the reader of a URL can neither read nor change it.

A token is the AES-256-GCM ciphertext of a text under the server's key, with a random nonce, in
URL-safe base 64.  The key is derived (HKDF, SHA-256) for a purpose, so the token of a duel is valid
for nothing else.  A token that was cut, changed, invented or encrypted with another key raises the
same error, whatever the cause.
"""

from __future__ import annotations

import base64
import binascii
import re
import secrets
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, cast

from fastapi import Depends, Request

from bullscows.game.rules import Rules
from bullscows_web.web.errors import BrokenStateError, OtherGameError

if TYPE_CHECKING:  # loaded with the first duel: a server of none does without its 8 MB
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

MAX_TOKEN = 200
"""Maximum length of a token; the server's own are shorter."""
_NONCE = 12
_INFO = b"bullscows/seal/1"  # codespell:ignore seal
_TOKEN = re.compile(rf"[A-Za-z0-9_-]{{38,{MAX_TOKEN}}}")


class StateCipher:
    """Encrypts and decrypts texts; reads its key when it is first used."""

    def __init__(self, key: Callable[[], str]) -> None:
        self._key = key

    def encrypt(self, purpose: str, text: str) -> str:
        """Return a token that only `decrypt` with the same purpose reads."""
        nonce = secrets.token_bytes(_NONCE)
        return _text(nonce + self._cipher.encrypt(nonce, text.encode(), purpose.encode()))

    def decrypt(self, purpose: str, token: str) -> str:
        """Return the text of a token.

        Raises `BrokenStateError` if this server did not encrypt the token for the purpose. Raises
        `SecretKeyError` if the server has no key.
        """
        if not _TOKEN.fullmatch(token):
            raise BrokenStateError
        from cryptography.exceptions import InvalidTag

        try:
            raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
            if _text(raw) != token:  # spare bits that say nothing
                raise BrokenStateError
            return self._cipher.decrypt(raw[:_NONCE], raw[_NONCE:], purpose.encode()).decode()
        except (InvalidTag, binascii.Error):
            raise BrokenStateError from None

    def decrypt_words(self, purpose: str, rules: Rules, token: str, number: int) -> list[str]:
        """Return the first `number` words of a token after the rules of its game.

        Raises `BrokenStateError` or `SecretKeyError` as `decrypt`, and `OtherGameError` if the
        token is of another game.
        """
        game, *words = self.decrypt(purpose, token).split(" ")
        if len(words) != number:
            raise BrokenStateError
        if game != str(rules):
            raise OtherGameError(str(rules), Rules.parse(game))
        return words

    @cached_property
    def _cipher(self) -> AESGCM:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        derivation = HKDF(SHA256(), 32, salt=None, info=_INFO)
        return AESGCM(derivation.derive(self._key().encode()))


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


async def get_cipher(request: Request) -> StateCipher:
    """Return the cipher of URL state."""
    return cast(StateCipher, request.app.state.cipher)


CipherDep = Annotated[StateCipher, Depends(get_cipher)]
