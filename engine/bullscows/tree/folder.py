"""Where tree files lie, and which file a user means by a name or a path."""

from __future__ import annotations

import os
import re
from pathlib import Path

from bullscows.errors import EngineError

NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

PARETO = "pareto"
"""The folder, within that of the trees, of the trees of a Pareto front."""

_PACKAGE = Path(__file__).resolve().parents[1]


class UnknownTreeError(EngineError, ValueError):
    """A name that no tree has."""


def default_folder() -> Path:
    """Return the folder of the trees.

    It is the value of BULLSCOWS_TREES, or the folder that came with the engine: inside the package
    in a wheel, at the top level in a checkout.
    """
    if named := os.environ.get("BULLSCOWS_TREES"):
        return Path(named)
    installed = _PACKAGE / "trees"
    return installed if installed.is_dir() else _PACKAGE.parents[1] / "trees"


def current_name(name: str) -> str:
    """Return the name that a tree has now; `name` may be one that it had before.

    >>> current_name("front-p4c10n-26274-69")
    'pareto-p4c10n-26274-69'
    """
    return re.sub(r"^front-(?=p[1-8]c)", "pareto-", name)


def tree_path(name_or_file: str, folder: Path) -> Path:
    """Return the file that a user means by a path or by a tree's name.

    Raises
    ------
    UnknownTreeError
        If there is none; the message lists the trees of the folder.
    """
    if not NAME.fullmatch(name_or_file):
        path = Path(name_or_file)
        if not path.exists() and not path.is_symlink():
            raise UnknownTreeError(f"no such file: {name_or_file[:200]}")
        return path
    name = current_name(name_or_file)
    path = folder / (PARETO if name.startswith("pareto-") else "") / f"{name}.json"
    if not path.exists():
        known = ", ".join(sorted(file.stem for file in folder.glob("*.json"))) or "none"
        raise UnknownTreeError(f"unknown tree {name_or_file[:40]!r}; known are {known}")
    return path
