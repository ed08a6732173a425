"""The key of sealed addresses: from the settings, or made once and kept in the state folder.

Several workers that start together make one key: each writes its own to a file of its own and links
that to the name of all, which succeeds for the first only; then all read what lies there.
"""

from __future__ import annotations

import logging
import os
import secrets
import tempfile
from pathlib import Path

from bullscows_web.server.settings import Settings

logger = logging.getLogger(__name__)

FILE = "seal.key"
"""The name of the file in the state folder."""
LEAST = 32
"""The fewest characters of a key."""


class SealKeyError(Exception):
    """A key that can neither be read nor made."""


def seal_key(settings: Settings) -> str:
    """Return the key of this server's seals, the same in all of its processes.

    Raises
    ------
    SealKeyError
        If the file holds no key, or there is nowhere to keep one.
    """
    if settings.seal_key is not None:
        return settings.seal_key.get_secret_value()
    path = (settings.state or default_state()) / FILE
    try:
        if not path.exists():
            _make(path)
        return _read(path)
    except OSError as error:
        raise SealKeyError(f"no key can be kept at {path}: {error.strerror or error}") from error


def default_state() -> Path:
    """Return the state folder of the user who runs the server."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return Path(state) / "bullscows"


def _make(path: Path) -> None:
    """Write a new key, unless another process was sooner."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{FILE}.")  # mode 600
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(LEAST) + "\n")
            file.flush()
            os.fsync(file.fileno())
        path.hardlink_to(temporary)
        logger.info("made a key for sealed addresses: %s", path)
    except FileExistsError:
        pass  # another process was sooner
    finally:
        temporary.unlink()


def _read(path: Path) -> str:
    if path.stat().st_mode & 0o077:
        logger.warning("others can read the key %s: make its mode 600", path)
    text = path.read_text(encoding="ascii", errors="replace").strip()
    if len(text) < LEAST:
        raise SealKeyError(f"{path} holds no key: remove it, and sealed links made so far are lost")
    return text
