"""A release: one place states its version, and the changelog and the citation agree."""

import re
from datetime import date

import yaml

from bullscows import __version__
from bullscows.tree.storage import ENGINE_VERSION, load_record, tree_files
from tests import ROOT

RELEASES = re.findall(
    r"^## \[([^]]+)](?: - (\S+))?$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE
)
"""Version and date of each heading of the changelog, newest first."""


def test_changelog_starts_with_this_release() -> None:
    versions = [version for version, _ in RELEASES if version != "Unreleased"]
    assert versions[0] == __version__
    assert date.fromisoformat(dict(RELEASES)[__version__]).year >= 2026
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert (cited["version"], cited["date-released"]) == (__version__, dict(RELEASES)[__version__])
    assert all({"type", "title", "authors"} <= set(work) for work in cited["references"])


def test_trees_were_written_by_this_engine_or_an_older_one() -> None:
    numbers = [tuple(map(int, text.split("."))) for text in (ENGINE_VERSION, __version__)]
    assert numbers[0] <= numbers[1]
    stated = {load_record(path)["engine_version"] for path in tree_files(ROOT / "trees")}
    assert stated == {ENGINE_VERSION}
