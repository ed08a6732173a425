"""Arguments and options of commands, how they end, and progress on a terminal."""

from __future__ import annotations

import inspect
import json
import os
import re
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from bullscows.cli import CLAIM_FAILS as CLAIM_FAILS
from bullscows.cli import DONE as DONE
from bullscows.cli import INTERRUPTED as INTERRUPTED
from bullscows.cli import UNPROVED as UNPROVED
from bullscows.errors import EngineError, did_you_mean
from bullscows.game import arguments
from bullscows.game.history import Correction, InconsistentError
from bullscows.game.rules import ALIASES, CodeIndex, Rules, RulesError
from bullscows.game.timer import Timer
from bullscows.tree.files import TreeFile, read_tree
from bullscows.tree.storage import UnknownTreeError, default_folder, tree_path

if TYPE_CHECKING:
    from bullscows.search.executor import Cluster
    from bullscows.search.position import Progress

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


class UsageError(EngineError, ValueError):
    """An invalid argument or option, or options that exclude each other."""


_started: ContextVar[float] = ContextVar("started")


def start(since: float | None = None) -> None:
    """Let a command, or a line of a batch, begin now or earlier; see `seconds` and `timer`."""
    _started.set(time.monotonic() if since is None else since)


def seconds() -> float:
    """Return the seconds since the command began."""
    return time.monotonic() - _started.get()


def timer(time_limit: float | None) -> Timer:
    """Return what is left of a time limit of the whole command in seconds; None: no limit."""
    allowed = arguments.seconds("time_limit", time_limit)
    return Timer(None if allowed is None else max(allowed - seconds(), 0.0))


@dataclass(frozen=True)
class Outcome:
    """Result of a command: JSON-ready values, the same as lines of text, and the exit code."""

    record: dict[str, Any]
    lines: Sequence[str]
    code: int = DONE


def command(function: Callable[..., Outcome]) -> Callable[..., None]:
    """Return a Typer command that prints the outcome of a function and exits with its code.

    The command has the function's options and ``--json``.  If no code fits a history, it prints
    the answers that might be wrong and exits with `CLAIM_FAILS`.
    """
    signature = inspect.signature(function, eval_str=True)

    @wraps(function)
    def run(context: typer.Context, *, as_json: bool, **options: Any) -> None:
        start(context.find_root().obj)
        is_error = False
        try:
            outcome = function(**options)
        except InconsistentError as error:
            outcome = contradiction(error)
            is_error = not as_json
        if as_json:
            print_json(outcome.record)
        elif outcome.lines:
            typer.echo("\n".join(outcome.lines), err=is_error)
        if outcome.code != DONE:
            raise typer.Exit(outcome.code)

    root = inspect.Parameter(
        "context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context
    )
    own = inspect.Parameter(
        "as_json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=AsJson
    )
    run.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[root, *signature.parameters.values(), own], return_annotation=None
    )
    return run


def print_json(record: dict[str, Any]) -> None:
    """Print a JSON object on one line, with DEL (base-92 digit 91) escaped."""
    typer.echo(json.dumps(record).replace("\x7f", "\\u007f"))


def contradiction(error: InconsistentError) -> Outcome:
    """Return the outcome of a history that no code fits.

    ``corrections`` lists the answers that might be wrong, most plausible first, like the API.  It
    is empty if at least two answers are wrong, and missing for games without rules.
    """
    reason = f"bullscows: {error}"
    if error.rules is None:
        return Outcome({"error": str(error)}, [reason], CLAIM_FAILS)
    found = error.corrections
    record = {"error": str(error), "corrections": [_record(one) for one in found]}
    if not found:
        reason += ", and changing one answer is not enough: at least two are wrong"
        return Outcome(record, [reason], CLAIM_FAILS)
    return Outcome(
        record, [f"{reason}; one of these may be wrong:", *map(_line, found)], CLAIM_FAILS
    )


def _record(found: Correction) -> dict[str, Any]:
    return {
        "turn": found.turn,
        "guess": found.guess,
        "given": str(found.given),
        "instead": str(found.instead),
        "mistake": found.mistake,
        "remaining": found.remaining,
    }


def _line(found: Correction) -> str:
    return (
        f"  turn {found.turn}, {found.guess}: {found.instead} instead of {found.given} "
        f"(then {found.remaining} left)"
    )


RULES_HELP = "Game, for example p4c10n; or bulls-cows, mastermind, super-mastermind."

RulesText = Annotated[str, typer.Argument(metavar="RULES", help=RULES_HELP)]
NextGuess = Annotated[str | None, typer.Option(metavar="CODE", help="Make this the next guess.")]
Turns = Annotated[
    str, typer.Option(metavar="TURNS", help='Turns so far, for example "0123:0.1 1245:0.2".')
]
MaxTurns = Annotated[int | None, typer.Option(metavar="M", help="Last allowed turn.")]
TimeLimit = Annotated[
    float | None,
    typer.Option(min=0, metavar="S", help="Limit in seconds.", show_default="no limit"),
]
Threads = Annotated[int, typer.Option(min=1, max=256, metavar="N", help="Threads of the search.")]
ClusterAddress = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS", help="Address of a Dask scheduler, for example tcp://host:8786."
    ),
]
Folder = Annotated[
    Path | None,
    typer.Option(
        "--trees",
        exists=True,
        file_okay=False,
        metavar="FOLDER",
        help="Folder of the tree files.",
        show_default=False,
    ),
]


def named_tree(tree: str, folder: Path | None) -> TreeFile:
    """Read a tree by name or path; the default folder is that of the shipped trees."""
    return read_tree(tree_path(tree, folder or default_folder()))


_RULES_MEANT = re.compile(r"p[0-9]|number:", re.IGNORECASE)
"""The beginning of a text that is meant as rules, not as the name of a tree."""


def game_or_tree(text: str, folder: Path | None) -> Rules | TreeFile:
    """Read rules, an alias of a game, or a tree by name or path."""
    try:
        return Rules.parse(text)
    except RulesError:
        if _RULES_MEANT.match(text):
            raise
    try:
        return named_tree(text, folder)
    except UnknownTreeError as error:
        closest = did_you_mean(text, [*ALIASES, *error.known])
        if not closest:
            raise
        raise UsageError(f"unknown game or tree {text[:40]!r}{closest}") from None


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def terminable() -> Iterator[None]:
    """Raise KeyboardInterrupt in the block on SIGTERM, as on Ctrl-C."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def connected(address: str | None) -> AbstractContextManager[Cluster | None]:
    """Return the context of a cluster, or of None without an address."""
    if address is None:
        return nullcontext()
    from bullscows.search.executor import Cluster

    return Cluster(address)


QUIET_SECONDS = 1.0
"""Seconds for which no progress is shown, so that short work shows none."""


@contextmanager
def progress_shown(
    label: str, line: Callable[[Any], str] = str
) -> Iterator[Callable[[Any], None] | None]:
    """Yield a function that shows a report, as `line` writes it, or None without a terminal.

    `label` says what is being done; for the first `QUIET_SECONDS` nothing is shown.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    started = time.monotonic()
    status = console.status(label)

    def show(report: Any) -> None:
        if time.monotonic() - started >= QUIET_SECONDS:
            status.update(f"{label}: {line(report)}")
            status.start()

    try:
        yield show
    finally:
        status.stop()


def search_line(text: Callable[[CodeIndex], str], progress: Progress | str) -> str:
    """Return the progress of a search: time, nodes, the guess under search and the bounds.

    `text` returns a code as text.  Progress that is text already is returned as it is.
    """
    if isinstance(progress, str):
        return progress
    words = [f"{progress.seconds:.0f} s, {progress.nodes:,} nodes"]
    if progress.guess is not None:
        words.append(f"searching guess {text(progress.guess)}, {progress.done} done")
    if progress.lower > 0:
        words.append(f"at least {progress.lower}")
    if progress.best is not None:
        words.append(f"at most {progress.best}")
    return ", ".join(words)
