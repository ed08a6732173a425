"""Encrypted URL state: the reader of a URL can neither read nor change it.

A sealed text is AES-256-GCM of its words under the server's key, with a nonce drawn for each, in
URL-safe base 64.  The key is derived (HKDF, SHA-256) for its purpose, so that the seal of a duel
opens nothing else.  A text that was cut, changed, invented or encrypted with another key raises the
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

from bullscows_web.web.errors import BrokenStateError

if TYPE_CHECKING:  # loaded with the first duel: a server of none does without its 8 MB
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

MAX_SEAL = 200
"""The longest sealed text; all of ours are shorter."""
_NONCE = 12
_SEAL = re.compile(rf"[A-Za-z0-9_-]{{38,{MAX_SEAL}}}")


class Sealer:
    """Seals texts and opens them; asks for its key when it is first used."""

    def __init__(self, key: Callable[[], str]) -> None:
        self._key = key

    def seal(self, purpose: str, text: str) -> str:
        """Return a text that only `open` with the same purpose reads."""
        nonce = secrets.token_bytes(_NONCE)
        sealed = nonce + self._cipher.encrypt(nonce, text.encode(), purpose.encode())
        return _text(sealed)

    def open(self, purpose: str, sealed: str) -> str:
        """Return what was sealed.

        Raises
        ------
        BrokenStateError
            If that is no text that this server has sealed for the purpose.
        SecretKeyError
            If the server has no key.
        """
        if not _SEAL.fullmatch(sealed):
            raise BrokenStateError
        from cryptography.exceptions import InvalidTag

        try:
            raw = base64.b64decode(sealed + "=" * (-len(sealed) % 4), altchars=b"-_", validate=True)
            if _text(raw) != sealed:  # spare bits that say nothing
                raise BrokenStateError
            return self._cipher.decrypt(raw[:_NONCE], raw[_NONCE:], purpose.encode()).decode()
        except (InvalidTag, binascii.Error):
            raise BrokenStateError from None

    @cached_property
    def _cipher(self) -> AESGCM:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        derivation = HKDF(SHA256(), 32, salt=None, info=b"bullscows/seal/1")
        return AESGCM(derivation.derive(self._key().encode()))


def _text(sealed: bytes) -> str:
    return base64.urlsafe_b64encode(sealed).decode().rstrip("=")


async def get_sealer(request: Request) -> Sealer:
    """Return what seals."""
    return cast(Sealer, request.app.state.sealer)


SealerDep = Annotated[Sealer, Depends(get_sealer)]
