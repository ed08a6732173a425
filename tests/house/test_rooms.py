"""The house's rule for rooms: a listing shows at most a dozen names, a module holds one concept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import ROOT

ROOMS = ("app", "benchmarks", "engine", "release", "tests")
"""The folders of code."""
UNCOUNTED = {"__init__.py", "__init__.pyi", "py.typed", "__pycache__"}
"""What every room may have beside what it is for."""
NAMES, LINES = 12, 600


def folders() -> Iterator[Path]:
    for room in ROOMS:
        yield ROOT / room
        for path in sorted((ROOT / room).rglob("*")):
            if path.is_dir() and path.name not in UNCOUNTED and any(path.rglob("*.py")):
                yield path


def is_left(path: Path) -> bool:
    """Return whether nothing but what Python compiled is left of a folder that has moved."""
    below = (file.relative_to(path).parts for file in path.rglob("*") if file.is_file())
    return path.is_dir() and all("__pycache__" in parts for parts in below)


def names(folder: Path) -> list[str]:
    """Return what a listing shows that says what is inside."""
    shown = [path for path in sorted(folder.iterdir()) if path.name not in UNCOUNTED]
    return [path.name for path in shown if not (path.name.startswith(".") or is_left(path))]


def modules() -> Iterator[Path]:
    for room in ROOMS[:-1]:
        yield from sorted((ROOT / room).rglob("*.py"))


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("folder", list(folders()), ids=named)
def test_a_listing_shows_at_most_a_dozen_names(folder: Path) -> None:
    shown = names(folder)
    assert len(shown) <= NAMES, f"{named(folder)} has {len(shown)}: {', '.join(shown)}"


def test_no_module_is_long() -> None:
    lines = {named(path): len(path.read_text(encoding="utf-8").splitlines()) for path in modules()}
    long = {name: count for name, count in lines.items() if count > LINES}
    assert not long, f"split {long}"


def test_rooms_are_found() -> None:
    """One that is not found would not be checked."""
    found = {named(folder) for folder in folders()}
    assert {
        "app",
        "app/bullscows_web/web/html",
        "engine/bullscows/kernels",
        "tests/house",
    } <= found
    assert "app/bullscows_web/language/translations" not in found  # one file for each language
    assert len(list(modules())) > 300
