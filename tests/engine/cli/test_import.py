"""``bullscows import`` and ``verify`` of strings and texts from elsewhere."""

from pathlib import Path

import pytest

from bullscows.tree.files import read_tree
from tests.engine.cli.test_commands import run, run_json

TREE = read_tree("avg-mastermind-3x5")


@pytest.mark.parametrize(("form", "rules"), [("text", []), ("base92", ["--rules", "p3c5r"])])
def test_an_export_comes_back_as_the_same_tree(form: str, rules: list[str], tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text(run("export", TREE.name, "--format", form).stdout, encoding="ascii")
    words = [str(file), *rules]
    assert run_json("verify", *words)["total"] == TREE.record.total
    assert run_json("import", *words, "--trees", str(tmp_path))["ok"]
    assert read_tree(tmp_path / "mine.json").tree == TREE.tree
    assert run("import", *words, "--trees", str(tmp_path)).exit_code == 2


@pytest.mark.parametrize(
    ("text", "code", "reason"),
    [
        ("#*$", 1, ""),
        ("# Strategy tree of p3c5r: x\n-> 012 1\nnonsense", 1, "line 3 is no PATH -> GUESS"),
        ("# Strategy tree of p3c5r: x\n-> 012 1", 1, "no line has the guess after 012 0.0"),
        ("# Strategy tree of p3c5r: x\n-> 019 1", 1, "invalid"),
    ],
)
def test_what_is_no_strategy_is_refused_with_its_place(text, code, reason, tmp_path):
    file = tmp_path / "mine"
    file.write_text(text, encoding="ascii")
    done = run("import", str(file), "--rules", "p3c5r", "--trees", str(tmp_path))
    assert (done.exit_code, list(tmp_path.iterdir())) == (code, [file])
    assert reason in done.stdout
