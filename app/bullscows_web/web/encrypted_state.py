"""Encrypted URL state: the reader of a URL can neither read nor change it.

A token is the AES-256-GCM ciphertext of a text under the server's key, with a random nonce, in
URL-safe base 64.  The key is derived (HKDF, SHA-256) for a purpose, so the token of a duel is valid
for nothing else.  A token that was cut, changed, invented or encrypted with another key raises the
same error, whatever the cause.

The server's key comes from the settings, or is generated in the state folder.
"""

from __future__ import annotations

import base64
import binascii
import logging
import os
import re
import secrets
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from bullscows.game.rules import Rules
from bullscows_web.server.settings import Settings
from bullscows_web.web.dependencies import of_app
from bullscows_web.web.exceptions import BrokenStateError, OtherGameError, ProblemError

if TYPE_CHECKING:  # loaded with the first duel: a server of none does without its 8 MB
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

logger = logging.getLogger(__name__)

FILE = "secret.key"
"""Name of the file in the state folder."""
MIN_LENGTH = 32
"""Minimum length of a key, in characters."""
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


# -- the key -----------------------------------------------------------------------------------


class SecretKeyError(ProblemError):
    """A key that can be neither read nor created."""

    slug = "no-seal-key"


def secret_key(settings: Settings) -> str:
    """Return the secret key of this server, the same in all of its processes.

    Raises `SecretKeyError` if the file holds no key, or the key cannot be stored.
    """
    if settings.secret_key is not None:
        return settings.secret_key.get_secret_value()
    path = settings.state_folder / FILE
    try:
        if not path.exists():
            _create(path)
        return _read(path)
    except OSError as error:
        message = f"the secret key cannot be stored in {path}: {error.strerror or error}"
        raise SecretKeyError(message) from error


def _create(path: Path) -> None:
    """Write a new key.  If several processes do so at once, the first hard link wins."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{FILE}.")  # mode 600
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(MIN_LENGTH) + "\n")
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            path.hardlink_to(name)
            logger.info("created the secret key %s", path)
    finally:
        os.unlink(name)


def _read(path: Path) -> str:
    if path.stat().st_mode & 0o077:
        logger.warning("other users can read the secret key %s: set its mode to 600", path)
    text = path.read_text(encoding="ascii", errors="replace").strip()
    if len(text) < MIN_LENGTH:
        raise SecretKeyError(
            f"{path} holds no secret key: delete it; links encrypted so far are lost"
        )
    return text


# -- dependency of routes ----------------------------------------------------------------------


CipherDep = Annotated[StateCipher, of_app("cipher")]
