"""``bullscows openings``: prove the positions after one guess, so that servers need no search."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer

from bullscows.cli.options import Folder
from bullscows.cli.outcome import CLAIM_FAILS, DONE, Outcome, UsageError, command
from bullscows.cli.progress import progress_shown
from bullscows.game.rules import Rules
from bullscows.tree.storage import default_folder


@command
def openings(
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME...")] = None,
    every: Annotated[bool, typer.Option("--all", help="All games of the shipped trees.")] = False,
    check: Annotated[
        bool,
        typer.Option("--check", help="Only search the files' positions again."),
    ] = False,
    sample: Annotated[
        int | None,
        typer.Option(min=1, help="With --check: only N random positions of each file."),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(min=0.01, help="Limit for each position in seconds.", show_default="no limit"),
    ] = None,
    folder: Folder = None,
) -> Outcome:
    """Prove the positions after each first guess and answer of a game.

    The results are written to openings/GAME.json in the folder of the trees. The same command
    continues an interrupted run. With --check the exit code is 1 if a file is damaged or wrong.
    """
    if sample is not None and not check:
        raise UsageError("--sample needs --check")
    if bool(games) == every:
        raise UsageError("name the games, or use --all")
    shelf = folder or default_folder()
    asked = None if every else [Rules.parse(text) for text in games or []]
    rows = _checked(asked, shelf, sample) if check else _made(asked, shelf, time_limit)
    ok = all(row["ok"] for row in rows)
    record = {"ok": ok, "games": rows}
    return Outcome(record, [_line(row) for row in rows], DONE if ok else CLAIM_FAILS)


def _made(asked: list[Rules] | None, shelf: Path, seconds: float | None) -> list[dict[str, Any]]:
    from bullscows.build.openings import games, make

    rows = []
    for rules in games() if asked is None else asked:
        with progress_shown(f"{rules}") as show:
            made = make(rules, shelf, seconds=seconds, progress=show)
        left_out = [str(question) for question in made.left_out]
        rows.append({"rules": str(rules), "proved": len(made.openings), "left_out": left_out})
    return [{**row, "ok": True} for row in rows]


def _checked(asked: list[Rules] | None, shelf: Path, sample: int | None) -> list[dict[str, Any]]:
    from bullscows.analysis.openings import FOLDER, openings_path

    if asked is None:
        paths = sorted((shelf / FOLDER).glob("*.json"))
    else:
        paths = [openings_path(rules, shelf) for rules in asked]
    if not paths:
        raise UsageError(f"--trees: there are no files in {shelf / FOLDER}")
    return [_checked_file(path, sample) for path in paths]


def _checked_file(path: Path, sample: int | None) -> dict[str, Any]:
    from bullscows.analysis.openings import read_openings
    from bullscows.build.openings import wrong_values
    from bullscows.tree.storage import RecordError

    row: dict[str, Any] = {"rules": path.stem}
    try:
        found = read_openings(path, path.stem)
    except RecordError as error:
        return {**row, "ok": False, "error": str(error)}
    except OSError as error:
        return {**row, "ok": False, "error": f"{path.name}: {error.strerror}"}
    every = [(aim, turn) for aim, table in found.tables.items() for turn in table]
    some = every if sample is None else Random().sample(every, min(sample, len(every)))
    with progress_shown(f"searching {path.stem} again") as show:
        wrong = list(wrong_values(found, some, progress=show))
    row |= {"positions": len(every), "searched": len(some), "ok": not wrong}
    return {**row, **({"error": "; ".join(wrong)} if wrong else {})}


def _line(row: dict[str, Any]) -> str:
    if "error" in row:
        return f"{row['rules']}: FAILED: {row['error']}"
    if "searched" in row:
        kind = "all" if row["searched"] == row["positions"] else "drawn at random"
        return (
            f"{row['rules']}: {row['searched']} of {row['positions']} positions searched again "
            f"({kind}), ok"
        )
    left_out = row["left_out"]
    line = f"{row['rules']}: {row['proved']} positions proved"
    return line + (f"; left out: {', '.join(left_out)}" if left_out else "")
