"""The console script ``bullscows``: its commands and exit codes.

Standard output has the result: text, or with ``--json`` one JSON object.  Standard error has
errors, each in one sentence, and progress if it is a terminal.  Exit codes: 0 done; 1 the claim
fails, for example no strategy exists or no code fits a history; 2 usage; 3 stopped by a limit
before the proof; 4 the address cannot be bound (`serve`); 130 interrupted with the work kept.

The module of a command is imported when the command is used: ``bullscows --help`` loads neither
numpy nor the server.
"""

from __future__ import annotations

import inspect
import logging
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, wraps
from importlib.metadata import EntryPoint, entry_points
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from bullscows import __version__
from bullscows.cli import INTERRUPTED, PIPE_CLOSED, USAGE
from bullscows.errors import EngineError
from bullscows.tree.storage import default_folder

_LOADED = time.monotonic()

EXTENSIONS = "bullscows.commands"
"""Entry-point group in which other packages register commands; each names a function.  A module
named there is imported for the list of commands, so it imports what is slow in the function."""

_OWN = (
    ("play", "play:play", "Play in the terminal: guess, or let the computer guess."),
    ("trees", "trees:list_trees", "List the shipped trees."),
    ("solve", "solve:solve", "Prove the best cost of a game or a position."),
    ("verify", "trees:verify", "Check tree files and replay every secret."),
    ("prove", "proofs:prove", "Write a proof that no strategy does better."),
    ("check", "proofs:check", "Check a proof without a search."),
    ("export", "trees:export", "Write a tree to standard output in another format."),
    ("import", "trees:import_tree", "Write a string or exported text as a tree file."),
    ("build", "trees:build", "Recompute trees from scratch and write their files."),
    ("openings", "atlas:openings", "Prove the positions after each first guess."),
    ("strategy", "strategies:strategy", "Count the turns of a strategy for every secret."),
    ("classes", "strategies:classes", "List the equivalence classes of guesses."),
    ("adversary", "opponents:adversary", "Answer so that a game lasts as long as possible."),
    (
        "codemaker",
        "opponents:codemaker",
        "Prove the value if the codemaker chooses the kind of code.",
    ),
    ("duel", "opponents:duel_group", "Prove best replies where two players race."),
    ("pareto", "strategies:pareto", "Prove the Pareto front of two criteria."),
    ("nonadaptive", "strategies:nonadaptive", "Find the fewest guesses made before any answer."),
    ("atlas", "atlas:atlas", "Print the proved figures of all small games."),
    ("totals", "atlas:totals", "Print all least totals and worst cases as CSV."),
    ("jobs", "jobs:jobs_group", "Run long searches from a file, in their order."),
    ("estimate", "jobs:estimate", "Predict the processor time of a proof."),
)
"""Commands in the order of the help: name, place and what they do."""

_ParseError: Any = typer.BadParameter.__base__
"""Base class of the errors of arguments and options, which Typer does not export."""


class ListedCommand(TyperCommand):
    """A command in the list, whose module is imported when the command is used."""

    def __init__(self, name: str, summary: str, entry: EntryPoint) -> None:
        super().__init__(name, help=summary)
        self._entry = entry

    @cached_property
    def whole(self) -> Any:
        """The command with its arguments and options, or the group of commands."""
        return _command(self._entry)

    def make_context(self, *args: Any, **options: Any) -> Any:
        """Parse the arguments and options."""
        return self.whole.make_context(*args, **options)


def loaded(command: Any) -> Any:
    """Return a command of `EngineGroup` with its arguments and options."""
    return command.whole if isinstance(command, ListedCommand) else command


class EngineGroup(TyperGroup):
    """The engine's commands and those that other packages register as `EXTENSIONS`."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        for name, place, summary in _OWN:
            entry = EntryPoint(name, f"bullscows.cli.{place}", EXTENSIONS)
            self.add_command(ListedCommand(name, summary, entry))
        for entry in entry_points(group=EXTENSIONS):
            self.add_command(_command(entry))

    def make_context(self, *args: Any, **options: Any) -> Any:
        """Parse the options before the command."""
        with _errors_as_sentences():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        """Parse and run the command."""
        with _errors_as_sentences():
            return super().invoke(ctx)


@contextmanager
def _errors_as_sentences() -> Iterator[None]:
    """Print an error as one sentence, and exit with the code for it."""
    try:
        yield
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        # The reader closed the pipe; Python's flush at exit must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        raise typer.Exit(PIPE_CLOSED) from None
    except MemoryError as error:
        raise _refused(f"not enough memory: {error}; try a smaller game, or free memory") from None
    except (EngineError, OSError, ImportError) as error:
        reason = _ARGUMENTS.sub(lambda name: "--" + name[0].replace("_", "-"), _sentence(error))
        raise _refused(reason) from None
    except _ParseError as error:
        message = error.format_message().rstrip(".")
        if not message:  # no arguments: the help was printed
            raise
        asked = error.ctx.command_path if error.ctx else "bullscows"
        see = " See" if message.endswith("?") else "; see"  # "Did you mean ...?"
        raise _refused(f"{message[0].lower()}{message[1:]}{see} {asked} --help") from None


_ARGUMENTS = re.compile(r"(?<![\w'-])(max_turns|time_limit|candidates_only)(?![\w'])")
"""Arguments of the library whose options are written otherwise."""


def _sentence(error: Exception) -> str:
    """Return the message of an error; of one of the system, the file and the reason."""
    if not isinstance(error, OSError) or error.strerror is None:
        return str(error)
    file = error.filename or "the output"
    return f"cannot read or write {file}: {error.strerror}"


def _refused(reason: str) -> typer.Exit:
    typer.echo(f"bullscows: {reason}", err=True)
    return typer.Exit(USAGE)


def _command(entry: EntryPoint) -> Any:
    """Return the command or the group of commands of an entry point."""
    found = entry.load()
    if isinstance(found, typer.Typer):
        application = found
    else:
        application = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
        application.command(entry.name)(_naming_extra(found, entry))
    made = typer.main.get_command(application)
    made.name = entry.name
    for one in (made, *getattr(made, "commands", {}).values()):
        one.help = _reflowed(one.help or "")
    return made


def _naming_extra(function: Callable[..., None], entry: EntryPoint) -> Callable[..., None]:
    """Return a command that names the extra to install if a module of it is missing."""
    if not entry.extras:
        return function

    @wraps(function)
    def run(**options: Any) -> None:
        try:
            function(**options)
        except ModuleNotFoundError as error:
            if error.name is None or error.name.partition(".")[0] == "bullscows":
                raise
            extra = ",".join(entry.extras)
            raise ImportError(
                f"no module {error.name}: run pip install 'bullscows[{extra}]'"
            ) from None

    return run


def _reflowed(text: str) -> str:
    """Return a text whose paragraphs are lines, so that they are wrapped for the terminal."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


commands = typer.Typer(
    name="bullscows",
    cls=EngineGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Bulls & Cows, solved: optimal strategies, proved, checked and played.",
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"bullscows {__version__}")
        raise typer.Exit


@commands.callback()
def _options(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Options before the command."""
    show_notices()
    default_folder()  # an invalid variable ends every command, not only those that read trees


def show_notices() -> None:
    """Print the notices of the kernels, for example that they are being compiled."""
    logger = logging.getLogger("bullscows.kernels")
    logger.handlers[:] = [logging.StreamHandler()]
    logger.setLevel(logging.INFO)
    logger.propagate = False


def main() -> None:
    """Run the command line; time limits count from the start of the program."""
    commands(prog_name="bullscows", obj=_LOADED)
