"""Checkpoints: their bounds hold, a search continues from them, and no other file is taken."""

import json
import shutil
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.history import History, candidates
from bullscows.game.objective import Weights, total_turns
from bullscows.game.question import Question
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import Rules, Turns
from bullscows.game.symmetry import Transformation
from bullscows.kernels import log
from bullscows.library import solve
from bullscows.search import checkpoint, proven_bounds, solver
from bullscows.search.checkpoint import Checkpoint
from bullscows.search.from_checkpoint import Recheck, best_tree, recheck
from bullscows.search.position import Position, Progress
from bullscows.search.position_search import Search
from bullscows.search.proven_bounds import CheckpointError
from bullscows.search.solution import Solution
from bullscows.tree.files import read_tree
from bullscows.tree.storage import record_digest
from tests.support.examples import examples
from tests.support.known import known_total

pytestmark = pytest.mark.large

MASTERMIND, BULLS_COWS = "p4c6r", "p4c10n"
ASKED = Question.of(MASTERMIND)
BOUNDED: dict[str, Any] = {"time_limit": 600.0}
"""With a time limit the parts of a game are searched one by one, whatever its size."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "proof.json"


@cache
def undisturbed(rules: str) -> Solution:
    return solve(rules)


@cache
def finished(rules: str, folder: Path) -> str:
    solve(rules, checkpoint=folder / "finished.json")
    return (folder / "finished.json").read_text()


@pytest.fixture
def mastermind(file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkpoint of a finished search of Mastermind."""
    file.write_text(finished(MASTERMIND, tmp_path_factory.getbasetemp()))
    return file


def interrupt_after(nodes: int) -> Callable[[Progress], None]:
    """Return a Ctrl-C that comes after this number of nodes."""

    def interrupt(progress: Progress) -> None:
        if progress.nodes >= nodes:
            raise KeyboardInterrupt

    return interrupt


def stop_halfway(file: Path, **options: Any) -> Solution:
    """Interrupt a proof of Bulls & Cows, which takes 11,115 nodes."""
    stopped = solve(BULLS_COWS, checkpoint=file, progress=interrupt_after(4000), **options)
    assert stopped.interrupted
    assert not stopped.optimal
    return stopped


def change(file: Path, changes: Callable[[dict[str, Any]], object]) -> None:
    """Change what a file states, and make its digest fit."""
    stated = json.loads(file.read_text())
    changes(stated)
    file.write_text(json.dumps({**stated, "digest": record_digest(stated)}))


def histories(file: Path) -> list[str]:
    proofs = json.loads(file.read_text())["proofs"]
    return [position[0] for proof in proofs for position in proof["positions"]]


def unconfirmed(file: Path, question: Question) -> list[Recheck]:
    """Search all positions of a file again; return those whose bounds that does not confirm."""
    results = list(recheck(question, checkpoint=file, count=10**6))
    assert results
    return [result for result in results if not result.is_confirmed]


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        ({"threads": 1}, False),
        ({"threads": 2}, False),
        ({"history": "0123:0.1 1456:1.1"}, False),
        ({"history": "0123:0.1"}, True),  # codes are numbered otherwise
    ],
    ids=str,
)
def test_every_bound_of_an_interrupted_search_holds(file, options, rows):
    rules = Rules.parse(BULLS_COWS)
    history = options.get("history", "")
    game: Rules | ResponseTable = rules
    if rows:
        left = Position.after(ResponseTable.of(rules), History.parse(rules, history)).candidates
        game = ResponseTable.of_candidates(rules, np.array(left, dtype=np.int32))
    solve(game, checkpoint=file, progress=interrupt_after(150 if history else 3000), **options)
    assert all(text.startswith(history) for text in histories(file))
    assert len(histories(file)) > (10 if history else 300)
    assert unconfirmed(file, Question.of(rules, history)) == []


@pytest.mark.parametrize(
    "options", [{"threads": 1}, {"threads": 2}, {"history": "0123:0.1"}], ids=str
)
def test_every_guess_of_a_file_attains_the_upper_bound_next_to_it(file, options):
    """Also where codes are numbered otherwise, in beams, and for an image of the position."""
    solve(BULLS_COWS, checkpoint=file, progress=interrupt_after(3000), **BOUNDED, **options)
    rules = Rules.parse(BULLS_COWS)
    question = Question.of(rules, options.get("history", ""))
    table = ResponseTable.of(rules)
    kept = Checkpoint(file, question)
    (stated,) = kept.proofs.values()
    weights = Weights(stated.weights, stated.capped)
    plain = Search(table, weights)
    search = Search(table, weights, checkpoint=kept)
    search.take_over(Position.after(table, question.history))
    stated.merge()
    (proof,) = json.loads(file.read_text())["proofs"]
    entries = [entry for entry in proof["positions"] if len(entry) == 5]
    assert len(entries) > 30
    assert len(entries) > 0.9 * sum(entry[2] is not None for entry in proof["positions"])
    renamed = Transformation((3, 1, 0, 2), (9, 3, 1, 7, 5, 0, 2, 8, 6, 4))
    images = 0
    for text, _, upper, _, guess in Random(1).sample(entries, 30):
        turns = History.parse(rules, text).turns
        attains(plain, turns, rules.parse_code(guess), upper)
        assert search.recalled_guess(Position.after(table, turns)) == rules.parse_code(guess)
        image = tuple((renamed.apply_to_index(rules, code), answer) for code, answer in turns)
        found = search.recalled_guess(Position.after(table, image))
        if found is not None and not question.history:  # the key of an image may be another one
            images += 1
            attains(plain, image, found, upper)
    assert images > 5 or question.history


def attains(search: Search, turns: Turns, guess: int, upper: int) -> None:
    """Check that a guess costs at most the upper bound."""
    parts = search.parts(Position.after(search.table, turns), guess).values()
    assert sum(search.value(part).lower for part in parts) <= upper


@pytest.mark.parametrize("nodes", [300, 1000, pytest.param(5000, marks=pytest.mark.slow)])
def test_a_tree_grows_from_the_guesses_of_an_interrupted_search(file, nodes, monkeypatch):
    monkeypatch.setattr(solver, "LARGE_GAME", 1000)
    stopped = solve("p5c7n", checkpoint=file, progress=interrupt_after(nodes))
    upper = stopped.cost.upper
    assert upper is not None
    before = file.read_bytes()
    asked = Question.of("p5c7n")
    shown: list[str] = []
    tree = best_tree(asked, checkpoint=file, progress=shown.append)
    assert shown[-1] == f"{len(tree.nodes):,} nodes of the tree"
    assert known_total("p5c7n") <= tree.total <= upper
    assert file.read_bytes() == before
    positions = json.loads(before)["proofs"][0]["positions"]
    guesses = {entry[0]: entry[4] for entry in positions if len(entry) == 5}
    played = {
        str(History(tree.rules, tree.path(node))): tree.rules.text(node.guess)
        for node in tree.nodes
        if node.parent is not None
    }
    shared = played.keys() & guesses.keys()
    assert len(shared) > 10
    assert all(played[text] == guesses[text] for text in shared)
    worst = max(
        shared, key=lambda text: len(candidates(tree.rules, History.parse(tree.rules, text)))
    )
    change(file, partial(falsify_guess, text=worst))
    with pytest.raises(CheckpointError, match=f"states a cost of .* to {upper}, and its strategy"):
        best_tree(asked, checkpoint=file)


def falsify_guess(stated: dict[str, Any], text: str) -> None:
    """Let the file almost repeat the guess before at a position; leave out what follows it."""
    positions = stated["proofs"][0]["positions"]
    kept = [entry for entry in positions if not entry[0].startswith(f"{text} ")]
    entry = next(entry for entry in kept if entry[0] == text)
    *rest, one, other = list(text.split()[-1].partition(":")[0])
    entry[4] = "".join((*rest, other, one))
    stated["proofs"][0]["positions"] = kept


def test_a_file_without_guesses_is_read_and_gets_them(mastermind: Path) -> None:
    def forget(stated: dict[str, Any]) -> None:
        (proof,) = stated["proofs"]
        del proof["guess"]
        proof |= {"lower": 0, "upper": None}
        proof["positions"] = [entry[:4] for entry in proof["positions"] if entry[1] != entry[2]]

    change(mastermind, forget)
    with pytest.raises(CheckpointError, match="no strategy for its upper bound yet"):
        best_tree(ASKED, checkpoint=mastermind)
    solve(MASTERMIND, checkpoint=mastermind)
    assert best_tree(ASKED, checkpoint=mastermind).total == 5625
    change(mastermind, lambda stated: stated["proofs"][0].update(guess=None))
    solve(MASTERMIND, checkpoint=mastermind)
    assert best_tree(ASKED, checkpoint=mastermind).total == 5625


def test_an_outdated_guess_is_replaced(mastermind: Path) -> None:
    rules = Rules.parse(MASTERMIND)
    table = ResponseTable.of(rules)
    (stated,) = Checkpoint(mastermind, ASKED).proofs.values()
    search = Search(table, Weights(stated.weights, stated.capped))
    position = Position.after(table, History.parse(MASTERMIND, "0012:1.0").turns)
    guess = rules.parse_code("0000")
    cost = sum(search.value(part).lower for part in search.parts(position, guess).values())
    assert cost > search.value(position).lower

    def outdate(stated: dict[str, Any]) -> None:
        (entry,) = (each for each in stated["proofs"][0]["positions"] if each[0] == "0012:1.0")
        entry[1:] = [0, cost, entry[3], "0000"]

    change(mastermind, outdate)
    assert best_tree(ASKED, checkpoint=mastermind).total == 5625


def test_a_tree_below_the_lower_bound_is_reported(mastermind: Path) -> None:
    change(mastermind, lambda stated: stated["proofs"][0].update(lower=5626, upper=5627))
    with pytest.raises(CheckpointError, match="cost of 5626 to 5627, and its strategy costs 5625"):
        best_tree(ASKED, checkpoint=mastermind)


@pytest.mark.parametrize(
    "asked",
    [
        Question.of(MASTERMIND, "0012:0.2"),
        Question.of(MASTERMIND, (), "movers", 5),
        Question.of(MASTERMIND, (), "average,worst"),
    ],
    ids=str,
)
def test_a_tree_grows_for_totals_of_whole_games_only(mastermind: Path, asked: Question) -> None:
    with pytest.raises(CheckpointError, match="whole game with an objective that begins"):
        best_tree(asked, checkpoint=mastermind)
    with pytest.raises(CheckpointError, match="no file"):
        best_tree(ASKED, checkpoint=mastermind.with_name("none.json"))


def test_file_that_has_not_room_for_all_keeps_those_that_took_most(file, monkeypatch):
    saved = solve("p4c9n", checkpoint=file)
    whole = undisturbed("p4c9n")
    assert (saved.tree(), saved.counters) == (whole.tree(), whole.counters), "it costs no nodes"
    everything = json.loads(file.read_text())["proofs"][0]["positions"]
    file.unlink()
    monkeypatch.setattr(checkpoint, "MAX_BYTES", 3000)
    solve("p4c9n", checkpoint=file)
    kept = json.loads(file.read_text())["proofs"][0]["positions"]
    assert 30 < len(kept) < len(everything)
    assert len(file.read_text()) < 4000
    later = [entry for entry in kept if " " in entry[0]]
    assert {entry[0] for entry in everything if " " not in entry[0]} <= {entry[0] for entry in kept}
    assert min(entry[3] for entry in kept) > 0 or later == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_interrupted_search_continues_where_it_stopped(file: Path, jobs: int) -> None:
    stopped = stop_halfway(file, threads=jobs)
    first = json.loads(file.read_text())
    rest = solve(BULLS_COWS, checkpoint=file, threads=jobs)
    both = json.loads(file.read_text())
    assert (first["runs"], both["runs"]) == (1, 2)
    assert both["proofs"][0]["nodes"] >= first["proofs"][0]["nodes"] + rest.counters["nodes"]
    assert both["processor_seconds"] >= first["processor_seconds"]
    whole = undisturbed(BULLS_COWS)
    assert (rest.value, rest.guess) == (whole.value, whole.guess)
    assert rest.tree() == whole.tree()
    if jobs == 1:  # the nodes of two threads depend on which of them is faster
        assert rest.counters["nodes"] < whole.counters["nodes"] - stopped.counters["nodes"] / 2


def test_bounds_from_both_sides_continue(file: Path) -> None:
    stopped = stop_halfway(file, **BOUNDED)
    stated = json.loads(file.read_text())["proofs"][0]
    assert (stated["lower"], stated["upper"]) == stopped.cost
    rest = solve(BULLS_COWS, checkpoint=file, **BOUNDED)
    assert rest.value == known_total(BULLS_COWS)
    file_nodes = json.loads(file.read_text())["proofs"][0]["nodes"]
    assert solve(BULLS_COWS, checkpoint=file, **BOUNDED).counters["nodes"] < 100 < file_nodes


@pytest.mark.parametrize(
    "options",
    [
        {"first": "4567", "history": "0123:0.1"},
        {"candidates_only": True, "history": "0123:0.1"},
        {"max_turns": 7, "objective": "average,last", "history": "0123:0.1"},
    ],
    ids=str,
)
def test_every_kind_of_question_continues(file: Path, options: dict[str, Any]) -> None:
    fresh = solve(BULLS_COWS, **options)
    solve(BULLS_COWS, checkpoint=file, progress=interrupt_after(200), **options)
    rest = solve(BULLS_COWS, checkpoint=file, **options)
    assert (rest.value, rest.guess) == (fresh.value, fresh.guess)
    assert rest.distribution == fresh.distribution


def test_each_last_turn_has_bounds_of_its_own(file: Path) -> None:
    first = solve(MASTERMIND, "worst,average", checkpoint=file)
    proofs = json.loads(file.read_text())["proofs"]
    assert sorted((proof["last_turn"], sum(proof["weights"])) for proof in proofs) == [
        (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (5, 15),
    ]  # fmt: skip
    again = solve(MASTERMIND, "worst,average", checkpoint=file)
    assert (again.value, again.question.max_turns) == (first.value, 5)
    assert again.distribution == first.distribution
    assert again.counters["nodes"] < first.counters["nodes"]


def flip(file: Path, place: int, bit: int) -> None:
    content = bytearray(file.read_bytes())
    content[place % len(content)] ^= 1 << bit
    file.write_bytes(content)


@examples(100)
@given(place=st.integers(0, 1 << 20), bit=st.integers(0, 7))
def test_flipped_bit_is_refused(tmp_path_factory, place, bit):
    file = tmp_path_factory.getbasetemp() / "flipped.json"
    file.write_text(finished(MASTERMIND, tmp_path_factory.getbasetemp()))
    flip(file, place, bit)
    with pytest.raises(CheckpointError, match=r"can't continue from .*flipped"):
        Checkpoint(file, ASKED)


@pytest.mark.parametrize(
    "other",
    [
        {"rules": "p4c5r"},
        {"objective": "movers", "max_turns": 6},
        {"max_turns": 6},
        {"history": "0012:0.2"},
        {"first": "0123"},
        {"candidates_only": True},
        {"objective": "weights:1,2,3,4,5,7"},
    ],
    ids=str,
)
def test_checkpoint_of_another_question_is_refused(mastermind: Path, other: dict[str, Any]) -> None:
    before = mastermind.read_bytes()
    rules = other.get("rules", MASTERMIND)
    options = {name: value for name, value in other.items() if name != "rules"}
    with pytest.raises(CheckpointError, match=f"is one of p4c6r average, not of {rules}"):
        solve(rules, checkpoint=mastermind, **options)
    assert mastermind.read_bytes() == before


def test_bounds_of_another_engine_are_refused(mastermind: Path) -> None:
    change(mastermind, lambda stated: stated.update(engine_version="0.0.9"))
    with pytest.raises(CheckpointError, match=r"proved by version 0\.0\.9 .*since version "):
        solve(MASTERMIND, checkpoint=mastermind)


FALSE = {
    "guess that is no code": ["0012:0.2", 1, 900, 1, "6666"],
    "guess without a bound": ["0012:0.2", 1, None, 1, "0012"],
    "no such code": ["9999:0.1", 1, None, 1],
    "no such answer": ["0012:3.1", 1, None, 1],
    "whole question": ["", 5625, 5625, 1],
    "bounds cross": ["0012:0.2", 900, 800, 1],
    "negative": ["0012:0.2", -1, None, 1],
    "too much effort": ["0012:0.2", 1, None, 1 << 64],
    "text for a bound": ["0012:0.2", "1", None, 1],
    "number that is true": ["0012:0.2", True, None, 1],
    "too few numbers": ["0012:0.2", 1, None],
    "no entry": "0012:0.2",
    "no candidates": ["0012:2.2 0021:4.0", 1, None, 1],
    "found at once": ["0012:4.0", 1, None, 1],
    "too many turns": [" ".join(["0012:0.2"] * 12), 1, None, 1],
}


@pytest.mark.parametrize("entry", FALSE.values(), ids=FALSE)
def test_entry_that_is_no_position_is_refused(mastermind: Path, entry: Any) -> None:
    change(mastermind, lambda stated: stated["proofs"][0]["positions"].append(entry))
    if entry[0]:  # the search asks for its entries
        change(mastermind, lambda stated: stated["proofs"][0].update(lower=1, upper=None))
    with pytest.raises(CheckpointError, match=r"can't continue|candidates"):
        solve(MASTERMIND, checkpoint=mastermind)


NUMBERS = ResponseTable.from_answers(np.array([[1, 0], [0, 1]], dtype=np.uint8), answers=2, win=1)
KNOWN = {"known": "avg-mastermind"}


@pytest.mark.parametrize(
    ("rules", "options", "words"),
    [
        (NUMBERS, {}, "without rules"),
        (MASTERMIND, {"checkpoint": Path("none") / "proof.json"}, "missing or read-only"),
        (MASTERMIND, {"checkpoint": None, **KNOWN}, "name one"),
        ("p4c5r", KNOWN, "tree avg-mastermind is no strategy"),
        (MASTERMIND, {"history": "0012:0.2", **KNOWN}, "tree avg-mastermind is no strategy"),
        (MASTERMIND, {"candidates_only": True, **KNOWN}, "tree avg-mastermind is no strategy"),
    ],
    ids=range(6),
)
def test_question_that_has_no_such_checkpoint_is_refused(file, rules, options, words):
    if "known" in options:
        options = options | {"known": read_tree(options["known"])}
    with pytest.raises(CheckpointError, match=words):
        solve(rules, **{"checkpoint": file, **options})


def falsify(file: Path, text: str, by: int) -> None:
    """Change the bounds of a position, the upper one too if it has one."""

    def shift(stated: dict[str, Any]) -> None:
        (entry,) = (each for each in stated["proofs"][0]["positions"] if each[0] == text)
        entry[1:3] = [None if bound is None else bound + by for bound in entry[1:3]]

    change(file, shift)


def test_recheck_confirms_what_a_search_has_proved(mastermind: Path) -> None:
    assert unconfirmed(mastermind, ASKED) == []
    count = len(histories(mastermind))
    assert count > 30
    for asked, found in ((10 * count, count), (7, 7)):
        assert len(list(recheck(ASKED, checkpoint=mastermind, count=asked))) == found


@pytest.mark.parametrize("by", [-1, 1, 1000])
def test_recheck_finds_a_false_value_or_lower_bound(mastermind: Path, by: int) -> None:
    text = "0012:0.2"
    if by == 1000:
        mastermind.unlink()
        solve(MASTERMIND, checkpoint=mastermind, progress=interrupt_after(100))
        positions = json.loads(mastermind.read_text())["proofs"][0]["positions"]
        text = next(text for text, _, upper, *_ in positions if upper is None)
    falsify(mastermind, text, by)
    (wrong,) = unconfirmed(mastermind, ASKED)
    assert wrong.position == text
    assert text in str(wrong)


def test_cost_that_no_strategy_has_is_found_at_the_end(mastermind: Path) -> None:
    change(mastermind, lambda stated: stated["proofs"][0].update(lower=5624, upper=5624))
    before = mastermind.read_bytes()
    with pytest.raises(CheckpointError, match=r"should be 5624, and .* costs 5625"):
        solve(MASTERMIND, checkpoint=mastermind)
    assert mastermind.read_bytes() == before


def test_search_ends_although_its_checkpoint_cannot_be_written(tmp_path, caplog):
    folder = tmp_path / "removed"
    folder.mkdir()
    solution = solve(
        BULLS_COWS,
        checkpoint=folder / "proof.json",
        progress=lambda _: shutil.rmtree(folder, ignore_errors=True),
    )
    assert f"can't be written: there is no folder {folder}" in caplog.text
    assert solution.value == known_total(BULLS_COWS)


def test_saves_become_rarer_but_not_rarer_than_five_minutes(file, monkeypatch):
    now = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    kept = Checkpoint(file, ASKED)
    saves = []
    while now < 12_000:
        now += 0.5
        kept.save_if_due()
        if file.exists():
            saves.append(now)
            file.unlink()
    pauses = np.diff(saves)
    assert saves[0] <= 1002
    assert (np.diff(pauses) >= -0.5).all()
    assert pauses.max() == 300


def test_known_tree_bounds_the_whole_and_its_parts(file: Path) -> None:
    known = read_tree("avg-mastermind")
    solve(MASTERMIND, checkpoint=file, known=known, time_limit=0.0)
    (proof,) = json.loads(file.read_text())["proofs"]
    uppers = {text: upper for text, _, upper, *_ in proof["positions"]}
    assert proof["upper"] == known.tree.total == 5625
    for answer in ("0.0", "0.1", "0.2", "1.0", "1.1", "2.1"):
        found = known.tree.distribution_at(known.tree.walk(answer))
        assert uppers[f"0012:{answer}"] == total_turns(found)
    assert solve(MASTERMIND, checkpoint=file).value == 5625


def test_known_tree_that_takes_too_many_turns_says_nothing(file: Path) -> None:
    known = read_tree("avg-mastermind")
    assert len(known.tree.distribution) == 6
    solve(MASTERMIND, max_turns=5, checkpoint=file, known=known, time_limit=0.0)
    proofs = json.loads(file.read_text())["proofs"]  # none if nothing was found in time
    assert all(proof["upper"] is None or proof["upper"] >= 5626 for proof in proofs)
    assert solve(MASTERMIND, max_turns=5, checkpoint=file).value == 5626


def row(key: int, lower: int, upper: int, effort: int, *guesses: int, guess: int = -1) -> list[int]:
    """A row of a question without history; each answer is 0."""
    steps = [each * log.ANSWERS for each in guesses]
    tail = [*steps, *[0] * (log.CHECKSUM - log.STEPS - len(steps))]
    return [key, key, len(steps) + 1, effort, lower, upper, guess + 1, *tail]


def test_positions_after_a_solved_one_are_dropped_first() -> None:
    bounds = proven_bounds.ProvenBounds((1, 2, 3), False, 1)
    top = row(1, 5, 6, 0, 1)
    solved = row(2, 5, 5, 40, 1, 2)
    below = row(3, 5, 6, 90, 1, 2, 3)
    cheap = row(4, 1, 2, 50, 1, 4)
    costly = row(5, 1, 2, 60, 1, 5)
    bounds.add(np.array([below, cheap, solved, costly, row(1, 4, 9, 0, 1)]))
    bounds.add(np.array([row(1, 5, 6, 0, 1)]))  # rows of one key become one with the best bounds
    assert bounds.rows().tolist() == [top, costly, cheap, solved, below]
    assert bounds.find((1, 1)) == top
    assert bounds.find((9, 9)) is None
    others = np.repeat([row(0, 1, 2, 70, 1, 6)], proven_bounds.MOST_ROWS - 2, axis=0)
    others[:, [log.PLACE, log.CHECK]] = np.arange(len(others))[:, None] + 10
    bounds.add(others)
    assert bounds.rows().tolist() == [top, *others.tolist(), costly]
    assert bounds.least_effort == 50
