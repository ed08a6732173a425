"""The console script ``bullscows``: its commands and exit codes.

Standard output has the result: text, or with ``--json`` one JSON object.  Standard error has
errors, each in one sentence, and progress if it is a terminal.  Exit codes: 0 done; 1 the claim
fails, for example no strategy exists or no code fits a history; 2 usage; 3 stopped by a limit
before the proof; 4 the address cannot be bound (`serve`); 130 interrupted with the work kept.

The module of a command is imported when the command is used or described.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from bullscows import __version__
from bullscows.cli import INTERRUPTED, PIPE_CLOSED, USAGE
from bullscows.errors import EngineError

EXTENSIONS = "bullscows.commands"
"""Entry-point group in which other packages register commands; each names a function."""

_PLACES = (
    "solve:solve build:build build:openings trees:verify trees:export trees:play build:report "
    "atlas:atlas atlas:totals research:strategy research:classes research:pareto "
    "research:nonadaptive research:adversary trees:import_tree jobs:jobs_group research:duel_group"
)
_OWN = {
    name.split("_")[0]: EntryPoint(name, f"bullscows.cli.{module}:{name}", EXTENSIONS)
    for module, name in (place.split(":") for place in _PLACES.split())
}

_ParseError: Any = typer.BadParameter.__base__
"""Base class of the errors of arguments and options, which Typer does not export."""

_ANY_ARGUMENTS: Any = {
    "context_settings": {"ignore_unknown_options": True, "allow_extra_args": True}
}


class EngineGroup(TyperGroup):
    """The engine's commands and those that other packages register as `EXTENSIONS`."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands, those of other packages last."""
        return [*super().list_commands(ctx), *_OWN, *entry_points(group=EXTENSIONS).names]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, from an entry point of others if the engine has none of this name."""
        own = [_OWN[cmd_name]] if cmd_name in _OWN else ()
        for entry in own or entry_points(group=EXTENSIONS, name=cmd_name):
            return _command(cmd_name, entry)
        return super().get_command(ctx, cmd_name)

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
        raise _refused(f"not enough memory: {error}") from None
    except (EngineError, OSError, ImportError) as error:
        raise _refused(str(error)) from None
    except _ParseError as error:
        said = error.format_message().rstrip(".")
        if not said:  # no arguments: the help was printed
            raise
        asked = error.ctx.command_path if error.ctx else "bullscows"
        raise _refused(f"{said[0].lower()}{said[1:]}; see {asked} --help") from None


def _refused(reason: str) -> typer.Exit:
    typer.echo(f"bullscows: {reason}", err=True)
    return typer.Exit(USAGE)


def _command(name: str, entry: EntryPoint) -> Any:
    """Return the command of an entry point; if its extra is missing, one that says so."""
    application = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
    try:
        found = entry.load()
        if isinstance(found, typer.Typer):
            application = found
        else:
            application.command(name)(found)
    except ImportError as error:
        if error.name is None or error.name.partition(".")[0] == "bullscows":
            raise
        application.command(entry.name, **_ANY_ARGUMENTS)(_refusal(entry, error.name))
    made = typer.main.get_command(application)
    made.name = name
    return made


def _refusal(entry: EntryPoint, missing: str) -> Callable[[], None]:
    """Return a command that fails and names the extra to install."""
    extra = ",".join(entry.extras)

    def refuse() -> None:
        """Show which extra to install: this command needs more packages."""
        raise ImportError(f"no module {missing}: run pip install 'bullscows[{extra}]'")

    return refuse


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
    from bullscows.cli.options import show_notices

    show_notices()


def main() -> None:
    """Run the command line."""
    commands(prog_name="bullscows")
