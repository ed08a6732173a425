"""Links of the documents lead to what exists, headings included."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import ROOT
from tests.support.fences import PAGES, name

MOST_NAMES = 12


def prose(page: Path) -> str:
    """Return a page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)


def anchors(page: Path) -> set[str]:
    """Return what a page's headings are called in links."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.M)
    words = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {word.replace(" ", "-") for word in words}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", prose(page)))
    targets += re.findall(r'<img src="([^"]+)"', prose(page))
    for target in targets:
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{target} in {name(page)}"
        if anchor and file.suffix == ".md":
            assert anchor in anchors(file), f"{target} in {name(page)}"


def test_every_page_is_reached_from_the_readme() -> None:
    reached, new = set[Path](), {ROOT / "README.md"}
    while new:
        reached |= new
        found = {
            (page.parent / path).resolve()
            for page in new
            for path in re.findall(r"\]\(([^)\s#]+\.md)", prose(page))
        }
        new = {file for file in found if file.is_file()} - reached
    assert {name(page) for page in PAGES} <= {name(page) for page in reached}


def test_folders_of_documents_show_a_dozen_names_at_most() -> None:
    for folder in [ROOT / "docs", *(one for one in (ROOT / "docs").iterdir() if one.is_dir())]:
        shown = [one.name for one in folder.iterdir() if not one.name.startswith(".")]
        assert len(shown) <= MOST_NAMES, shown
