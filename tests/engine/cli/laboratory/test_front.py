"""``bullscows pareto``: the points, and a tree file for each."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from bullscows.cli.main import commands
from bullscows.tree.files import read_tree

runner = CliRunner()


@pytest.mark.parametrize(("rules", "points"), [("p3c6n", [(436, 4), (437, 3)])])
def test_a_front_writes_a_tree_file_for_each_point(
    tmp_path: Path, rules: str, points: list[tuple[int, int]]
) -> None:
    done = runner.invoke(
        commands, ["pareto", rules, "--max-turns", "5", "--trees", str(tmp_path / "t")]
    )
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [f"{total} {late}" for total, late in points]
    files = [read_tree(path) for path in sorted((tmp_path / "t").iterdir())]
    assert [(file.record.total, file.record.distribution[4]) for file in files] == points
    assert {file.record.proof for file in files} == {"heuristic"}
