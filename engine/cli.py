"""The engine's commands, and the only module of the engine that prints.

Standard output carries results: text, or with ``--json`` one JSON object.  Standard error carries
progress, to a terminal only, and errors in one sentence.  Exit codes: 0 done, 1 the claim fails,
2 usage, 130 interrupted with the work kept.

The searches are imported where they are used: the server's commands work without numba.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from engine import __version__, treefile
from engine.build_cli import build
from engine.catalogue import tree_path
from engine.export import FORMATS
from engine.jobs.commands import jobs_commands
from engine.play import play as play_game
from engine.rules import Rules
from engine.solution_text import parse_history, solution_lines, solution_record
from engine.symmetry import equivalence_classes
from engine.table import ResponseTable
from engine.tree_text import tree_line, tree_row
from engine.treefile import TreeFileError, default_folder

DONE, CLAIM_FAILS, USAGE, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 130, 141


class EngineGroup(TyperGroup):
    """Turns the house's errors into one sentence and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
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
        except (ValueError, OSError, ImportError) as error:
            if isinstance(error, ValueError) and not _is_of_the_house(error):
                raise
            typer.echo(f"bullscows: {error}", err=True)
            raise typer.Exit(USAGE) from None


def _is_of_the_house(error: ValueError) -> bool:
    """Tell an error that the engine defines for its users from a fault of its own."""
    return type(error).__module__.partition(".")[0] == "engine"


commands = typer.Typer(
    name="bullscows",
    cls=EngineGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Bulls & Cows, solved: optimal strategies, proved, checked and played.",
)

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Folder = Annotated[
    Path | None, typer.Option("--trees", help="Folder of the tree files.", show_default=False)
]
Jobs = Annotated[int, typer.Option(min=1, max=256, help="Threads that share the search.")]
RulesText = Annotated[str, typer.Argument(metavar="RULES", help="A game, as in p4c10n.")]


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


def emit(value: dict[str, Any], lines: Sequence[str], as_json: bool) -> None:
    """Print a result as one JSON object or as lines of text."""
    if as_json:
        typer.echo(json.dumps(value).replace("\x7f", "\\u007f"))
    else:
        for line in lines:
            typer.echo(line)


@commands.command()
def solve(
    rules: RulesText,
    objective: Annotated[
        str,
        typer.Option(help="average, last, movers, worst, or several with commas; or weights:..."),
    ] = "average",
    max_turns: Annotated[int | None, typer.Option(help="The last allowed turn.")] = None,
    first: Annotated[str | None, typer.Option(help="Consider this next guess only.")] = None,
    history: Annotated[str, typer.Option(help='Turns so far, as in "0123:0.1 1245:0.2".')] = "",
    jobs: Jobs = 1,
    time_limit: Annotated[float | None, typer.Option(min=0, help="Seconds.")] = None,
    as_json: AsJson = False,
) -> None:
    """Prove the least cost of a game or of a position; 1 if no strategy exists.

    Value is what the strongest criterion attains, levels what each does, from strongest to
    weakest.  When a time limit or Ctrl-C ends the search, the bounds proven by then are printed.
    """
    from engine.progress import shown
    from engine.search import solve as search

    game = Rules.parse(rules)
    with shown(game, f"{rules} {objective}") as tell:
        solution = search(
            ResponseTable.of(game),
            objective,
            history=parse_history(game, history),
            first=None if first is None else game.parse_code(first),
            max_turns=max_turns,
            jobs=jobs,
            progress=tell,
            time_limit=time_limit,
        )
    value = solution_record(game, solution)
    emit(value, solution_lines(value), as_json)
    if solution.feasible is False:
        raise typer.Exit(CLAIM_FAILS)
    if solution.interrupted and not solution.optimal:
        raise typer.Exit(INTERRUPTED)


@commands.command()
def front(
    rules: RulesText,
    objective: Annotated[
        str, typer.Option(help="Two of average, last and the like, with a comma.")
    ] = "average,last",
    max_turns: Annotated[int | None, typer.Option(help="The last allowed turn.")] = None,
    as_json: AsJson = False,
) -> None:
    """Prove the Pareto front of two criteria: all costs that no strategy betters in both."""
    from engine.front import FrontSearch
    from engine.progress import text_shown

    game = Rules.parse(rules)
    with text_shown(f"{rules} {objective}") as tell:
        search = FrontSearch.of(
            ResponseTable.of(game), objective, max_turns=max_turns, progress=tell
        )
        points = search.front()
    value = {
        "rules": rules,
        "objective": objective,
        "max_turns": max_turns,
        "points": [list(point) for point in points],
    }
    lines = [f"{point.first} {point.second}" for point in points]
    emit(value, lines or ["no strategy guesses every secret in time: proven"], as_json)
    if not points:
        raise typer.Exit(CLAIM_FAILS)


commands.command()(build)


@commands.command()
def verify(
    files: Annotated[list[str] | None, typer.Argument(metavar="[FILE...]")] = None,
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    """Compare tree files' digests, replay every secret, compare the figures; 1 if any fails.

    A FILE is a path or the name of a shipped tree; without any, all files of the folder count.
    With --json a single tree's fields stand in the object itself as well as in "trees".
    """
    shelf = folder or default_folder()
    paths = [tree_path(file, shelf) for file in files] if files else sorted(shelf.glob("*.json"))
    if not paths:
        raise typer.BadParameter(f"no tree files in {shelf}")
    rows = [_verified(path) for path in paths]
    ok = all(row["ok"] for row in rows)
    single = rows[0] if len(rows) == 1 else {}
    emit({**single, "ok": ok, "trees": rows}, [tree_line(row) for row in rows], as_json)
    if not ok:
        raise typer.Exit(CLAIM_FAILS)


def _verified(path: Path) -> dict[str, Any]:
    try:
        return tree_row(treefile.read(path))
    except TreeFileError as error:
        return {"name": path.stem, "ok": False, "error": str(error)}
    except OSError as error:
        return {"name": path.stem, "ok": False, "error": f"{path.name}: {error.strerror}"}


@commands.command()
def export(
    tree: Annotated[str, typer.Argument(metavar="TREE", help="A shipped tree, or a tree file.")],
    form: Annotated[
        str | None, typer.Option("--format", help=f"{', '.join(FORMATS)}; without it, text.")
    ] = None,
    folder: Folder = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Write a tree to standard output in another format."""
    if as_json and form not in (None, "json"):
        raise typer.BadParameter(f"--json is a format of its own: leave out --format {form}")
    form = form or ("json" if as_json else "text")
    if form not in FORMATS:
        raise typer.BadParameter(f"{form!r} is not one of {', '.join(FORMATS)}")
    found = treefile.read(tree_path(tree, folder or default_folder()))
    sys.stdout.write(FORMATS[form](found.tree))


@commands.command()
def play(
    tree: Annotated[str, typer.Argument(metavar="[TREE]")] = "avg-bulls-cows",
    folder: Folder = None,
) -> None:
    """Think of a code and let a tree guess it, at the terminal."""
    found = treefile.read(tree_path(tree, folder or default_folder()))
    play_game(found.tree, input, typer.echo)


@commands.command()
def strategy(
    rules: RulesText,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A one-step rule or a hybrid.")],
    as_json: AsJson = False,
) -> None:
    """Play a heuristic or hybrid strategy against every secret and count its turns."""
    from engine.build import strategy_tree

    tree = strategy_tree(Rules.parse(rules), name)
    value = {
        "rules": str(tree.rules),
        "strategy": name,
        "secrets": tree.rules.size,
        "total": tree.total,
        "average": round(tree.total / tree.rules.size, 6),
        "depth": tree.depth,
        "turns": list(tree.histogram),
        "nodes": len(tree),
    }
    turns = "/".join(map(str, tree.histogram))
    emit(value, [f"{name} on {rules}: total {tree.total}, turns {turns}"], as_json)


@commands.command()
def classes(
    rules: RulesText,
    after: Annotated[str, typer.Option(help='Guesses made, as in "0123 1245".')] = "",
    as_json: AsJson = False,
) -> None:
    """List the classes of guesses that positions and symbols make equal (paper, 2.3 and 2.4).

    Like the paper's equivalence sets, the list leaves out the guesses made.
    """
    game = Rules.parse(rules)
    guesses = [game.parse_code(text) for text in after.split()]
    found = equivalence_classes(game, guesses)
    rows = [
        {"guess": game.text(guess), "size": size}
        for guess, size in zip(found.representatives.tolist(), found.sizes.tolist(), strict=True)
        if guess not in guesses
    ]
    value = {"rules": rules, "after": after.split(), "count": len(rows), "classes": rows}
    emit(value, [f"{row['guess']} {row['size']}" for row in rows], as_json)


@commands.command()
def report(
    sections: Annotated[list[str] | None, typer.Argument(metavar="[SECTION...]")] = None,
    jobs: Jobs = 1,
    as_json: AsJson = False,
) -> None:
    """Recompute the published tables and print them beside the published figures, as Markdown.

    Exits with 1 if a figure differs from the published one.  Without a SECTION all are made, which
    takes some minutes; an unknown name lists them.
    """
    from engine.report import SECTIONS, markdown

    unknown = [name for name in sections or () if name not in SECTIONS]
    if unknown:
        raise typer.BadParameter(f"no section {unknown[0]!r}; there are {', '.join(SECTIONS)}")
    tables = {}
    for name in sections or SECTIONS:
        tables[name] = list(SECTIONS[name].rows(jobs))
        if not as_json:
            typer.echo(markdown(SECTIONS[name], tables[name]))
    agree = all(row.agrees for rows in tables.values() for row in rows)
    if as_json:
        values = {name: [vars(row) for row in rows] for name, rows in tables.items()}
        emit({"agrees": agree, "sections": values}, [], True)
    if not agree:
        raise typer.Exit(CLAIM_FAILS)


commands.add_typer(jobs_commands, name="jobs")


def main() -> None:
    """Run the engine's command line."""
    commands(prog_name="bullscows")
