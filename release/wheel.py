"""The build hook of the wheel: `app`, `engine` and their data become one package.

In a checkout the two are top-level packages.  Installed so, they would overwrite, or be hidden by,
any other package of these common names; within one package of our own they can't.  So a wheel
holds `bullscows_solved/app/...`, and every import of the two is written anew for it, in its own
line, so that tracebacks keep their numbers.  An import that can't be, or a text that names a
module, which nobody would translate, ends the build.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HOUSE = "bullscows_solved"
"""The package that holds all; `tool.hatch` in `pyproject.toml` says the same for the data."""

PACKAGES = ("app", "engine")

FACE = '"""Bulls & Cows, solved: `engine`, `app` and their data, as a wheel installs them."""\n'

MODULE_NAME = re.compile(rf"({'|'.join(PACKAGES)})([.:][\w.:]*)?")


class ImportStyleError(ValueError):
    """Source that names a module of the house in a way that can't be written anew."""


class OnePackage(BuildHookInterface[Any]):
    """Put the house's own name before all that a wheel imports of it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Hand the rewritten modules to a standard build; an editable one stays as it is."""
        if version != "standard":
            return
        self._folder = TemporaryDirectory()
        folder, root = Path(self._folder.name), Path(self.root)
        for name, text in rehoused_files(root):
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text)
            build_data["force_include"][str(file)] = name
        scripts = self.metadata.core.scripts
        scripts.update({name: f"{HOUSE}.{target}" for name, target in scripts.items()})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove what was written for the build."""
        if version == "standard":
            self._folder.cleanup()


def rehoused_files(root: Path) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each module of the checkout `root`, as a wheel has it."""
    yield "__init__.py", FACE.encode()
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py*")):
            if path.suffix in (".py", ".pyi"):
                name = path.relative_to(root).as_posix()
                yield name, rehoused(path.read_bytes(), name)


def rehoused(source: bytes, name: str = "source") -> bytes:
    r"""Return a module's source with its imports from the house.

    >>> rehoused(b"import app\nfrom bullscows.game import Rules\n")
    b'from bullscows_solved import app\nfrom bullscows_solved.engine.game import Rules\n'

    Parameters
    ----------
    source
        The module, in UTF-8.
    name
        Where it stands, for the message.

    Raises
    ------
    ImportStyleError
        If an import binds another name than it would after, or a text is the name of a module.
    """
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source)):
        found = _replacement(node)
        if found is None:
            continue
        old, new = found
        if not new:
            raise ImportStyleError(f"{name}: can't be written anew: {old}")
        assert isinstance(node, ast.stmt)
        line, column = lines[node.lineno - 1], node.col_offset
        head, tail = line[:column], line[column:]
        lines[node.lineno - 1] = head + tail.replace(old.encode(), new.encode(), 1)
    return b"".join(lines)


def _replacement(node: ast.AST) -> tuple[str, str] | None:
    """Return the beginning of a statement and what stands for it; nothing if there is no way."""
    if isinstance(node, ast.ImportFrom) and not node.level and _is_ours(node.module or ""):
        return f"from {node.module}", f"from {HOUSE}.{node.module}"
    if isinstance(node, ast.Import) and any(_is_ours(alias.name) for alias in node.names):
        return _plain(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return (node.value, "") if MODULE_NAME.fullmatch(node.value) else None
    return None


def _plain(node: ast.Import) -> tuple[str, str]:
    alias, *others = node.names
    if others or ("." in alias.name and not alias.asname):
        return ast.unparse(node), ""
    if "." in alias.name:
        return f"import {alias.name}", f"import {HOUSE}.{alias.name}"
    return f"import {alias.name}", f"from {HOUSE} import {alias.name}"


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in PACKAGES
