"""Everything that the documents name exists: files, commands, settings, limits."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from bullscows.cli.main import commands, loaded
from bullscows_web.server.settings import Settings
from tests import ROOT
from tests.support.fences import PAGES, all_fences, name, named_commands

TEXTS = {name(page): page.read_text(encoding="utf-8") for page in PAGES}
ALL = "\n".join(TEXTS.values())
FOLDERS = "app|benchmarks|docs|engine|static|templates|tests|trees"
TARGETS = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))


@pytest.mark.parametrize("page", TEXTS)
def test_named_files_exist(page: str) -> None:
    """A part in capital letters, such as `NAME`, stands for any file."""
    named = re.findall(rf"`((?:{FOLDERS})/[\w./-]+)`", TEXTS[page])
    named += re.findall(rf"pytest (?:-\S+ \S+ )*((?:{FOLDERS})/[\w./]+)", TEXTS[page])
    missing = [path for path in named if not (ROOT / path).exists()]
    assert [path for path in missing if not re.search(r"[A-Z]{3,}", path)] == []


def test_named_make_targets_and_modules_exist() -> None:
    lines = [line for fence in all_fences("sh") for line in fence.commands]
    named = {line.split()[1] for line in lines if line.startswith("make ")}
    workflow = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    run = re.findall(r"run: make (?:--keep-going )?(.*)", workflow)
    assert run
    named |= {word for words in run for word in words.split() if "=" not in word}
    assert named | set(re.findall(r"`make ([\w-]+)", ALL)) <= TARGETS
    modules = set(re.findall(r"python -m (benchmarks[\w.]*)", ALL))
    assert modules
    for module in modules:
        place = ROOT / module.replace(".", "/")
        assert place.is_dir() or place.with_suffix(".py").is_file(), module


def inside(command: Any) -> dict[str, Any]:
    """Return the commands of a group; a plain command has none."""
    if not hasattr(command, "list_commands"):
        return {}
    return {name: loaded(command.get_command(None, name)) for name in command.list_commands(None)}


COMMANDS = inside(typer.main.get_command(commands))


def is_complete(command: str) -> bool:
    """Return whether a command has no placeholder, so that it can be typed as it stands."""
    return not re.search(r"\.\.\.|\[|\|", command) and command.split()[1] in COMMANDS


@pytest.mark.parametrize(
    "command", dict.fromkeys(command for _, command in named_commands() if is_complete(command))
)
def test_named_commands_are_valid(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = shlex.split(command)[1:]
    if "--trees" in words:  # the text makes the folder first
        (tmp_path / words[words.index("--trees") + 1]).mkdir()
        monkeypatch.chdir(tmp_path)
    found = COMMANDS[words.pop(0)]
    while words and words[0] in inside(found):
        found = inside(found)[words.pop(0)]
    if words:
        found.make_context(command, words)


def test_every_command_is_named() -> None:
    named = {command.split()[1] for _, command in named_commands() if len(command.split()) > 1}
    assert set(COMMANDS) <= named


def test_every_setting_is_documented_with_its_default() -> None:
    rows = dict(
        re.findall(
            r"^\| `(BULLSCOWS_\w+)` \|.*\| (.*) \|$", TEXTS["docs/reference/configuration.md"], re.M
        )
    )
    fields = {f"BULLSCOWS_{field.upper()}": info for field, info in Settings.model_fields.items()}
    assert set(rows) == set(fields)
    for field, info in fields.items():
        if isinstance(info.default, bool | int | float):
            assert rows[field] == f"`{str(info.default).lower()}`", field
        elif isinstance(info.default, tuple):
            assert rows[field] == f"`{','.join(info.default)}`", field
    assert set(re.findall(r"BULLSCOWS_[A-Z_]+[A-Z]", ALL)) <= set(fields)
