"""A release: its version stands in one place, and whatever tells it to others agrees."""

from __future__ import annotations

import re
import tomllib
from datetime import date
from typing import Any

import yaml

from bullscows import __version__
from bullscows.tree.storage import ENGINE_VERSION, load_record
from tests import ROOT

HEADING = re.compile(r"^## \[(?P<version>[^]]+)](?: - (?P<date>\S+))?$", re.M)
CHANGELOG = (ROOT / "CHANGELOG.md").read_text()


def releases(changelog: str) -> dict[str, tuple[str, str]]:
    """Return the date and the text of each version that a changelog has, newest first."""
    found = list(HEADING.finditer(changelog))
    ends = [match.start() for match in found[1:]] + [len(changelog)]
    return {
        match["version"]: (match["date"] or "", changelog[match.end() : end].strip())
        for match, end in zip(found, ends, strict=True)
    }


def citation() -> Any:
    return yaml.safe_load((ROOT / "CITATION.cff").read_text())


def test_the_changelog_has_the_version() -> None:
    parts = releases(CHANGELOG)
    assert __version__ in parts, f"CHANGELOG.md lacks ## [{__version__}]"
    day, text = parts[__version__]
    assert date.fromisoformat(day).year >= 2026
    assert len(text) > 200, f"CHANGELOG.md says nothing of {__version__}"


def test_the_newest_release_is_this_one() -> None:
    first, second, *_ = releases(CHANGELOG)
    assert (first, second) == ("Unreleased", __version__)


def test_the_version_is_a_semantic_one() -> None:
    assert re.fullmatch(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)", __version__)


def test_no_other_file_states_a_version_of_its_own() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "version" not in project
    assert "version" in project["dynamic"]


def test_a_release_leaves_the_trees_as_they_are() -> None:
    """They say since which version the engine writes them so, which none of them can exceed."""
    numbers = [tuple(map(int, text.split("."))) for text in (ENGINE_VERSION, __version__)]
    assert numbers[0] <= numbers[1]
    stated = {load_record(path)["engine_version"] for path in (ROOT / "trees").glob("*.json")}
    assert stated == {ENGINE_VERSION}


def test_the_citation_is_of_this_release() -> None:
    cited = citation()
    assert cited["version"] == __version__
    assert cited["date-released"] == releases(CHANGELOG)[__version__][0]


def test_the_citation_has_what_the_format_demands() -> None:
    """Of the schema of CFF 1.2.0: what must be there, and that nothing unknown is."""
    cited = citation()
    required = {"cff-version", "message", "title", "authors"}
    known = required | {"type", "abstract", "version", "date-released", "license", "keywords"}
    assert required <= set(cited) <= known
    assert cited["cff-version"] == "1.2.0"
    assert cited["type"] == "software"
    assert cited["authors"] == [{"name": "The Bulls & Cows, solved developers"}]
    assert all(isinstance(value, str) for value in cited["keywords"])
    assert len(set(cited["keywords"])) == len(cited["keywords"])


def test_the_citation_agrees_with_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    cited = citation()
    assert cited["license"] == project["license"]
    assert cited["keywords"] == project["keywords"]
    assert cited["authors"] == project["authors"]
