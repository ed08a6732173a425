"""Templates have short lines, no lost spaces, and are all used."""

import re

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


def test_no_line_is_too_wide_or_loses_a_space_before_a_tag():
    """Jinja removes the space that begins a line before `{%`, unless the tag is `{%+`."""
    lines = [line for source in SOURCES.values() for line in source.splitlines()]
    assert [line for line in lines if len(line) > WIDTH] == []
    assert [line for line in lines if line.startswith(" {%") and line[3] not in "+-"] == []


def test_every_template_and_macro_is_used():
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "app").rglob("*.py"))
    text = code + "".join(SOURCES.values())
    assert [name for name in SOURCES if f'"{name}"' not in text and name not in LAYOUTS] == []
    macros = set(re.findall(r"{%-? macro (\w+)\(", text))
    assert macros
    assert [name for name in macros if len(re.findall(rf"\b{name}\(", text)) < 2] == []
