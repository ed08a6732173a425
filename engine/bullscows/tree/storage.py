"""The folder of trees, and record files: JSON in ASCII with a digest, written atomically."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from types import UnionType
from typing import Any, TypeAlias

from bullscows.errors import EngineError, did_you_mean

DIGEST = "digest"
"""The field that states the digest of all others."""

MAX_FILE_BYTES = 4_000_000

ENGINE_VERSION = "1.0.0"
"""The version in the files: the release since which the engine writes the same bytes.

A release keeps it, so that files keep their digests. A change after which a search may find other
trees, or files have other content, sets it to the next version and rewrites all files.
"""

Fields: TypeAlias = Mapping[str, type | UnionType | tuple[type, ...]]
"""Names of fields with what they hold."""


class RecordError(EngineError, ValueError):
    """A file that holds no record, or one that was changed after it was written."""


def record_digest(stated: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a record's fields but `digest`, in hexadecimal.

    They are hashed as one line of JSON, ordered by name, without spaces and with DEL unescaped: for
    whole numbers and ASCII text that is the canonical form of RFC 8785.
    """
    values = {name: value for name, value in stated.items() if name != DIGEST}
    text = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode("ascii", "backslashreplace")).hexdigest()


def dump_record(stated: Mapping[str, Any], *, indent: int = 2) -> str:
    """Return the text of the file: JSON in which DEL, base-92 digit 91, is escaped."""
    return json.dumps({**stated, DIGEST: record_digest(stated)}, indent=indent) + "\n"


def load_record(path: Path, most: int = MAX_FILE_BYTES) -> Any:
    """Return the JSON of a file of at most `most` bytes; the caller checks its fields.

    Raises `RecordError` if it is too large, not JSON in ASCII, or a field occurs twice; `OSError`.
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
    """Raise `RecordError`, naming the field, unless a value has just these fields and types."""
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


def check_record(stated: Any, fields: Fields, form: str, remedy: str) -> None:
    """Check the format of a record, its fields and the digest that it states.

    Raises `RecordError`; if the format or the digest differs, the message ends with `remedy`.
    """
    found = stated.get("format") if isinstance(stated, dict) else None
    if isinstance(found, str) and found != form:
        raise RecordError(f"format {found[:40]!r} is not {form!r}: {remedy}")
    check_fields(stated, fields)
    if stated[DIGEST] != record_digest(stated):
        raise RecordError(
            "the record does not have the digest that the file states: it was changed after it "
            f"was written; put back a copy, or {remedy}"
        )


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a field occurs twice")
    return value


def check_folder(folder: Path) -> None:
    """Raise `FileNotFoundError`, naming the folder, if there is none to write files to."""
    if not folder.is_dir():
        raise FileNotFoundError(f"there is no folder {folder}: make it first, or name another one")


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file atomically and durably: a reader sees the old file or the new one.

    Text is written as UTF-8.  Raises `OSError` if the file can't be written; an older file is then
    unchanged.
    """
    check_folder(path.parent)
    with errors_name(path):
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content.encode() if isinstance(content, str) else content)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, 0o644)
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    _sync_folder(path.parent)


@contextmanager
def errors_name(path: Path) -> Iterator[None]:
    """Name a file in an `OSError` that names none, as of a full disk, or a temporary one."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


def _sync_folder(folder: Path) -> None:
    """Make the renaming itself durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

PARETO = "pareto"
"""The folder, within that of the trees, of the trees of a Pareto front."""

PROOFS = "proofs"
"""The folder, within that of the trees, of proofs that no strategy takes fewer turns."""

CHECKPOINTS = "checkpoints"
"""The folder, within that of the trees, of the proved bounds of games."""

ATLAS = "atlas.json"
"""The file, next to the trees, of the values of all small games."""

_PACKAGE = Path(__file__).resolve().parents[1]


TREES_DIR = "BULLSCOWS_TREES_DIR"
"""Environment variable with the folder of the trees."""


class MissingFolderError(EngineError, OSError):
    """A folder of trees that does not exist."""


class UnknownTreeError(EngineError, ValueError):
    """A name that no tree has, or a path without a file; `known` are the names that trees have."""

    def __init__(self, reason: str, known: Sequence[str] = ()) -> None:
        super().__init__(reason)
        self.known = tuple(known)
        """The names that trees have."""

    @classmethod
    def of(cls, name: str, known: Sequence[str]) -> UnknownTreeError:
        """Return the error for a name, which suggests the closest known ones."""
        closest = did_you_mean(name, known) or ";"
        return cls(f"unknown tree {name[:40]!r}{closest} `bullscows trees` lists them all", known)


def default_folder() -> Path:
    """Return the folder of the trees: BULLSCOWS_TREES_DIR, or the one that came with the engine.

    In a wheel it is inside the package, in a checkout at the top level.

    Raises `MissingFolderError` if the variable names no folder.
    """
    if named := os.environ.get(TREES_DIR):
        if not Path(named).is_dir():
            raise MissingFolderError(f"{TREES_DIR}: there is no folder {named}")
        return Path(named)
    installed = _PACKAGE / "trees"
    return installed if installed.is_dir() else _PACKAGE.parents[1] / "trees"


def tree_files(folder: Path) -> list[Path]:
    """Return the files of the trees in a folder, by name."""
    return sorted(path for path in folder.glob("*.json") if path.name != ATLAS)


def proof_path(name: str, folder: Path) -> Path:
    """Return the file of a proof, which need not exist.

    It is named after a game, for the fewest turns there, or after a tree, for the tree's goal.
    """
    return folder / PROOFS / f"{name}.proof.xz"


def checkpoint_path(rules: object, folder: Path) -> Path:
    """Return the file of the proved bounds of a game, which need not exist."""
    return folder / CHECKPOINTS / f"{rules}.json"


def current_name(name: str) -> str:
    """Return the present name of a tree, given that or an earlier one.

    >>> current_name("front-p4c10n-26274-69")
    'pareto-p4c10n-26274-69'
    """
    return re.sub(r"^front-(?=p[1-8]c)", "pareto-", name)


def tree_path(name_or_file: str, folder: Path) -> Path:
    """Return the file of a path or a tree's name.

    Raises `UnknownTreeError` if there is none; it names the trees of the folder that are closest.
    """
    path = Path(name_or_file)
    known = [file.stem for file in tree_files(folder)]
    if not NAME.fullmatch(name_or_file):
        if path.is_dir():
            raise UnknownTreeError(f"{name_or_file} is a folder: name a tree, or the file of one")
        if not path.exists() and not path.is_symlink():
            closest = did_you_mean(path.stem, known)
            raise UnknownTreeError(f"no such file: {name_or_file[:200]}{closest}", known)
        return path
    name = current_name(name_or_file)
    shipped = folder / (PARETO if name.startswith("pareto-") else "") / f"{name}.json"
    if shipped.exists():
        return shipped
    if path.is_file():
        return path
    raise UnknownTreeError.of(name_or_file, known)
