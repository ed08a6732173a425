"""What the documents name of the house is there: files, rooms, settings and limits."""

from __future__ import annotations

import re

import pytest

from bullscows.game.candidates import MAX_CODES
from bullscows_web.api.positions import MAX_EVALUATED, MAX_POSITIONS
from bullscows_web.server.processes import (
    BACKLOG,
    CONNECTIONS,
    HEALTH_SECONDS,
    KEEP_ALIVE_SECONDS,
    SHUTDOWN_SECONDS,
)
from bullscows_web.server.settings import MAX_BODY, MAX_URL, Settings
from bullscows_web.web.caching import FRESH_SECONDS
from tests import ROOT
from tests.support.fences import PAGES, fences, name

DOCS = ROOT / "docs"
CONFIGURATION = (DOCS / "reference" / "configuration.md").read_text(encoding="utf-8")
LIMITS = (DOCS / "operations" / "limits.md").read_text(encoding="utf-8")
FOLDERS = "app|benchmarks|docs|engine|release|static|templates|tests|trees"
OTHER_VARIABLES = {"BULLSCOWS_JOBS"}
"""Read by commands, not by the server."""


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_files_that_are_named_exist(page) -> None:
    """Of this house; `NAME` and `ROOM` stand for any."""
    named = re.findall(rf"`((?:{FOLDERS})/[\w./-]+)`", page.read_text(encoding="utf-8"))
    missing = [path for path in named if not (ROOT / path).exists()]
    assert [path for path in missing if not re.search(r"[A-Z]{3,}", path)] == []


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CHANGELOG.md"], ids=name)
def test_no_page_counts_the_trees_or_names_the_largest(page) -> None:
    """Every tree that is added would make it wrong; `bullscows verify` and `/trees` list them."""
    text = " ".join(page.read_text(encoding="utf-8").split())
    pattern = r"(?i)\b(?:all|of) \d+ trees\b|\d+ shipped trees\b|\bthe largest tree\b"
    assert re.findall(pattern, text) == []


PACKAGE = {"engine": "bullscows", "app": "bullscows_web"}
"""The package that each source root holds."""


def rooms(top: str) -> set[str]:
    return {
        one.name
        for one in (ROOT / top / PACKAGE[top]).iterdir()
        if one.is_dir() and one.name[0] not in "_."
    }


@pytest.mark.parametrize("top", ["engine", "app"])
def test_picture_of_the_house_has_its_rooms(top: str) -> None:
    """Columns of a line are two spaces apart at least; what is said of a room has no slash."""
    picture = fences(DOCS / "architecture.md")[0].text
    part = re.split(r"^(?=\w)", picture, flags=re.M)
    (lines,) = [one.splitlines()[1:] for one in part if one.startswith(f"{top}/")]
    drawn = {room for line in lines for room in re.findall(r"(?:^|  )(\w+)/(?=\s|$)", line)}
    assert drawn == rooms(top)


def variables() -> dict[str, str]:
    """Return the settings of docs/reference/configuration.md, with what holds without each."""
    rows = re.findall(r"^\| `(BULLSCOWS_\w+)` \|.*\| (.*) \|$", CONFIGURATION, re.M)
    return dict(rows)


def test_every_setting_is_told_and_no_other() -> None:
    fields = {f"BULLSCOWS_{field.upper()}" for field in Settings.model_fields}
    assert set(variables()) - OTHER_VARIABLES == fields
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    composed = set(re.findall(r"\$\{(BULLSCOWS_\w+)", (ROOT / "compose.yaml").read_text()))
    known = fields | OTHER_VARIABLES | composed
    assert set(re.findall(r"BULLSCOWS_[A-Z_]+[A-Z]", text)) <= known


def test_settings_have_the_values_that_are_told() -> None:
    told = 0
    for field, info in Settings.model_fields.items():
        said = variables()[f"BULLSCOWS_{field.upper()}"]
        if isinstance(info.default, bool | int | float):
            assert said == f"`{str(info.default).lower()}`", field
            told += 1
        elif isinstance(info.default, tuple):
            assert said == f"`{','.join(info.default)}`", field
            told += 1
    assert told >= 8


def test_limits_are_those_that_are_told() -> None:
    for words in (
        f"address, {MAX_URL:,} bytes",
        f"body of a request, {MAX_BODY:,} bytes",
        f"| {CONNECTIONS} connections or requests",
        f"| {BACKLOG} connections that wait",
        f"between two requests, {KEEP_ALIVE_SECONDS} s",
        f"when a process stops, {SHUTDOWN_SECONDS} s",
        f"answers its parent, {HEALTH_SECONDS} s",
    ):
        assert words in LIMITS, words


def test_api_tells_its_limits() -> None:
    page = " ".join((DOCS / "reference" / "api.md").read_text(encoding="utf-8").split())
    for words in (
        f"at most {MAX_URL:,} bytes (414)",
        f"at most {MAX_BODY:,} bytes (413)",
        f"At most {MAX_POSITIONS} positions per request and {MAX_EVALUATED} guesses",
        f"at most {MAX_CODES:,} codes (422)",
        f"used for {FRESH_SECONDS} seconds",
    ):
        assert words in page, words
