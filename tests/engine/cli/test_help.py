"""The help of the commands: what it says, how it fits a terminal, and what it need not load."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from bullscows.cli.main import commands, loaded

pytestmark = pytest.mark.large

HEAVY = ("numpy", "numba", "uvicorn", "starlette", "fastapi", "pydantic", "jinja2", "sqlalchemy")

PROGRAM = f"""
import sys
from bullscows.cli.main import main
sys.argv = ["bullscows", *sys.argv[1:]]
try:
    main()
finally:
    print(*(name for name in {HEAVY} if name in sys.modules), file=sys.stderr)
"""


def places(group: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the words and the command of each command and group."""
    for name, command in group.commands.items():
        whole = loaded(command)
        yield (*words, name), whole
        if hasattr(whole, "commands"):
            yield from places(whole, (*words, name))


ALL = dict(places(typer.main.get_command(commands)))


@pytest.mark.process
@pytest.mark.parametrize(
    ("words", "said", "by_typer"),
    [
        (["--help"], "Serve the pages and the JSON API", ""),
        ([], "Serve the pages and the JSON API", ""),
        (["--version"], "bullscows ", ""),
        (["serve", "--help"], "Address to listen on", "pydantic"),
    ],
)
def test_the_list_of_commands_loads_neither_numpy_nor_the_server(words, said, by_typer):
    """Typer itself checks values of options by pydantic."""
    command = [sys.executable, "-c", PROGRAM, *words]
    done = subprocess.run(command, capture_output=True, text=True)
    assert said in done.stdout
    assert done.stderr == f"{by_typer}\n"


@pytest.mark.process
def test_shells_complete_commands_without_numpy() -> None:
    asked = {
        "_BULLSCOWS_COMPLETE": "complete_bash",
        "COMP_WORDS": "bullscows ex",
        "COMP_CWORD": "1",
    }
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | asked)
    assert (done.stdout, done.stderr) == ("export\n", "pydantic\n")  # by Typer


def test_the_list_says_of_each_command_what_it_does() -> None:
    lines = CliRunner().invoke(commands, ["--help"], env={"COLUMNS": "80"}).stdout.splitlines()
    for words in [words for words in ALL if len(words) == 1]:
        assert any(re.fullmatch(rf"│ {words[0]} +[A-Z].+[.] *│", line) for line in lines), words


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_help_fills_80_columns_without_broken_lines(words: tuple[str, ...]) -> None:
    """A line of a paragraph ends only where the next word does not fit."""
    shown = CliRunner().invoke(commands, [*words, "--help"], env={"COLUMNS": "80"}).stdout
    lines = shown.splitlines()
    assert max(map(len, lines)) <= 80
    assert "[[" not in shown
    text = [line.strip() for line in lines[: lines.index(next(x for x in lines if "╭" in x))]]
    for line, following in pairwise(text):
        if line and following:
            assert len(line) + 1 + len(following.split()[0]) > 78, line
