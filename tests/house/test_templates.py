"""The house's rules for templates: short lines, nothing unused, no alphabet written out."""

from collections.abc import Iterator
from functools import cache

import pytest
from jinja2 import Environment, nodes

from bullscows.game.rules import SYMBOLS
from bullscows_web.server.settings import data_folder
from bullscows_web.web.html.rendering import MACROS
from tests import ROOT

FOLDER = data_folder("templates")
WIDTH = 160
NAMES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.*"))
LAYOUTS = {"_layout/base.html", "_layout/fragment.html"}
"""What a page extends, by `bullscows_web.web.html.frame`."""


@cache
def source(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


@cache
def parsed(name: str) -> nodes.Template:
    options = {"trim_blocks": True, "lstrip_blocks": True}
    return Environment(extensions=["jinja2.ext.i18n"], **options).parse(source(name))  # type: ignore[arg-type]


def strings_of_code() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "app").rglob("*.py"))


def named_in(name: str) -> Iterator[str]:
    """Yield the templates that one includes, imports or extends."""
    kinds = (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)
    for node in parsed(name).find_all(kinds):
        yield from (const.value for const in node.find_all(nodes.Const))


def macros_of(name: str) -> list[str]:
    return [macro.name for macro in parsed(name).find_all(nodes.Macro)]


def called_in(name: str) -> Iterator[tuple[str, str]]:
    """Yield the macros that a template calls, with the name of the module, or an empty one."""
    for call in parsed(name).find_all(nodes.Call):
        called = call.node
        if isinstance(called, nodes.Name):
            yield "", called.name
        elif isinstance(called, nodes.Getattr) and isinstance(called.node, nodes.Name):
            yield called.node.name, called.attr


@pytest.mark.parametrize("name", NAMES)
def test_no_line_is_too_wide(name: str):
    wide = [n for n, line in enumerate(source(name).splitlines(), 1) if len(line) > WIDTH]
    assert not wide, f"lines {wide} of {name} have more than {WIDTH} columns"


@pytest.mark.parametrize("name", NAMES)
def test_no_alphabet_is_written_out(name: str):
    assert SYMBOLS[:10] not in source(name), "say symbols(rules), sample(rules) or SYMBOLS"


@pytest.mark.parametrize("name", NAMES)
def test_no_space_is_lost_before_a_tag(name: str):
    """A space that begins a line is cut off before `{%`, unless that says `{%+`."""
    lines = source(name).splitlines()
    lost = [n for n, line in enumerate(lines, 1) if line.startswith(" {%") and line[3] not in "+-"]
    assert not lost, f"the space at the start of lines {lost} does not show: write {{%+"


def test_every_template_is_used():
    code = strings_of_code()
    used = {other for name in NAMES if name.endswith(".html") for other in named_in(name)}
    used |= {name for name in NAMES if f'"{name}"' in code} | LAYOUTS
    assert set(NAMES) == used


def test_every_macro_is_used():
    pages = [name for name in NAMES if name.endswith(".html")]
    modules = {template: module for module, template in MACROS.items()}
    modules["statistics/charts.html"] = modules["statistics/results/charts.html"] = "charts"
    modules["statistics/results/_verdicts.html"] = "verdicts"
    modules |= {"duel/board/_boards.html": "boards", "duel/_levels.html": "levels"}
    modules |= {"duel/board/_guess.html": "guesses", "guess/_costs.html": "costs"}
    called = {name: set(called_in(name)) for name in pages}
    for name in pages:
        module = modules.get(name)
        for macro in macros_of(name):
            inside = ("", macro) in called[name] or any(
                ("", macro) in called[other] for other in named_in(name) if other in called
            )
            outside = any((module, macro) in called[other] for other in pages)
            assert inside or (module and outside), f"nobody calls {macro} of {name}"
