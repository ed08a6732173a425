"""``bullscows report``: the published tables beside our own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bullscows.cli.options import CLAIM_FAILS, AsJson, Folder, Threads, emit
from bullscows.tree.storage import default_folder, write_whole

if TYPE_CHECKING:
    from bullscows.report.tables import Table


def report(
    sections: Annotated[list[str] | None, typer.Argument(metavar="[SECTION...]")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Only what takes seconds.")] = False,
    write: Annotated[
        bool, typer.Option("--write", help="Replace these tables in the pages and documents.")
    ] = False,
    threads: Threads = 1,
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    """Recompute the published tables and print them beside the published figures, as Markdown.

    Exits with 1 if a figure differs from the published one and is not known to.  Without a SECTION
    all are made, which takes some minutes; an unknown name lists them.
    """
    from bullscows.report.sections import sections as registered

    known = registered()
    unknown = [name for name in sections or () if name not in known]
    if unknown:
        raise typer.BadParameter(f"no section {unknown[0]!r}; there are {', '.join(known)}")
    slow = [name for name in sections or () if quick and not known[name].is_quick]
    if slow:
        raise typer.BadParameter(f"{slow[0]!r} takes longer than seconds: ask without --quick")
    tables: dict[str, Table] = {}
    for name in sections or known:
        if quick and not known[name].is_quick:
            continue
        tables[name] = known[name].table(threads)
        if write:
            _write(folder or default_folder(), {name: tables[name]})
        if not as_json:
            typer.echo(tables[name].markdown())
    agree = all(row.verdict != "differs" for table in tables.values() for row in table.rows)
    if as_json:
        values = {name: [vars(row) for row in table.rows] for name, table in tables.items()}
        emit({"agrees": agree, "sections": values}, [], True)
    if not agree:
        raise typer.Exit(CLAIM_FAILS)


def _write(folder: Path, made: dict[str, Table]) -> None:
    """Replace tables in the file beside the trees, and in a checkout's page of results."""
    from bullscows.report.sections import sections
    from bullscows.report.tables import read_tables, rewritten, tables_file, write_tables

    place = tables_file(folder)
    known = {**(read_tables(place) if place.exists() else {}), **made}
    tables = {name: known[name] for name in sections() if name in known}
    write_tables(place, tables)
    page = folder.parent / "docs" / "results.md"
    if page.exists():
        write_whole(page, rewritten(page.read_text(encoding="utf-8"), tables))
