"""Building: shipped trees come out byte for byte, and names lead to the right strategy."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bullscows.cli import trees as trees_cli
from bullscows.cli.main import commands
from bullscows.game.question import Question
from bullscows.game.rules import Rules
from bullscows.search.position import Progress
from bullscows.search.solver import solve
from bullscows.shipping.catalogue import CATALOGUE, TreeSpec, build_record, tree_spec
from bullscows.shipping.named_trees import BuildOptions, strategy_tree
from bullscows.tree import files
from bullscows.tree.storage import RecordError, default_folder, tree_files
from bullscows.tree.strategy_tree import StrategyError
from tests import ROOT
from tests.support.known import FILE, known_costs

pytestmark = pytest.mark.large

QUICK = [
    *("avg-bulls-cows", "avg-mastermind", "avg-mastermind-5", "crush-mastermind"),
    *("avg-mastermind-3x6", "larmouth-rule-bulls-cows", "possibles-mastermind"),
]
SLOW = [name for name, entry in CATALOGUE.items() if name not in QUICK and not entry.is_long]
"""Trees that take hours are left to `bullscows build --all --long`."""


@pytest.mark.parametrize("name", [*QUICK, *(pytest.param(n, marks=pytest.mark.slow) for n in SLOW)])
def test_a_shipped_tree_is_rebuilt_byte_for_byte(name: str) -> None:
    shipped = (default_folder() / f"{name}.json").read_text(encoding="ascii")
    assert files.dump(build_record(tree_spec(name))) == shipped


def test_the_catalogue_and_the_shelf_agree() -> None:
    stated = {path.stem: json.loads(path.read_text()) for path in tree_files(default_folder())}
    names = ("rules", "objective", "max_turns", "proof")
    assert {name: [record[field] for field in names] for name, record in stated.items()} == {
        name: [getattr(entry, field) for field in names] for name, entry in CATALOGUE.items()
    }


@pytest.mark.parametrize(
    ("game", "last", "said"),
    [
        ("p3c10n", 6, "takes 3575 turns, the last of them turn 7: the catalogue says 6"),
        ("p2c7n", 6, "the last of them turn 5: the catalogue says 6"),
        ("p4c6r", 4, "p4c6r average,last 4: no strategy finds every secret within"),
    ],
)
def test_a_last_turn_that_is_not_the_last_is_refused(game: str, last: int, said: str) -> None:
    with pytest.raises(StrategyError, match=said):
        build_record(TreeSpec("none", game, "average,last", last, "exact", is_least=last > 4))


def test_the_tree_of_a_checkpoint_serves_the_objective_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the trees of 905 turns, 4 pegs and 4 colours, one has fewer codes at the last turn."""
    monkeypatch.setenv("BULLSCOWS_TREES_DIR", str(tmp_path))
    file = tmp_path / "checkpoints" / "p4c4r.json"
    file.parent.mkdir()
    proved = solve(Question.of("p4c4r", (), "average,from:5"), checkpoint=file)
    tree = strategy_tree("p4c4r", "checkpoint")
    assert (tree.total, tree.distribution) == (905, proved.distribution)
    file.rename(file.with_stem("p4c5r"))
    with pytest.raises(RecordError, match="is of p4c4r"):
        strategy_tree("p4c5r", "checkpoint")


@pytest.mark.parametrize(
    "name", ["", "kwb-0", "kwb-99999", "beam-2-", "beam-2-0", "Crush", "crush "]
)
def test_an_unknown_strategy_is_refused(name: str) -> None:
    with pytest.raises(StrategyError, match="unknown strategy"):
        strategy_tree(Rules.parse("p2c4r"), name)


@pytest.fixture
def ship(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes these the trees that ship."""

    def ship(*specs: TreeSpec) -> None:
        monkeypatch.setattr(trees_cli, "CATALOGUE", {spec.name: spec for spec in specs})

    return ship


def test_all_trees_leave_out_what_takes_hours(tmp_path, ship):
    short = TreeSpec("short", "p2c3r", "larmouth", None, "heuristic")
    lengthy = TreeSpec("lengthy", "p2c3r", "crush", None, "heuristic", is_long=True)
    ship(short, lengthy)
    words = ["build", "--all", "--trees", str(tmp_path)]
    outcome = CliRunner().invoke(commands, words)
    assert outcome.exit_code == 0
    assert "skipped, its proof takes hours (--long): lengthy" in outcome.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"short.json"}
    assert CliRunner().invoke(commands, [*words, "--long"]).exit_code == 0
    assert {path.name for path in tmp_path.iterdir()} == {"short.json", "lengthy.json"}


def test_bounds_are_those_of_the_folder_that_is_written_to(tmp_path, ship):
    """And never less than those that ship, or than the file that is replaced states."""
    spec = TreeSpec("best", "p3c6r", "crush", None, "heuristic", lower=744)
    ship(spec)
    file = tmp_path / "best.json"
    tree = strategy_tree(spec.rules, spec.objective)
    files.write_tree(file, files.TreeRecord.of(tree, objective="crush", lower=800))

    def built() -> int | None:
        words = ["build", "--all", "--trees", str(tmp_path)]
        assert CliRunner().invoke(commands, words).exit_code == 0
        return files.read_tree(file).record.lower

    assert built() == 800
    (tmp_path / "checkpoints").mkdir()
    solve(Question.of("p3c6r"), checkpoint=tmp_path / "checkpoints" / "p3c6r.json")
    assert built() == 854


def test_a_damaged_file_with_a_bound_is_reported_before_the_tree_is_built(tmp_path: Path) -> None:
    (tmp_path / "best.json").write_text("{}")
    spec = TreeSpec("best", "p3c6r", "unknown", None, "heuristic", lower=744)
    with pytest.raises(RecordError, match=r"best\.json"):
        build_record(spec, BuildOptions(trees=tmp_path))


def test_an_interrupted_search_continues_from_its_checkpoint(tmp_path: Path) -> None:
    def interrupt(_progress: Progress) -> None:
        raise KeyboardInterrupt

    entry = tree_spec("avg-bulls-cows-5-of-7")
    options = BuildOptions(folder=tmp_path / "work")
    with pytest.raises(KeyboardInterrupt):
        build_record(entry, replace(options, progress=interrupt))
    record = build_record(entry, options)
    kept = json.loads((tmp_path / "work" / "checkpoint.json").read_text())
    assert kept["runs"] == 2
    assert files.dump(record) == (default_folder() / f"{entry.name}.json").read_text()


def test_a_beam_goes_on_with_what_it_solved(tmp_path: Path) -> None:
    rules = Rules.parse("p4c7n")
    lines: list[str] = []
    means = BuildOptions(threads=2, folder=tmp_path / "tables", progress=lines.append)
    first = strategy_tree(rules, "beam-2-100", means)
    assert len(list((tmp_path / "tables").iterdir())) == 1
    assert strategy_tree(rules, "beam-2-100", means) == first == strategy_tree(rules, "beam-2-100")
    assert lines


TOO_LONG = {
    *("avg-bulls-cows-11-symbols", "avg-bulls-cows-5-of-8", "avg-bulls-cows-5-of-9"),
    *("avg-bulls-cows-6-of-7", "avg-mastermind-4x9", "avg-mastermind-4x10", "avg-mastermind-5x6"),
    "avg-mastermind-5x7",
}
"""Trees whose proofs are left to `make trees`: half a minute and more."""


def test_every_tree_has_its_row_of_known_costs() -> None:
    """But the champions, whose weights are found by a search, and the best that are not proved."""
    stated = {(row.rules, row.objective, row.max_turns) for row in known_costs()}
    lacking = {
        spec.name
        for spec in CATALOGUE.values()
        if (spec.rules, spec.objective, spec.max_turns) not in stated
        and spec.lower is None
        and not spec.objective.startswith("weights:")
    }
    assert lacking == TOO_LONG, f"they need a row in {FILE.relative_to(ROOT)}"
