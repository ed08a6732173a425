"""Commands on proved values: the atlas of small games, all totals, positions after one guess."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer

from bullscows.cli import options as opt
from bullscows.errors import counted
from bullscows.game.rules import Rules
from bullscows.shipping.atlas import (
    SEARCHED,
    Atlas,
    Entry,
    add_estimate,
    atlas_path,
    games,
    read_atlas,
    update,
)
from bullscows.shipping.totals import to_csv
from bullscows.shipping.totals import totals as totals_of
from bullscows.tree.storage import RecordError, default_folder


@opt.command
def atlas(
    rules: Annotated[
        list[str] | None, typer.Argument(metavar="RULES", help="Games; all by default.")
    ] = None,
    write: Annotated[bool, typer.Option("--write", help="Compute what is missing.")] = False,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Estimate the time of proofs that are missing.")
    ] = False,
    time_limit: opt.TimeLimit = None,
    threads: opt.Threads = 1,
    folder: opt.Folder = None,
) -> opt.Outcome:
    """Print the least total, distribution, best first guesses and best worst case of games.

    Games of more than 20,000 codes have bounds only. With --write the games that are missing are
    computed first, and those that were not proved in less than the time limit for each. The same
    command continues an interrupted run. --estimate draws tasks of each missing proof at random for
    the time limit, by default a minute, and stores the estimate. The exit code is 3 if the time of
    a game did not suffice for an entry.
    """
    shelf = folder or default_folder()
    every = games()
    chosen = [Rules.parse(text) for text in rules or ()] or every
    if unknown := [one for one in chosen if one not in every]:
        raise opt.UsageError(
            "the atlas has games of 2 to 16 symbols with up to 2,000,000 codes, or of bulls only"
            f" with up to 1,300 codes: not {unknown[0]}"
        )
    late: list[Rules] = []
    if write:
        with opt.progress_shown("atlas") as show:
            late = update(shelf, chosen, time_limit=time_limit, threads=threads, progress=show)
    if len(late) == len(chosen):
        return opt.Outcome(Atlas().record(), _late_lines(late), opt.UNPROVED)
    if estimate:
        known = read_atlas(atlas_path(shelf)).games
        for one in chosen:
            entry = known.get(str(one))
            if entry is not None and entry.status == "bounded" and one.size <= SEARCHED:
                add_estimate(shelf, one, seconds=time_limit or 60)
    found = read_atlas(atlas_path(shelf))
    names = [name for one in chosen if (name := str(one)) in found.games]
    lines = [_entry_line(found.games[name]) for name in names] + _late_lines(late)
    return opt.Outcome(found.record(names), lines, opt.UNPROVED if late else opt.DONE)


def _late_lines(late: list[Rules]) -> list[str]:
    return [f"{rules}: no entry in time: raise --time-limit" for rules in late]


def _entry_line(entry: Entry) -> str:
    total = f"total {entry.total} (mean {entry.mean:.3f}), proved"
    if entry.status == "bounded":
        total = f"total {entry.lower} to {entry.upper}"
        if entry.estimated_hours is not None:
            error = entry.estimate_error or entry.estimated_hours  # of one draw there is none
            total += f" (proof: about {entry.estimated_hours:,.1f} h of processor time, "
            total += f"standard error {error:,.1f})"
    worst = "not proved" if entry.worst is None else counted(entry.worst, "turn")
    guesses = ", ".join(entry.first_guesses)
    codes = counted(entry.secrets, "code")
    return f"{entry.rules}: {codes}, {total}; worst case {worst}; first {guesses}"


@opt.command
def totals(folder: opt.Folder = None) -> opt.Outcome:
    """Print all least totals and best worst cases as CSV, with who published each first.

    The values are those of the atlas and of the shipped trees, each with a command that repeats it.
    """
    found = list(totals_of(folder or default_folder()))
    return opt.Outcome({"totals": list(map(asdict, found))}, to_csv(found).splitlines())


@opt.command
def openings(
    games: Annotated[list[str] | None, typer.Argument(metavar="RULES", help=opt.RULES_HELP)] = None,
    every: Annotated[bool, typer.Option("--all", help="All games of the shipped trees.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Only search the files' positions again.")
    ] = False,
    sample: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="With --check: only N random positions of each file."
        ),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(
            min=0.01,
            metavar="S",
            help="Limit for each position in seconds.",
            show_default="no limit",
        ),
    ] = None,
    folder: opt.Folder = None,
) -> opt.Outcome:
    """Prove the positions after each first guess and answer of a game.

    The results are written to openings/GAME.json in the folder of the trees. The same command
    continues an interrupted run. With --check the exit code is 1 if a file is damaged or wrong.
    """
    if sample is not None and not check:
        raise opt.UsageError("--sample needs --check")
    if bool(games) == every:
        raise opt.UsageError("name the games, or use --all")
    shelf = folder or default_folder()
    asked = None if every else [Rules.parse(text) for text in games or []]
    rows = _checked(asked, shelf, sample) if check else _made(asked, shelf, time_limit)
    ok = all(row["ok"] for row in rows)
    record = {"ok": ok, "games": rows}
    return opt.Outcome(record, [_line(row) for row in rows], opt.DONE if ok else opt.CLAIM_FAILS)


def _made(asked: list[Rules] | None, shelf: Path, seconds: float | None) -> list[dict[str, Any]]:
    from bullscows.shipping import openings as shipped

    rows = []
    for rules in shipped.games() if asked is None else asked:
        with opt.progress_shown(f"{rules}") as show:
            made, late = shipped.make(rules, shelf, seconds=seconds, progress=show)
        left_out = list(map(str, late))
        rows.append({"rules": str(rules), "proved": len(made), "left_out": left_out, "ok": True})
    return rows


def _checked(asked: list[Rules] | None, shelf: Path, sample: int | None) -> list[dict[str, Any]]:
    from bullscows.analysis.openings import FOLDER, openings_path

    if asked is None:
        paths = sorted((shelf / FOLDER).glob("*.json"))
    else:
        paths = [openings_path(rules, shelf) for rules in asked]
    if not paths:
        raise opt.UsageError(f"--trees: there are no files in {shelf / FOLDER}")
    return [_checked_file(path, sample) for path in paths]


def _checked_file(path: Path, sample: int | None) -> dict[str, Any]:
    from bullscows.analysis.openings import read_openings
    from bullscows.shipping.openings import wrong_values

    row: dict[str, Any] = {"rules": path.stem}
    try:
        found = read_openings(path, path.stem)
    except RecordError as error:
        return {**row, "ok": False, "error": str(error)}
    except OSError as error:
        return {**row, "ok": False, "error": f"{path.name}: {error.strerror}"}
    every = [(aim, turn) for aim, table in found.tables.items() for turn in table]
    some = every if sample is None else Random().sample(every, min(sample, len(every)))
    with opt.progress_shown(f"searching {path.stem} again") as show:
        wrong = list(wrong_values(found, some, progress=show))
    row |= {"positions": len(every), "searched": len(some), "ok": not wrong}
    return {**row, **({"error": "; ".join(wrong)} if wrong else {})}


def _line(row: dict[str, Any]) -> str:
    if "error" in row:
        return f"{row['rules']}: FAILED: {row['error']}"
    if "searched" in row:
        kind = "all" if row["searched"] == row["positions"] else "drawn at random"
        positions = counted(row["positions"], "position")
        return f"{row['rules']}: {row['searched']} of {positions} searched again ({kind}), ok"
    left_out = row["left_out"]
    line = f"{row['rules']}: {counted(row['proved'], 'position')} proved"
    return line + (f"; left out: {', '.join(left_out)}" if left_out else "")
