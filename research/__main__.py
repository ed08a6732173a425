"""``python -m research``: recompute tables of the papers and compare them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from bullscows.tree.storage import default_folder, write_whole
from research.page import markdown, rewritten
from research.tables import Table, read_tables, tables_file, write_tables
from research.tables import (
    sections as registered,
)

_DIFFERS = 1
_USAGE = 2


main = typer.Typer(add_completion=False)


@main.command()
def report(
    sections: Annotated[
        list[str] | None, typer.Argument(metavar="SECTION", help="Sections; all by default.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Omit slow sections.")] = False,
    write: Annotated[
        bool, typer.Option("--write", help="Update the pages and docs/results.md.")
    ] = False,
    threads: Annotated[int, typer.Option(min=1, metavar="N", help="Threads of a search.")] = 1,
    folder: Annotated[
        Path | None, typer.Option("--trees", metavar="FOLDER", help="Folder of trees.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Recompute published tables and compare them with the published figures, as Markdown.

    The default is all sections, which takes several minutes. The exit code is 1 if a figure
    differs from the published one without a known explanation.
    """
    known = registered()
    unknown = [name for name in sections or () if name not in known]
    if unknown:
        typer.echo(f"unknown section {unknown[0]!r}: write one of {', '.join(known)}", err=True)
        raise typer.Exit(_USAGE)
    tables: dict[str, Table] = {}
    for name in sections or known:
        if quick and not known[name].is_quick:
            continue
        tables[name] = known[name].table(threads)
        if write:
            _write(folder or default_folder(), {name: tables[name]})
        if not as_json:
            typer.echo(markdown(name, tables[name]))
    agree = all(row.verdict != "differs" for table in tables.values() for row in table.rows)
    if as_json:
        values = {name: table.fields()["rows"] for name, table in tables.items()}
        typer.echo(json.dumps({"agrees": agree, "sections": values}))
    if not agree:
        raise typer.Exit(_DIFFERS)


def _write(folder: Path, made: dict[str, Table]) -> None:
    """Update tables in the file next to the trees, and in docs/results.md of a checkout."""
    place = tables_file(folder)
    known = {**(read_tables(place) if place.exists() else {}), **made}
    tables = {name: known[name] for name in registered() if name in known}
    write_tables(place, tables)
    page = folder.parent / "docs" / "results.md"
    if page.exists():
        write_whole(page, rewritten(page.read_text(encoding="utf-8"), tables, folder))


if __name__ == "__main__":
    main(prog_name="python -m research")
