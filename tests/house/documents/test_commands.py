"""The table of commands is the command line's, and what pages name is understood."""

from __future__ import annotations

import re
import shlex
from typing import Any

import pytest
import typer

from bullscows.cli.main import commands
from tests import ROOT
from tests.support.fences import named_commands

PAGE = ROOT / "docs" / "reference" / "commands.md"
ROWS = re.findall(r"^\| `bullscows (\w+)(.*?)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def inside(command: Any) -> dict[str, Any]:
    """Return the commands of a group; a plain command has none."""
    if not hasattr(command, "list_commands"):
        return {}
    return {name: command.get_command(None, name) for name in command.list_commands(None)}


COMMANDS = inside(typer.main.get_command(commands))
each_row = pytest.mark.parametrize(("name", "usage"), ROWS, ids=[name for name, _ in ROWS])


def test_every_command_has_one_row() -> None:
    assert sorted(name for name, _ in ROWS) == sorted(COMMANDS)


@each_row
def test_options_of_a_row_exist(name: str, usage: str) -> None:
    options = {option for parameter in COMMANDS[name].params for option in parameter.opts}
    assert set(re.findall(r"--[a-z-]+", usage)) <= options


@each_row
def test_arguments_of_a_row_are_those_of_the_command(name: str, usage: str) -> None:
    """A row names several trees as ``TREE...``."""
    given = [one for one in COMMANDS[name].params if one.param_type_name == "argument"]
    arguments = {one.name if one.nargs == 1 else one.name.removesuffix("s") for one in given}
    without_options = re.sub(r"--[a-z-]+ [A-Z]+", "", usage)
    assert {word.lower() for word in re.findall(r"\b[A-Z]{3,}\b", without_options)} == arguments


@each_row
def test_subcommands_of_a_row_are_all_there_are(name: str, usage: str) -> None:
    listed = re.findall(r"^ ([a-z]+(?:\\\|[a-z]+)+)", usage)
    words = listed[0].split("\\|") if listed else []
    assert sorted(words) == sorted(inside(COMMANDS[name]))


def is_whole(command: str) -> bool:
    """Tell whether a command is meant to be typed: no part of it is left open."""
    return not re.search(r"\.\.\.|\[|\|", command) and command.split()[1] in COMMANDS


@pytest.mark.parametrize(
    "command", dict.fromkeys(command for _, command in named_commands() if is_whole(command))
)
def test_commands_that_pages_name_are_understood(command: str) -> None:
    """They are read as the command line would, and not run."""
    words = shlex.split(command)[1:]
    found = COMMANDS[words.pop(0)]
    while words and words[0] in inside(found):
        found = inside(found)[words.pop(0)]
    if words:
        found.make_context(command, words)
