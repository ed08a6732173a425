"""``bullscows atlas`` and ``totals``: games by size, and all values in one table."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

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
from bullscows.tree.storage import default_folder


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
    found = read_atlas(atlas_path(shelf))
    for one in chosen if estimate else ():
        entry = found.games.get(str(one))
        if entry is not None and entry.status == "bounded" and one.size <= SEARCHED:
            add_estimate(shelf, one, seconds=time_limit or 60)
    found = read_atlas(atlas_path(shelf)) if estimate else found
    names = [name for one in chosen if (name := str(one)) in found.games]
    lines = [_line(found.games[name]) for name in names] + _late_lines(late)
    return opt.Outcome(found.record(names), lines, opt.UNPROVED if late else opt.DONE)


def _late_lines(late: list[Rules]) -> list[str]:
    return [f"{rules}: no entry in time: raise --time-limit" for rules in late]


def _line(entry: Entry) -> str:
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
