"""The engine's commands together: the console script's group, and its exit codes.

Standard output carries results: text, or with ``--json`` one JSON object.  Standard error carries
progress, to a terminal only, and errors in one sentence.  Exit codes: 0 done; 1 the claim fails,
as when no strategy exists or no code fits a history; 2 usage; 3 stopped by a limit before it was
proved; 4 the address cannot be bound (`serve`); 130 interrupted with the work kept.

The searches are imported where they are used: the server's commands work without numba.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from bullscows import __version__
from bullscows.cli.contradictions import contradiction
from bullscows.cli.jobs.commands import jobs_commands
from bullscows.cli.laboratory.classes import classes
from bullscows.cli.laboratory.codemaker import adversary
from bullscows.cli.laboratory.duel import duel_commands
from bullscows.cli.laboratory.front import pareto
from bullscows.cli.laboratory.static import nonadaptive
from bullscows.cli.laboratory.strategy import strategy
from bullscows.cli.options import CLAIM_FAILS, INTERRUPTED, PIPE_CLOSED, USAGE, emit
from bullscows.cli.progress import show_notices
from bullscows.cli.report import report
from bullscows.cli.solve import solve
from bullscows.cli.trees.build import build
from bullscows.cli.trees.export import export
from bullscows.cli.trees.openings import openings
from bullscows.cli.trees.play import play
from bullscows.cli.trees.verify import verify
from bullscows.errors import EngineError
from bullscows.game.history import InconsistentError

EXTENSIONS = "bullscows.commands"
"""Group of the entry points by which other packages add commands; each names a function."""

_ANY_WORDS: Any = {
    "context_settings": {"ignore_unknown_options": True, "allow_extra_args": True},
}


class EngineGroup(TyperGroup):
    """Group of the engine's commands and of those that other packages add.

    Errors of the engine become one sentence and an exit code.  Commands of other packages come
    from the entry points of `EXTENSIONS`; each is imported only when it is used or described.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands, those of other packages last."""
        return [*super().list_commands(ctx), *entry_points(group=EXTENSIONS).names]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, from an entry point if the engine has none of this name."""
        found = super().get_command(ctx, cmd_name)
        if found is not None:
            return found
        for entry in entry_points(group=EXTENSIONS, name=cmd_name):
            return _extension(entry)
        return None

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        as_json = "--json" in ctx.args
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            # Whoever read has enough; what Python writes at its end must not complain again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            raise typer.Exit(PIPE_CLOSED) from None
        except MemoryError as error:
            typer.echo(f"bullscows: not enough memory: {error}", err=True)
            raise typer.Exit(USAGE) from None
        except InconsistentError as error:
            value, lines = contradiction(error)
            if as_json:
                emit(value, [], as_json=True)
            else:
                typer.echo("bullscows: " + "\n".join(lines), err=True)
            raise typer.Exit(CLAIM_FAILS) from None
        except (EngineError, OSError, ImportError) as error:
            typer.echo(f"bullscows: {error}", err=True)
            raise typer.Exit(USAGE) from None


def _extension(entry: EntryPoint) -> Any:
    """Return the command of an entry point; without its extra, one that names the extra."""
    application = typer.Typer(pretty_exceptions_enable=False)
    try:
        application.command(entry.name)(entry.load())
    except ImportError as error:
        if error.name is None or error.name.partition(".")[0] == "bullscows":
            raise
        application.command(entry.name, **_ANY_WORDS)(_refusal(entry, error.name))
    return typer.main.get_command(application)


def _refusal(entry: EntryPoint, missing: str) -> Callable[[], None]:
    """Return a command that names the extra to install."""
    extra = ",".join(entry.extras)

    def refuse() -> None:
        """Install an extra first: this command needs more packages."""
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
    show_notices()


for command in (
    solve,
    pareto,
    build,
    openings,
    verify,
    export,
    play,
    strategy,
    adversary,
    nonadaptive,
    classes,
    report,
):
    commands.command()(command)
commands.add_typer(jobs_commands, name="jobs")
commands.add_typer(duel_commands, name="duel")


def main() -> None:
    """Run the command line."""
    commands(prog_name="bullscows")
