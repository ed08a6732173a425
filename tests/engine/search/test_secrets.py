"""Secrets from a list: against unpruned recursion, with every way to search."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.arguments import ArgumentError
from bullscows.game.history import InconsistentError
from bullscows.game.question import Question
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import Rules
from bullscows.library import solve
from bullscows.search.proven_bounds import CheckpointError
from tests.engine.cli.test_commands import run, run_json
from tests.support.examples import examples
from tests.support.naive import naive_value

pytestmark = pytest.mark.large

GAMES = ["p2c3r", "p2c4n", "p3c3r", "p3c4n", "p3c4z", "p3c3rb", "p2c5n"]


@st.composite
def questions(draw):
    """A small game, a list of secrets that no symmetry need map to itself, and a turn or none."""
    rules = Rules.parse(draw(st.sampled_from(GAMES)))
    codes = st.integers(0, rules.size - 1)
    secrets = draw(st.sets(codes, min_size=1, max_size=8))
    history: tuple[tuple[int, int], ...] = ()
    if draw(st.booleans()):
        guess = draw(codes.filter(lambda code: code != min(secrets)))
        history = ((guess, rules.respond(guess, min(secrets))),)
    return rules, secrets, history


@examples(150)
@given(questions(), st.sampled_from([None, 60.0]), st.booleans())
def test_the_value_is_that_of_unpruned_search(case, time_limit, only):
    """The time limit takes the way through the bounded tree."""
    rules, secrets, history = case
    found = solve(
        rules, history=history, secrets=secrets, time_limit=time_limit, candidates_only=only
    )
    left = [
        code
        for code in sorted(secrets)
        if all(rules.respond(guess, code) == answer for guess, answer in history)
    ]
    table = ResponseTable.of(rules)
    rows = table.responses[:, : table.size].tolist()
    turn = len(history) + 1
    weights = range(1, 12)
    expected = naive_value(rows, table.win, weights, tuple(left), turn, candidates_only=only)
    assert (found.value, found.optimal) == (expected, True)
    assert sum(found.distribution or ()) == found.secrets == len(left)
    tree = found.tree()
    assert sorted(tree.root.candidates) == left
    assert (tree.total, tree.distribution) == (found.value, found.distribution)


@examples(40)
@given(questions(), st.data())
def test_a_given_first_guess_and_the_last_turn_hold_for_the_list_too(case, data):
    rules, secrets, _ = case
    table = ResponseTable.of(rules)
    rows = table.responses[:, : table.size].tolist()
    first = data.draw(st.integers(0, rules.size - 1))
    parts: dict[int, list[int]] = {}
    for code in sorted(secrets):
        parts.setdefault(rows[code][first], []).append(code)
    if len(secrets) > 1 and len(parts) < 2:
        return
    costs = [
        1 if answer == table.win else naive_value(rows, table.win, range(1, 12), tuple(part), 2)
        for answer, part in parts.items()
    ]
    expected = sum(cost or 0 for cost in costs)
    assert solve(rules, secrets=secrets, first=first).value == expected
    worst = solve(rules, "worst,average", secrets=secrets)
    assert worst.distribution is not None
    assert worst.value == len(worst.distribution)
    fewer = solve(rules, secrets=secrets, max_turns=worst.value - 1) if worst.value > 1 else None
    assert fewer is None or fewer.feasible is False


def test_all_codes_listed_are_the_whole_game():
    whole = solve("p3c6n")
    listed = solve("p3c6n", secrets=range(120))
    assert (listed.value, listed.guess) == (whole.value, whole.guess)
    assert listed.distribution == whole.distribution


def test_shipped_trees_bound_no_list():
    """Their distributions are those of all codes."""
    found = solve("p4c10n", secrets=range(2, 4000, 3), time_limit=0.0)
    assert (found.source, found.cost.upper) == (None, None)
    assert 0 < found.cost.lower < found.secrets * 7


def test_a_list_without_codes_or_none_that_fits_is_refused():
    with pytest.raises(ArgumentError, match="secrets must be a list of codes"):
        Question.of("p3c4n", secrets=[])
    with pytest.raises(InconsistentError):
        solve("p3c4n", history="012:0.3", secrets=["012"])


def test_corrections_are_those_of_the_list(listed: str):
    """021 of the game fits 012:1.2, but no code of the list does."""
    found = run_json("solve", "p3c6n", "--secrets", listed, "--history", "012:1.2", code=1)
    assert found["error"] == "no code of the list fits the answer"
    assert {(one["instead"], one["remaining"]) for one in found["corrections"]} == {
        ("3.0", 1), ("1.0", 1), ("0.1", 1),
    }  # fmt: skip


def test_a_checkpoint_states_no_list(tmp_path: Path):
    with pytest.raises(CheckpointError, match="a checkpoint cannot state a list"):
        solve("p3c4n", secrets=["012", "013"], checkpoint=tmp_path / "proof.json")


@pytest.fixture
def listed(tmp_path: Path) -> str:
    path = tmp_path / "secrets.txt"
    path.write_text("# birthdays\n012\n\n034  # the second\n135\n 012\n")
    return str(path)


def test_the_command_reads_a_code_a_line(listed: str):
    found = run_json("solve", "p3c6n", "--secrets", listed)
    assert (found["secrets"], found["value"], found["distribution"]) == (3, 5, [1, 2])
    after = run_json("solve", "p3c6n", "--secrets", listed, "--history", "012:1.0")
    assert after["secrets"] == 1


@pytest.mark.parametrize(
    ("content", "options", "reason"),
    [
        ("012\n0123\n", [], "secrets.txt, line 2: invalid code '0123'"),
        ("# none\n", [], "secrets.txt has no codes: write one on each line"),
        ("012\n", ["--evaluate", "013"], "--evaluate cannot be combined with --secrets"),
        ("012\n013\n", ["--checkpoint", "proof.json"], "cannot state a list of secrets"),
    ],
)
def test_the_command_says_what_is_wrong_with_a_list(tmp_path, content, options, reason):
    path = tmp_path / "secrets.txt"
    path.write_text(content)
    result = run("solve", "p3c6n", "--secrets", str(path), *options)
    assert result.exit_code == 2
    assert reason in result.stderr
