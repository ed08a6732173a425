"""``bullscows report``: published tables, compared with ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bullscows.cli.options import Folder, Threads
from bullscows.cli.outcome import CLAIM_FAILS, AsJson, UsageError, print_json
from bullscows.tree.storage import default_folder, write_whole

if TYPE_CHECKING:
    from bullscows.report.tables import Table


def report(
    sections: Annotated[list[str] | None, typer.Argument(metavar="[SECTION...]")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Omit slow sections.")] = False,
    write: Annotated[
        bool,
        typer.Option("--write", help="Update the pages and docs/results.md."),
    ] = False,
    threads: Threads = 1,
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    """Recompute published tables and compare them with the published figures, as Markdown.

    The default is all sections, which takes several minutes. The exit code is 1 if a figure
    differs from the published one without a known explanation.
    """
    from bullscows.report.sections import sections as registered

    known = registered()
    unknown = [name for name in sections or () if name not in known]
    if unknown:
        raise UsageError(f"unknown section {unknown[0]!r}: write one of {', '.join(known)}")
    slow = [name for name in sections or () if quick and not known[name].is_quick]
    if slow:
        raise UsageError(f"--quick omits the section {slow[0]!r}, which is slow: leave --quick out")
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
        print_json({"agrees": agree, "sections": values})
    if not agree:
        raise typer.Exit(CLAIM_FAILS)


def _write(folder: Path, made: dict[str, Table]) -> None:
    """Update tables in the file next to the trees, and in docs/results.md of a checkout."""
    from bullscows.report.sections import sections
    from bullscows.report.tables import read_tables, rewritten, tables_file, write_tables

    place = tables_file(folder)
    known = {**(read_tables(place) if place.exists() else {}), **made}
    tables = {name: known[name] for name in sections() if name in known}
    write_tables(place, tables)
    page = folder.parent / "docs" / "results.md"
    if page.exists():
        write_whole(page, rewritten(page.read_text(encoding="utf-8"), tables))
