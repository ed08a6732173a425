"""``bullscows pareto``: the Pareto front of two criteria, proved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bullscows.cli.options import CLAIM_FAILS, AsJson, RulesText, emit
from bullscows.cli.progress import text_shown
from bullscows.game.rules import Rules
from bullscows.tree.files import TreeRecord, write_tree

if TYPE_CHECKING:
    from bullscows.search.fronts import FrontSearch, Point


def pareto(
    rules: RulesText,
    objective: Annotated[
        str, typer.Option(help="Two of average, last and the like, with a comma.")
    ] = "average,last",
    max_turns: Annotated[int | None, typer.Option(help="The last allowed turn.")] = None,
    trees: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write a tree file for each point there."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Prove the Pareto front of two criteria: all costs that no strategy betters in both."""
    from bullscows.game.responses import ResponseTable
    from bullscows.search.fronts import FrontSearch

    game = Rules.parse(rules)
    table = ResponseTable.of(game)
    with text_shown(f"{game} {objective}") as tell:
        search = FrontSearch.of(table, objective, max_turns=max_turns, progress=tell)
        points = search.front()
        if trees is not None:
            _write_trees(trees, search, points)
    value = {
        "rules": str(game),
        "objective": objective,
        "max_turns": max_turns,
        "points": [list(point) for point in points],
    }
    lines = [f"{point.first} {point.second}" for point in points]
    emit(value, lines or ["no strategy guesses every secret in time: proven"], as_json)
    if not points:
        raise typer.Exit(CLAIM_FAILS)


def _write_trees(folder: Path, search: FrontSearch, points: tuple[Point, ...]) -> None:
    """Write ``pareto-RULES-FIRST-SECOND.json`` for each point.

    Such a tree is the best in neither criterion, so its file claims nothing: what it is worth, the
    front says.
    """
    for point, tree in search.trees(points).items():
        name = f"pareto-{point.first}-{point.second}"
        record = TreeRecord.of(tree, objective=name, max_turns=None, proof="heuristic")
        folder.mkdir(parents=True, exist_ok=True)
        write_tree(folder / f"pareto-{tree.rules}-{point.first}-{point.second}.json", record)
