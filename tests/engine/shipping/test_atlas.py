"""The atlas against another search, published values and formulas, and how it is computed."""

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from bullscows.game.objective import total_turns
from bullscows.game.rules import Code, Rules
from bullscows.game.timer import Timer
from bullscows.library import solve
from bullscows.search import solver
from bullscows.search.checkpoint import total_bound
from bullscows.shipping.atlas import (
    Atlas,
    Entry,
    atlas_path,
    games,
    read_atlas,
    take_over_bounds,
    write_atlas,
)
from bullscows.shipping.large_games import lower_bound, sampled
from bullscows.shipping.named_trees import BuildOptions, strategy_tree
from bullscows.shipping.totals import published
from bullscows.tree.storage import RecordError, default_folder
from tests.engine.cli.test_commands import run_json
from tests.engine.search.test_solver import ASYMMETRIC
from tests.support.exhaustive import NEVER, Exhaustive
from tests.support.known import known_costs

pytestmark = pytest.mark.large

SHIPPED = read_atlas(atlas_path(default_folder()))
FIELDS = [
    *("rules", "secrets", "status", "total", "mean", "lower", "upper", "worst"),
    *("distribution", "first_guesses", "nodes", "seconds"),
]
WITH_COWS = [rules for rules in games() if not rules.bulls_only]
"""The others are compared in `tests.engine.search.test_bulls_only`."""
HARD = [str(rules) for rules in WITH_COWS if 20 < rules.size < 1000][::9]
LARGE = 500
"""Of larger games only the total is checked."""
SMALL = [str(rules) for rules in WITH_COWS if rules.size <= 100]
AGAIN = [
    entry
    for entry in SHIPPED.games.values()
    if entry.status == "proved" and entry.nodes * entry.secrets <= 28_000
][::4]
"""Some that take seconds without symmetry."""
LARGER = [str(rules) for rules in WITH_COWS if 100 < rules.size <= 1000]


def test_every_game_has_its_entry() -> None:
    assert list(SHIPPED.games) == [str(rules) for rules in games()]


@pytest.mark.parametrize("entry", SHIPPED.games.values(), ids=lambda entry: entry.rules)
def test_figures_agree_with_each_other(entry: Entry) -> None:
    rules = Rules.parse(entry.rules)
    assert entry.secrets == rules.size == sum(entry.distribution)
    assert entry.total == entry.upper == total_turns(entry.distribution)
    assert entry.mean == entry.total / entry.secrets
    assert entry.lower <= entry.total
    assert (entry.status == "proved") == (entry.lower == entry.total)
    assert entry.worst is None or entry.worst <= len(entry.distribution)
    assert sorted({rules.parse_code(code) for code in entry.first_guesses})
    at_worst = SHIPPED.worst_totals.get(entry.rules)
    assert at_worst is None or at_worst >= entry.lower


@pytest.mark.parametrize(
    "name", [*SMALL, *(pytest.param(name, marks=pytest.mark.slow) for name in LARGER)]
)
def test_another_search_finds_the_same(name: str) -> None:
    """Total, worst case, and every first guess."""
    entry = SHIPPED.games[name]
    rules = Rules.parse(name)
    places, symbols, kind = re.fullmatch(r"p(\d+)c(\d+)(.)", name).groups()  # type: ignore[union-attr]
    other = Exhaustive(int(places), int(symbols), kind)
    depth = len(entry.distribution)
    assert entry.status == "proved"
    assert other.least_total(rules.size) == entry.total
    if rules.size > LARGE:
        return
    assert other.least_total(entry.worst or 0) == SHIPPED.worst_totals.get(name, entry.total)
    assert entry.worst == depth or name in SHIPPED.worst_totals
    assert other.least_total((entry.worst or 0) - 1) == NEVER
    tied = {
        kind_of(rules.code(code))
        for code in other.distinct_first()
        if other.least_total(rules.size, code) == entry.total
    }
    stated = [kind_of(rules.code(rules.parse_code(text))) for text in entry.first_guesses]
    assert (set(stated), len(stated)) == (tied, len(tied))


def kind_of(code: Code) -> tuple[object, ...]:
    """Return what equivalent first guesses have in common: how often symbols occur."""
    return 0 in code and code[0] != 0, *sorted(Counter(code).values())


@pytest.mark.slow
@pytest.mark.parametrize("entry", AGAIN, ids=lambda entry: entry.rules)
def test_one_thread_without_symmetry_finds_the_same(entry: Entry) -> None:
    assert solve(entry.rules, pruning=ASYMMETRIC, threads=1).total == entry.total


@pytest.mark.parametrize("name", HARD)
def test_bounds_of_games_too_large_to_search_hold_for_searched_ones(name: str) -> None:
    rules = Rules.parse(name)
    entry = SHIPPED.games[name]
    distribution, first = sampled(rules)
    assert sum(distribution) == rules.size
    assert lower_bound(rules) <= entry.total <= total_turns(distribution)
    assert 0 <= first < rules.size


@pytest.mark.parametrize("name", SMALL)
def test_the_rule_of_large_games_is_larmouths_if_everything_is_compared(name: str) -> None:
    rules = Rules.parse(name)
    assert sampled(rules)[0] == strategy_tree(rules, "larmouth", BuildOptions()).distribution


def test_fields_of_an_estimate_are_stated_only_if_there_is_one() -> None:
    entry = SHIPPED.games["p6c8z"]
    plain = replace(entry, estimated_hours=None, estimate_error=None, estimate_draws=None)
    estimated = replace(plain, estimated_hours=2.5, estimate_draws=1)
    stated = [Atlas({one.rules: one}).record()["games"][0] for one in (plain, estimated)]
    assert list(stated[0]) == FIELDS
    assert list(stated[1]) == [*FIELDS, "estimated_hours", "estimate_draws"]


def test_values_are_those_published_and_known() -> None:
    for row in known_costs():
        entry = SHIPPED.games.get(row.rules)
        if entry is None or row.first is not None or row.max_turns is not None:
            continue
        if row.objective == "average":
            assert (entry.rules, entry.total) == (row.rules, row.total)
        if row.objective in ("worst", "worst,average") and entry.worst is not None:
            assert (entry.rules, entry.worst) == (row.rules, row.depth)
            within = SHIPPED.worst_totals.get(entry.rules)
            if within is None and entry.worst == len(entry.distribution):
                within = entry.total
            assert row.total is None or within in (None, row.total)
    stated = [one for one in published() if one.value and one.last_turn is None]
    assert len(stated) > 70
    for one in stated:
        if one.objective in ("average", "worst"):
            entry = SHIPPED.games[one.rules]
            ours = entry.total if one.objective == "average" else entry.worst
            assert (one.rules, one.value) == (one.rules, str(ours))


def test_command_prints_the_file_without_a_search() -> None:
    code = (
        "import sys; from bullscows.cli.main import commands\n"
        "try: commands(['atlas', 'p4c10n', '--json'])\n"
        "except SystemExit: print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    record, has_numba = done.stdout.splitlines()
    (game,) = json.loads(record)["games"]
    assert (list(game), game["total"], game["worst"], has_numba) == (FIELDS, 26274, 7, "False")


def test_write_computes_what_is_missing_once(tmp_path: Path) -> None:
    words = ("atlas", "--write", "--trees", str(tmp_path), "p2c2z", "p3c4r", "p1c16n")
    made = run_json(*words)
    shipped = run_json("atlas", "p2c2z", "p3c4r", "p1c16n")
    for one, other in zip(made["games"], shipped["games"], strict=True):
        assert {**one, "seconds": 0, "nodes": 0} == {**other, "seconds": 0, "nodes": 0}
    before = atlas_path(tmp_path).read_bytes()
    run_json(*words)
    assert atlas_path(tmp_path).read_bytes() == before


def leave_no_time_to_search(patch: pytest.MonkeyPatch) -> None:
    search = solver.solve
    patch.setattr(
        solver, "solve", lambda *args, **how: search(*args, **how | {"timer": Timer(0.0)})
    )


def test_a_game_that_takes_too_long_is_bounded_and_proved_later(tmp_path, monkeypatch):
    words = ("atlas", "--write", "--trees", str(tmp_path), "p4c4r")
    with monkeypatch.context() as patch:
        leave_no_time_to_search(patch)
        (game,) = run_json(*words, "--time-limit", "1")["games"]
    assert (game["status"], game["worst"]) == ("bounded", None)
    assert game["lower"] < 905 <= game["total"] == game["upper"]
    (game,) = run_json(*words)["games"]
    assert (game["status"], game["total"]) == ("proved", 905)


def test_a_bound_of_a_checkpoint_is_taken(tmp_path, monkeypatch):
    file = tmp_path / "checkpoints" / "p4c4r.json"
    file.parent.mkdir()
    run_json("solve", "p4c4r", "--objective", "average,from:6", "--checkpoint", str(file))
    leave_no_time_to_search(monkeypatch)
    words = ("atlas", "--write", "--trees", str(tmp_path), "p4c4r", "--time-limit", "1")
    assert run_json(*words)["games"][0]["lower"] == 905
    with pytest.raises(RecordError, match="p4c4r"):
        total_bound(file, Rules.parse("p4c5r"))
    file.write_text(file.read_text().replace('"upper"', '"Upper"'))
    with pytest.raises(RecordError, match="changed after"):
        total_bound(file, Rules.parse("p4c4r"))


GAMES = read_atlas(atlas_path(default_folder())).games


def test_figures_of_a_better_tree_are_taken(tmp_path: Path) -> None:
    name = "best-mastermind-5x8.json"
    rules = "p5c8r"
    shutil.copy(default_folder() / name, tmp_path / name)
    ours = GAMES[rules]
    worse = replace(ours, total=ours.total + 1, upper=ours.total + 1, distribution=[], mean=9.0)
    write_atlas(atlas_path(tmp_path), Atlas({rules: worse}))
    take_over_bounds(tmp_path)
    assert read_atlas(atlas_path(tmp_path)).games[rules] == ours
    assert (tmp_path / name).read_bytes() == (default_folder() / name).read_bytes()


@pytest.mark.parametrize("n", range(3, 17))
def test_totals_and_worst_cases_are_those_of_the_formulas(n: int) -> None:
    """Chen and Lin, JISE 20 (2004) and The Computer Journal 47 (2004); arXiv 1808.03849.

    Of two symbols with repeats the formula says 7, but each first guess leaves two codes together.
    """
    different = GAMES[f"p2c{n}n"]
    repeated = GAMES[f"p2c{n}r"]
    rest = -82 * n + 105 if n % 2 else -76 * n + 72
    assert 12 * different.total == 4 * n**3 + 21 * n**2 + rest
    assert different.worst == -(-n // 2) + 1
    rest = -80 * n + 69 if n % 2 else -74 * n + 48
    assert 24 * repeated.total == 8 * n**3 + 51 * n**2 + rest
    assert repeated.worst == n // 2 + 2
