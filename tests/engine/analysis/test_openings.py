"""Positions after one guess: their values by a slow path of its own, their images, their files."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bullscows.analysis.openings import Openings, read_openings, write_openings
from bullscows.game.history import History, split
from bullscows.game.question import Question
from bullscows.game.result import Analysis, Infeasible
from bullscows.game.rules import Rules
from bullscows.game.symmetry import Transformation
from bullscows.library import solve
from bullscows.shipping.openings import aims, questions, wrong_values
from bullscows.tree.storage import RecordError, dump_record
from tests.support.openings import RULES, TURNS, make_file

pytestmark = pytest.mark.large

SHIPPED = Path(__file__).parents[3] / "trees" / "openings"
HORIZON = 7
MANY = 1000


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_file(tmp_path_factory.mktemp("trees"))


@pytest.fixture(scope="module")
def openings(file: Path) -> Openings:
    return read_openings(file, RULES)


def test_every_value_is_what_a_search_finds(openings: Openings) -> None:
    limited = ("worst,average", "last,average", "average,last", "movers")
    aims = {"average,worst", "worst,average", *(f"{aim} by turn {TURNS}" for aim in limited)}
    assert {aim.aim for aim in openings.tables} == aims
    every = [(aim, turn) for aim, table in openings.tables.items() for turn in table]
    assert list(wrong_values(openings, every)) == []
    assert any(openings.tables[aim][turn] is None for aim, turn in every)


def test_every_position_is_known_by_every_name(openings: Openings) -> None:
    """The best guess by other names splits what is left by other names as the best guess does."""
    random = Random(1)
    for aim, table in openings.tables.items():
        for (guess, answer), opening in table.items():
            places = list(range(RULES.positions))
            symbols = list(range(RULES.symbols))
            random.shuffle(places)
            random.shuffle(symbols)
            names = Transformation(tuple(places), tuple(symbols))
            asked = names.apply_to_index(RULES, guess)
            question = aim.at(History(RULES, ((asked, answer),)))
            found = openings.analysis(question)
            if opening is None:
                assert isinstance(found, Infeasible)
                continue
            assert isinstance(found, Analysis)
            assert tuple(found.levels.values()) == opening.costs
            before = aim.at(History(RULES, ((guess, answer),))).candidates.tolist()
            assert parts(found.guess, question.candidates.tolist()) == parts(opening.guess, before)


def parts(guess: int, codes: list[int]) -> dict[int, int]:
    return {answer: len(part) for answer, part in RULES.partition(guess, codes).items()}


@pytest.mark.parametrize(
    ("objective", "max_turns", "levels", "name"),
    [
        ("average", TURNS, 1, "total"),
        ("last", TURNS, 1, "last"),
        ("worst", None, 1, "worst"),
        ("movers", TURNS, 3, "turn 4 or later"),
    ],
)
def test_strongest_criterion_alone_is_known_as_well(openings, objective, max_turns, levels, name):
    aim = Question.of(RULES, (), objective, max_turns)
    known = next(table for one, table in openings.tables.items() if one.covers(aim))
    turn, opening = next(item for item in known.items() if item[1] is not None)
    found = openings.analysis(aim.at(History(RULES, (turn,))))
    assert found is not None
    assert opening is not None
    assert tuple(found.levels.values()) == opening.costs[:levels]
    assert next(iter(found.levels)) == name


@pytest.mark.parametrize("turns", [None, TURNS])
def test_first_guesses_cost_their_parts(openings: Openings, turns: int | None) -> None:
    """A guess after which the turns do not suffice is no reason to say so of the game."""
    question = Question.of(RULES, (), "average", turns)
    impossible = 0
    for code in range(RULES.size):
        price = openings.evaluation(question, split(RULES, question.candidates, code))
        solution = solve(RULES, "average,worst", first=code, max_turns=turns)
        assert price is not None
        assert (price.status, price.feasible) == ("optimal", solution.feasible)
        if solution.feasible:
            assert price.levels["total"] == solution.levels["total"]
            assert turns is not None or price.last_turn == solution.levels["worst"]
        impossible += not solution.feasible
    assert (0 < impossible < RULES.size) == (turns is not None)


def test_the_least_cost_of_the_first_guesses_is_the_value(openings: Openings) -> None:
    best = openings.analysis(Question.of(RULES))
    assert best is not None
    assert best.levels == solve(RULES).levels
    assert best.last_turn == solve(RULES, "average,worst", first=best.guess).levels["worst"]
    for other in (Question.of(RULES, "00:0.1"), Question.of(RULES, (), "worst,average")):
        assert openings.evaluation(other, split(RULES, other.candidates, 1)) is None
    assert openings.analysis(other) is None


def test_other_questions_are_left_to_the_search(openings: Openings) -> None:
    tables = {aim: dict(table) for aim, table in openings.tables.items()}
    for table in tables.values():
        table.pop(max(table), None)
    assert Openings(RULES, tables).analysis(Question.of(RULES)) is None, "a part is unknown"
    for question in (
        Question.of(RULES, (), "average", TURNS),
        Question.of(RULES, "01:0.0 23:0.0"),
        Question.of(RULES, "01:0.0", "average", TURNS + 1),
        Question.of(RULES, "01:0.0", "average,worst", TURNS),
        Question.of(RULES, "01:2.0"),
        Question.of("p2c4r", "01:0.0"),
    ):
        assert openings.analysis(question) is None


def positions(record: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = record["aims"][0]["positions"]
    return found


EDITS: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda record: record.update(format="bulls-cows-openings/9"), "format"),
    (lambda record: record.update(rules="p2c4r"), "positions of p2c4r"),
    (lambda record: record["aims"].append(record["aims"][0]), "average,worst occurs twice"),
    (lambda record: record["aims"][0].update(objective="best"), "unknown objective"),
    (lambda record: record["aims"][0].update(objective="last"), "give max_turns"),
    (lambda record: record["aims"][0].update(max_turns=0), "max_turns must be an integer"),
    (lambda record: positions(record).update({"01:9.9": "01 3"}), "answer"),
    (lambda record: positions(record).update({"": "01 3"}), "not one turn"),
    (lambda record: positions(record).update({"01:0.0 23:0.0": "01 3"}), "not one turn"),
    (lambda record: positions(record).update({"01:0.0": "01"}), "no guess"),
    (lambda record: positions(record).update({"01:0.0": ["01", 3]}), "no guess"),
    (lambda record: positions(record).update({"01:0.0": "01 -3"}), "no guess"),
    (lambda record: positions(record).update({"01:0.0": "01 3"}), "1 costs, not 2"),
    (lambda record: positions(record).update({"01:0.0": "09 3 4"}), "invalid symbol '9'"),
]


@pytest.mark.parametrize(("edit", "complaint"), EDITS, ids=range(len(EDITS)))
def test_other_content_is_refused(file, openings, tmp_path, edit, complaint):
    assert read_openings(file, RULES) == openings
    write_openings(tmp_path / "again.json", openings)
    assert json.loads((tmp_path / "again.json").read_text()) == json.loads(file.read_text())
    record = json.loads(file.read_text())
    del record["digest"]
    edit(record)
    damaged = tmp_path / file.name
    damaged.write_text(dump_record(record))
    with pytest.raises(RecordError, match=f"^{file.name}: .*{complaint}"):
        read_openings(damaged, RULES)


@pytest.mark.parametrize("text", sorted(file.stem for file in SHIPPED.glob("*.json")))
def test_shipped_file_holds_every_position(text: str) -> None:
    """Each class of first guess, each answer, each aim."""
    rules = Rules.parse(text)
    found = read_openings(SHIPPED / f"{text}.json", rules)
    assert list(found.tables) == aims(rules)
    for aim, table in found.tables.items():
        asked = {question.history[0] for question in questions(rules, aim)}
        assert asked == set(table)


def test_shipped_positions_are_what_a_search_finds() -> None:
    found = read_openings(SHIPPED / "p3c6r.json", "p3c6r")
    every = [(aim, turn) for aim, table in found.tables.items() for turn in table]
    assert list(wrong_values(found, every[::3])) == []


def test_flaws_are_found(openings: Openings) -> None:
    aim, table = next(iter(openings.tables.items()))
    turn, opening = next(iter(table.items()))
    assert opening is not None
    for wrong in (
        None,
        type(opening)(opening.guess, tuple(cost + 1 for cost in opening.costs)),
        type(opening)(turn[0], opening.costs),
    ):
        changed = Openings(RULES, {aim: {turn: wrong}})
        assert len(list(wrong_values(changed, [(aim, turn)]))) == 1
