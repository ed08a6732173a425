"""``bullscows export``: a tree in another format."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from bullscows.cli.options import Folder, named_tree
from bullscows.tree.export import FORMATS


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
    found = named_tree(tree, folder)
    sys.stdout.writelines(FORMATS[form](found.tree))
