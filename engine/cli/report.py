"""``bullscows report``: the published tables beside our own."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.options import CLAIM_FAILS, AsJson, Threads, emit


def report(
    sections: Annotated[list[str] | None, typer.Argument(metavar="[SECTION...]")] = None,
    jobs: Threads = 1,
    as_json: AsJson = False,
) -> None:
    """Recompute the published tables and print them beside the published figures, as Markdown.

    Exits with 1 if a figure differs from the published one, unless the row names the reason or says
    that nobody knows it.  Without a SECTION all are made, which takes some minutes; an unknown name
    lists them.
    """
    from engine.report.rows import markdown
    from engine.report.sections import SECTIONS

    unknown = [name for name in sections or () if name not in SECTIONS]
    if unknown:
        raise typer.BadParameter(f"no section {unknown[0]!r}; there are {', '.join(SECTIONS)}")
    tables = {}
    for name in sections or SECTIONS:
        tables[name] = list(SECTIONS[name].rows(jobs))
        if not as_json:
            typer.echo(markdown(SECTIONS[name], tables[name]))
    agree = all(row.verdict != "differs" for rows in tables.values() for row in rows)
    if as_json:
        values = {name: [vars(row) for row in rows] for name, rows in tables.items()}
        emit({"agrees": agree, "sections": values}, [], True)
    if not agree:
        raise typer.Exit(CLAIM_FAILS)
