"""``python -m research``: recompute tables of the papers and compare them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bullscows.tree.storage import default_folder, write_whole
from research.page import markdown, rewritten
from research.tables import Table, read_tables, sections, tables_file, write_tables

_DIFFERS = 1
_USAGE = 2


main = typer.Typer(add_completion=False)


@main.command()
def report(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="SECTION", help="Sections; all by default.")
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Update the pages and docs/results.md.")
    ] = False,
    threads: Annotated[int, typer.Option(min=1, metavar="N", help="Threads of a search.")] = 1,
    folder: Annotated[
        Path | None, typer.Option("--trees", metavar="FOLDER", help="Folder of trees.")
    ] = None,
) -> None:
    """Recompute published tables and compare them with the published figures, as Markdown.

    The default is all sections, which takes several minutes. The exit code is 1 if a figure
    differs from the published one without a known explanation.
    """
    known = sections()
    unknown = [name for name in names or () if name not in known]
    if unknown:
        typer.echo(f"unknown section {unknown[0]!r}: write one of {', '.join(known)}", err=True)
        raise typer.Exit(_USAGE)
    agree = True
    for name in names or known:
        table = known[name].table(threads)
        if write:
            _write(folder or default_folder(), name, table)
        typer.echo(markdown(name, table))
        agree = agree and all(row.verdict != "differs" for row in table.rows)
    if not agree:
        raise typer.Exit(_DIFFERS)


def _write(folder: Path, made: str, table: Table) -> None:
    """Update a table in the file next to the trees, and in docs/results.md of a checkout."""
    place = tables_file(folder)
    known = (read_tables(place) if place.exists() else {}) | {made: table}
    tables = {name: known[name] for name in sections() if name in known}
    write_tables(place, tables)
    page = folder.parent / "docs" / "results.md"
    if page.exists():
        write_whole(page, rewritten(page.read_text(encoding="utf-8"), tables, folder))


if __name__ == "__main__":
    main(prog_name="python -m research")
