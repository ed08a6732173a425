"""Records in files: JSON in ASCII, one object, with a digest over all else that it says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from types import UnionType
from typing import Any, TypeAlias

from bullscows.errors import EngineError

DIGEST = "digest"
"""The field that states the digest of all others."""

MAX_FILE_BYTES = 4_000_000

ENGINE_VERSION = "1.0.0"
"""What files say of the engine that wrote them: the version since which it writes the same bytes.

A release leaves it as it is, so that files keep their digests.  A change after which a search may
find other trees, or a file say something else, sets it to the next release's version, and writes
every file anew.
"""

Fields: TypeAlias = Mapping[str, type | UnionType | tuple[type, ...]]
"""Names of fields with what they hold."""


class RecordError(EngineError, ValueError):
    """A file that holds no record, or one that was changed after it was written."""


def record_digest(stated: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a record's fields, in hexadecimal; a field `digest` does not count.

    They are hashed as one line of JSON, ordered by name and without spaces, in which DEL stands as
    itself: of whole numbers and ASCII text, as here, that is the canonical form of RFC 8785.
    """
    values = {name: value for name, value in stated.items() if name != DIGEST}
    text = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode("ascii")).hexdigest()


def dump_record(stated: Mapping[str, Any], *, indent: int = 2) -> str:
    """Return the text of the file: JSON in which DEL, base-92 digit 91, is escaped."""
    return json.dumps({**stated, DIGEST: record_digest(stated)}, indent=indent) + "\n"


def load_record(path: Path, most: int = MAX_FILE_BYTES) -> Any:
    """Return what the JSON of a file says; whether it is a record is for the caller to see.

    A file of more than `most` bytes is refused.

    Raises
    ------
    RecordError
        If the file is too large, or not JSON in ASCII, or a field occurs twice.
    OSError
        If the file can't be read.
    """
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise RecordError(f"larger than {most} bytes")
    try:
        return json.loads(content.decode("ascii"), object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"not JSON in ASCII: {error}") from error


def check_fields(stated: Any, fields: Fields) -> None:
    """Refuse what is no object, or has a field too few, too many or of the wrong type.

    Raises
    ------
    RecordError
        If anything is wrong; the message names the field.
    """
    if not isinstance(stated, dict):
        raise RecordError("not a JSON object")
    if missing := [name for name in fields if name not in stated]:
        raise RecordError(f"field {missing[0]!r} is missing")
    if unknown := [name for name in stated if name not in fields]:
        raise RecordError(f"unknown field {unknown[0][:40]!r}")
    for name, value in stated.items():
        if not isinstance(value, fields[name]) or isinstance(value, bool):
            raise RecordError(f"field {name!r} has the wrong type")
        if isinstance(value, str) and not value.isascii():
            raise RecordError(f"field {name!r} holds other characters than ASCII's")


def check_digest(stated: Mapping[str, Any], remedy: str) -> None:
    """Compare a record with the digest that it states.

    Parameters
    ----------
    stated
        All fields, the digest among them.
    remedy
        The command that makes the file again.

    Raises
    ------
    RecordError
        If they differ.
    """
    if stated[DIGEST] != record_digest(stated):
        raise RecordError(
            "the record does not have the digest that the file states: it was changed after it "
            f"was written; put back a copy, or make it again with `{remedy}`"
        )


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a field occurs twice")
    return value
