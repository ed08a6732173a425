"""The commands' own words in docs/reference/commands.md: what ``--help`` says of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from bullscows.cli.main import commands, loaded
from docs.generate import ROOT

PAGE = ROOT / "docs" / "reference" / "commands.md"


def text() -> str:
    """Return all commands with their arguments and options."""
    group = typer.main.get_command(commands)
    return "\n".join(
        line for words, one in _leaves(group, "bullscows") for line in _section(words, one)
    )


def _leaves(command: Any, words: str) -> Iterator[tuple[str, Any]]:
    """Yield every command that has none below it."""
    if not hasattr(command, "list_commands"):
        yield words, command
        return
    for name in sorted(command.list_commands(None)):
        yield from _leaves(loaded(command.get_command(None, name)), f"{words} {name}")


def _section(words: str, command: Any) -> Iterator[str]:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option"]
    usage = " ".join([words, *(_argument(one) for one in arguments)])
    paragraphs = [" ".join(text.split()) for text in command.help.strip().split("\n\n")]
    yield from (f"### {words}", "", "```text", usage, "```", "", "\n\n".join(paragraphs), "")
    if options:
        yield from ("| option | what it does |", "| --- | --- |")
    for option in options:
        yield f"| `{_option(option)}` | {option.help}{_usual(option)} |"
    yield ""


def _argument(argument: Any) -> str:
    name = argument.metavar or argument.name.upper()
    name = name.removesuffix("...") + ("" if argument.nargs == 1 else "...")
    return name if argument.required else f"[{name}]"


def _option(option: Any) -> str:
    names = ", ".join(sorted(option.opts, key=len))
    return names if option.is_flag else f"{names} {option.metavar or option.name.upper()}"


def _usual(option: Any) -> str:
    """Return what holds without an option, if that is a value that says something."""
    if option.is_flag or option.default in (None, ""):
        return ""
    return f" Without it: {option.default}."
