"""The commands' own words in docs/reference/commands.md: what ``--help`` says of each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import typer

from bullscows.cli.main import commands, loaded
from docs.generate import ROOT

PAGE = ROOT / "docs" / "reference" / "commands.md"

EXIT_CODES = re.compile(r"(?:The exit code is|Exits with) [^.]*\.")
"""Sentences that are left out, because the page has one table of exit codes."""

COMMON = 3
"""Number of commands from which on an option with the same meaning is described once."""


def text() -> str:
    """Return all commands with their arguments and options; common options only once."""
    leaves = list(_leaves(typer.main.get_command(commands), "bullscows"))
    counts = Counter(_option(option) for _, command in leaves for option in _options(command))
    common = sorted(option for option, count in counts.items() if count >= COMMON)
    lines = ["### Common options", "", *common, ""]
    for words, command in leaves:
        lines += _section(words, command, common)
    return "\n".join(lines)


def _leaves(command: Any, words: str) -> Iterator[tuple[str, Any]]:
    """Yield every command that has none below it."""
    if not hasattr(command, "list_commands"):
        yield words, command
        return
    for name in sorted(command.list_commands(None)):
        yield from _leaves(loaded(command.get_command(None, name)), f"{words} {name}")


def _section(words: str, command: Any, common: list[str]) -> Iterator[str]:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    usage = " ".join([words, *(_argument(one) for one in arguments)])
    paragraphs = [" ".join(text.split()) for text in command.help.strip().split("\n\n")]
    paragraphs = [said for text in paragraphs if (said := EXIT_CODES.sub("", text).strip())]
    yield from (f"### {words.removeprefix('bullscows ')}", "", f"    {usage}", "")
    yield from ("\n\n".join(paragraphs), "")
    options = [_option(one) for one in _options(command)]
    shared = [option.partition(":")[0].removeprefix("- ") for option in options if option in common]
    shared = [name for name in shared if name != "`--json`"]  # of nearly all commands
    yield from (option for option in options if option not in common)
    if shared:
        yield f"- {', '.join(shared)}"
    yield ""


def _options(command: Any) -> list[Any]:
    return [one for one in command.params if one.param_type_name == "option"]


def _argument(argument: Any) -> str:
    name = argument.metavar or argument.name.upper()
    name = name.removesuffix("...") + ("" if argument.nargs == 1 else "...")
    return name if argument.required else f"[{name}]"


def _option(option: Any) -> str:
    """Return the line of an option: its names, what it does and its default."""
    names = ", ".join(sorted(option.opts, key=len))
    usage = names if option.is_flag else f"{names} {option.metavar or option.name.upper()}"
    is_plain = option.is_flag or option.default in (None, "")
    default = "" if is_plain else f" Default: {option.default}."
    return f"- `{usage}`: {option.help}{default}"
