"""Templates have short lines, no lost spaces, and are all used; scripts have the right types."""

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from bullscows_web.server.settings import data_folder
from tests import ROOT
from tests.support.programs import program

FOLDER = data_folder("templates")
WIDTH = 120
SOURCES = {
    path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(FOLDER.rglob("*.*"))
}
LAYOUTS = {"_layout/base.html", "_layout/fragment.html"}
"""Layouts whose names are composed by `bullscows_web.web.frame`."""


def test_no_line_is_too_wide_or_loses_a_space_before_a_tag():
    """Jinja removes the space that begins a line before `{%`, unless the tag is `{%+`."""
    lines = [line for source in SOURCES.values() for line in source.splitlines()]
    assert [line for line in lines if len(line) > WIDTH] == []
    assert [line for line in lines if line.startswith(" {%") and line[3] not in "+-"] == []


def test_sentences_with_a_plural_begin_with_their_count():
    """Jinja chooses the form by the first variable; Russian refuses one that is no number."""
    blocks = re.findall(r"{%-?\s*trans\b(.*?)endtrans", "".join(SOURCES.values()), re.DOTALL)
    plural = [block for block in blocks if "pluralize" in block]
    assert len(plural) > 20
    assert [each for each in plural if not re.match(r"\s*(trimmed\s+)?count=", each)] == []


def test_every_template_and_macro_is_used():
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "app").rglob("*.py"))
    text = code + "".join(SOURCES.values())
    assert [name for name in SOURCES if f'"{name}"' not in text and name not in LAYOUTS] == []
    macros = set(re.findall(r"{%-? macro (\w+)\(", text))
    assert macros
    uses = Counter(re.findall(r"\b(\w+)\(", text))
    assert [name for name in macros if uses[name] < 2] == []


SCRIPTS = sorted((data_folder("static") / "scripts").glob("*.js"))
STRICT = (
    *("--allowJs", "--checkJs", "--noEmit", "--strict"),
    *("--moduleDetection", "force"),  # no names are shared
    *("--target", "es2022", "--module", "es2022", "--moduleResolution", "node"),
    *("--lib", "es2022,dom,dom.iterable", "--skipLibCheck"),
)
WRONG = "/** @param {number} n */\nexport const twice = (n) => 2 * n;\ntwice('2');\n"


@pytest.mark.process
def test_types_of_all_scripts_are_right_and_a_wrong_one_is_found(tmp_path: Path):
    wrong = tmp_path / "wrong.js"
    wrong.write_text(WRONG, encoding="utf-8")
    command = [program("tsc"), *STRICT, *map(str, (*SCRIPTS, wrong))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    (error,) = done.stdout.splitlines()
    assert "wrong.js(3,7): error TS2345" in error
