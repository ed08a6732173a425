"""The site of the documents: built strictly, with the pages that stand outside `docs/`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from release.site import on_page_markdown
from tests import ROOT
from tests.support.fences import PAGES, name


def moved(page: str, text: str) -> str:
    """Return a page's text as the site has it."""
    place: Any = SimpleNamespace(file=SimpleNamespace(src_uri=page))
    return on_page_markdown(text, place, config=cast(Any, None), files=cast(Any, None))


@pytest.mark.parametrize(
    ("page", "link", "on_site"),
    [
        ("README.md", "docs/api.md", "api.md"),
        ("README.md", "docs/research/game.webp", "research/game.webp"),
        ("README.md", "CONTRIBUTING.md", "CONTRIBUTING.md"),
        ("api.md", "examples/client.py", "examples/client.py"),
        ("operations/licences.md", "../../LICENSE", "../LICENSE"),
        ("research/laboratory.md", "../results.md#nodes", "../results.md#nodes"),
        ("api.md", "https://example.org/docs/a.md", "https://example.org/docs/a.md"),
        ("api.md", "#limits", "#limits"),
    ],
)
def test_links_lead_to_the_same_on_the_site(page: str, link: str, on_site: str) -> None:
    assert moved(page, f"[words]({link}), more") == f"[words]({on_site}), more"


@pytest.mark.process
def test_site_is_built_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    words = [*command, "-f", str(ROOT / "release" / "mkdocs.yml"), "-d", str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    made = {page.relative_to(tmp_path).as_posix() for page in tmp_path.rglob("*.html")}
    told = {re.sub(r"\.md$", ".html", name(page).removeprefix("docs/")) for page in PAGES}
    assert told - {"README.html"} <= made
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "research/game.webp" in index
    assert not re.findall(r'(?:src|rel="stylesheet" href)="https?://', index)
