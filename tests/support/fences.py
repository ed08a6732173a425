"""The README and the pages of `docs/`: their code blocks and the commands that they name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

SERVER = "http://127.0.0.1:8000"
"""The server address in the documents."""


@dataclass(frozen=True)
class Fence:
    """A block between two lines of three backticks."""

    page: Path
    line: int
    language: str
    text: str
    following: Fence | None
    """The next block of the page, unless a heading stands between them."""

    def __str__(self) -> str:
        return f"{name(self.page)}:{self.line}"

    @property
    def commands(self) -> list[str]:
        """The commands of a block of shell, each on one line."""
        joined = self.text.replace("\\\n", " ").replace("|\n", "|")
        return [line.partition("  #")[0].strip() for line in joined.splitlines() if line.strip()]


def name(page: Path) -> str:
    """Return the path of a page relative to the root."""
    return page.relative_to(ROOT).as_posix()


def fences(page: Path) -> list[Fence]:
    text = page.read_text(encoding="utf-8")
    found: list[Fence] = []
    blocks = list(re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S))
    beginnings = [block.start() for block in blocks] + [len(text)]
    for block, after in reversed(list(zip(blocks, beginnings[1:], strict=True))):
        is_near = found and not re.search(r"^#", text[block.end() : after], re.M)
        line = text.count("\n", 0, block.start()) + 1
        found.insert(0, Fence(page, line, block[1], block[2], found[0] if is_near else None))
    return found


def all_fences(*languages: str) -> list[Fence]:
    """Return the blocks of all pages that are in one of these languages."""
    return [one for page in PAGES for one in fences(page) if one.language in languages]


def named_commands() -> Iterator[tuple[str, str]]:
    """Yield page and command for each `bullscows ...` in a page's text, tables and blocks."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8").replace("\\\n", " ")
        spans = re.findall(r"`(bullscows [^`]+)`", text.replace("\n", " ").replace("\\|", "|"))
        lines = re.findall(r"^(?: {4}|[^`\n]*\| )?(bullscows [^`\n]+)$", text, re.M)
        for command in dict.fromkeys(spans + lines):
            yield name(page), command.partition("  #")[0].strip()
