"""The secret key that encrypts URL state: from the settings, or generated in the state folder."""

from __future__ import annotations

import logging
import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from bullscows_web.server.settings import Settings

logger = logging.getLogger(__name__)

FILE = "secret.key"
"""Name of the file in the state folder."""
MIN_LENGTH = 32
"""Minimum length of a key, in characters."""


class SecretKeyError(Exception):
    """A key that can be neither read nor created."""


def secret_key(settings: Settings) -> str:
    """Return the secret key of this server, the same in all of its processes.

    Raises `SecretKeyError` if the file holds no key, or the key cannot be stored.
    """
    if settings.secret_key is not None:
        return settings.secret_key.get_secret_value()
    path = (settings.state_dir or default_state()) / FILE
    try:
        if not path.exists():
            _create(path)
        return _read(path)
    except OSError as error:
        message = f"the secret key cannot be stored in {path}: {error.strerror or error}"
        raise SecretKeyError(message) from error


def default_state() -> Path:
    """Return the state folder of the user who runs the server (XDG)."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return Path(state) / "bullscows"


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
