"""Templates have short lines, no lost spaces, no alphabet written out, and are all used."""

import re

from bullscows.game.rules import SYMBOLS
from bullscows_web.server.settings import data_folder
from tests import ROOT

FOLDER = data_folder("templates")
WIDTH = 160
SOURCES = {
    path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(FOLDER.rglob("*.*"))
}
LAYOUTS = {"_layout/base.html", "_layout/fragment.html"}
"""Layouts whose names are composed by `bullscows_web.web.html.frame`."""


def lines_where(is_wrong) -> list[str]:
    """Return the places of the lines that are wrong."""
    return [
        f"{name}:{number}"
        for name, source in SOURCES.items()
        for number, line in enumerate(source.splitlines(), 1)
        if is_wrong(line)
    ]


def test_no_line_is_too_wide():
    assert lines_where(lambda line: len(line) > WIDTH) == []


def test_no_alphabet_is_written_out():
    wrong = lines_where(lambda line: SYMBOLS[:10] in line)
    assert wrong == [], "use symbols(rules), sample(rules) or SYMBOLS"


def test_no_space_is_lost_before_a_tag():
    """Jinja removes the space that begins a line before `{%`, unless the tag is `{%+`."""
    wrong = lines_where(lambda line: line.startswith(" {%") and line[3] not in "+-")
    assert wrong == [], "the space at the start of these lines does not show: write {%+"


def test_every_template_is_named_somewhere():
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "app").rglob("*.py"))
    text = code + "".join(SOURCES.values())
    assert [name for name in SOURCES if f'"{name}"' not in text and name not in LAYOUTS] == []


def test_every_macro_is_called():
    text = "".join(SOURCES.values())
    macros = set(re.findall(r"{%-? macro (\w+)\(", text))
    assert macros
    unused = {name for name in macros if len(re.findall(rf"\b{name}\(", text)) < 2}
    assert unused == set()
