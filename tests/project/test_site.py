"""The documents as a site: built strictly, so that each link and anchor leads somewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import ROOT
from tests.support.fences import PAGES, name


@pytest.mark.process
def test_site_is_built_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    words = [*command, "-f", str(ROOT / "mkdocs.yml"), "-d", str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    made = {page.relative_to(tmp_path).as_posix() for page in tmp_path.rglob("*.html")}
    assert {re.sub(r"\.md$", ".html", name(page)) for page in PAGES} - {"README.html"} <= made
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "docs/game.webp" in index
    assert not re.findall(r'(?:src|rel="stylesheet" href)="https?://', index)


def test_readme_has_at_most_750_words() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 750
