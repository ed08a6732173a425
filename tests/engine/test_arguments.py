"""Everything exported checks its arguments: a result, or an error of the library."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bullscows
from bullscows import ArgumentError, ArgumentTypeError, EngineError, Rules
from bullscows.analysis.analyst import Analyst
from bullscows.game.arguments import shown
from bullscows.game.history import History
from bullscows.game.objective import Objective
from bullscows.game.question import Question
from bullscows.game.response_table import ResponseTable
from bullscows.library import solve
from bullscows.search.from_checkpoint import recheck
from bullscows.tree.files import TreeRecord
from bullscows.tree.strategy_tree import StrategyTree

GAME = "p2c3n"
RULES = Rules.parse(GAME)
TREE = bullscows.decode(GAME, "##")
RECORD = TreeRecord.of(TREE, objective="mine", max_turns=None, proof="heuristic")
ANALYST = Analyst()


class Unprintable:
    """A value whose text cannot be made."""

    def __repr__(self) -> str:
        raise RuntimeError


ODD: list[Any] = [
    *(None, True, False, -1, 0, 1, 3, 10**30, 0.5, -0.5, float("nan"), float("inf"), 1j),
    *("", " ", "x", "0x", "01", "01:0.1", "p4c10x", "number:16", "-1", "average", "sure", "\0"),
    *("0" * 1000, "1:", ":", "worst,worst", "weights:", "draw", "##", b"01", b""),
    *((), [], {}, set(), (0,), (0, 1), [(0, 1)], [(0, 1, 2)], [(0, 1, 2, 3)], [("01", "0.1")]),
    *([("01", 0, 1)], [("01", 0.5)], [(None, None)], [None], [[]], [["01"]], ["01", 1], (1.5, 2)),
    *(np.int64(1), np.float64("nan"), np.array([0, 1]), np.array([[0.5]]), np.array(["01"])),
    *(object(), Unprintable(), print, RULES, TREE, RECORD, Objective(("last",)), History(RULES)),
    *(Question.of(GAME), Path("missing/file"), bullscows.Answer(9, 9), range(3), iter("0")),
]

CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "analyse": (bullscows.analyse, {"game": GAME, "seconds": 0}),
    "Analyst.analysis": (ANALYST.analysis, {"question": Question.of(GAME), "seconds": 0}),
    "best_reply": (bullscows.best_reply, {"game": GAME, "theirs": (1, 2, 3)}),
    "candidates": (bullscows.candidates, {"game": GAME}),
    "champions": (bullscows.champions, {"game": GAME}),
    "decode": (bullscows.decode, {"game": GAME, "text": "##"}),
    "encode": (bullscows.encode, {"tree": TREE}),
    "equivalence_classes": (bullscows.equivalence_classes, {"game": GAME, "guesses": "01"}),
    "History.of": (History.of, {"game": GAME, "played": ()}),
    "History.parse": (History.parse, {"game": GAME, "text": "01:0.1"}),
    "Objective.of": (Objective.of, {"objective": "average"}),
    "Objective.parse": (Objective.parse, {"text": "average"}),
    "Objective": (Objective, {"criteria": ("average",)}),
    "turns_allowed": (Objective.parse("average").turns_allowed, {"max_turns": 3}),
    "pareto_front": (bullscows.pareto_front, {"game": GAME, "max_turns": 4}),
    "Question.of": (Question.of, {"game": GAME}),
    "Question": (
        Question,
        {"history": History(RULES), "objective": Objective.parse("average")},
    ),
    "read_tree": (bullscows.read_tree, {"tree": "avg-mastermind-3x5"}),
    "recheck": (recheck, {"question": Question.of(GAME), "checkpoint": "missing", "count": 1}),
    "respond": (bullscows.respond, {"guess": "01", "secret": "12"}),
    "ResponseTable.of": (ResponseTable.of, {"game": GAME}),
    "from_answers": (
        ResponseTable.from_answers,
        {"square": np.eye(2, dtype=np.uint8), "answers": 2, "win": 1},
    ),
    "of_candidates": (
        ResponseTable.of_candidates,
        {"rules": RULES, "candidates": np.array([0, 1], dtype=np.int32)},
    ),
    "Rules": (Rules, {"positions": 2, "symbols": 3, "repeats": False}),
    "Rules.parse": (Rules.parse, {"text": GAME}),
    "Rules.of": (Rules.of, {"game": GAME}),
    "Rules.code": (RULES.code, {"index": 0}),
    "Rules.index": (RULES.index, {"code": (0, 1)}),
    "Rules.numbers": (RULES.numbers, {"codes": "01"}),
    "Rules.parse_code": (RULES.parse_code, {"text": "01"}),
    "Rules.parse_answer": (RULES.parse_answer, {"text": "0.1"}),
    "Rules.answer_index": (RULES.answer_index, {"bulls": 0, "cows": 1}),
    "Rules.respond": (RULES.respond, {"guess": 0, "secret": 1}),
    "Rules.text": (RULES.text, {"index": 0}),
    "solve": (solve, {"game": GAME}),
    "strategy_tree": (bullscows.strategy_tree, {"game": GAME, "name": "crush"}),
    "StrategyTree.walk": (TREE.walk, {"answers": ()}),
    "StrategyTree.ask": (TREE.ask, {"answers": ()}),
    "StrategyTree.play": (TREE.play, {"secret": 0}),
    "TreeRecord.of": (
        TreeRecord.of,
        {"tree": TREE, "objective": "mine", "max_turns": None, "proof": "heuristic"},
    ),
    "verify": (bullscows.verify, {"tree": TREE}),
    "write_tree": (bullscows.write_tree, {"path": "mine.json", "record": RECORD}),
}
PLACES = [
    (name, one) for name, call in CALLS.items() for one in inspect.signature(call[0]).parameters
]
FILES = {"checkpoint", "path", "tree"}
"""Parameters that name files, which may be missing."""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_every_exported_function_is_called_here() -> None:
    values = {name: getattr(bullscows, name) for name in bullscows.__all__}
    assert {name for name, one in values.items() if inspect.isfunction(one)} <= set(CALLS)


@pytest.mark.parametrize("name", CALLS)
def test_usual_arguments_are_accepted(name: str) -> None:
    function, usual = CALLS[name]
    expected = [EngineError] if name == "recheck" else []
    with suppress(*expected):
        function(**usual)


@pytest.mark.parametrize(("name", "parameter"), PLACES)
def test_odd_arguments_give_results_or_errors_of_the_library(name: str, parameter: str) -> None:
    function, usual = CALLS[name]
    errors = [EngineError, OSError] if parameter in FILES else [EngineError]
    for value in ODD:
        with suppress(*errors):
            function(**{**usual, parameter: value})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Rules(4, 10, "n"), "repeats must be True or False, not 'n'"),  # type: ignore[arg-type]
        (lambda: Rules(4, 10.5, True), "symbols must be an integer, not 10.5"),  # type: ignore[arg-type]
        (lambda: Rules(True, True, True), "positions must be an integer, not True"),
        (lambda: solve(3), "game must be .*'p4c10n', not 3"),  # type: ignore[arg-type]
        (lambda: solve(GAME, max_turns="5"), "max_turns must be an integer from 1 to 512, not '5'"),  # type: ignore[arg-type]
        (lambda: solve(GAME, time_limit=-1), "time_limit must be seconds from 0 .* not -1"),
        (lambda: solve(GAME, time_limit=float("nan")), "time_limit must be .* not nan"),
        (
            lambda: solve(GAME, threads=100_000),
            "threads must be an integer from 1 to 256, not 1000",
        ),
        (lambda: solve(GAME, None), "objective must be .*'average,last', not None"),  # type: ignore[arg-type]
        (lambda: bullscows.analyse(GAME, seconds=-1), "seconds must be seconds from 0 .* not -1"),
        (
            lambda: TreeRecord.of(TREE, objective="x", max_turns=None, proof="sure"),  # type: ignore[arg-type]
            "proof must be one of 'exact', 'heuristic', not 'sure'",
        ),
        (
            lambda: solve(GAME, history=[(0,)]),  # type: ignore[list-item]
            r"turn 1 of history must be \(guess, answer\) or \(guess, bulls, cows\), .* not \(0,\)",
        ),
    ],
)
def test_errors_name_the_argument_the_value_and_what_is_allowed(
    call: Callable[[], object], message: str
) -> None:
    with pytest.raises(EngineError, match=message) as error:
        call()
    assert isinstance(error.value, ValueError)


def test_a_wrong_type_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        Rules.of(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="threads"):
        solve(GAME, threads=0)
    assert issubclass(ArgumentTypeError, ArgumentError)


def test_histories_are_given_as_tuples_of_several_kinds() -> None:
    turns = ((0, 1),)
    kinds = [("01", "0.1"), ("01", 0, 1), (0, 1), ["01", "0.1"], (0, bullscows.Answer(0, 1))]
    assert {History.of("p2c4n", [kind]).turns for kind in kinds} == {turns}  # type: ignore[list-item]


def test_values_are_shown_whatever_they_are() -> None:
    assert shown(Unprintable()) == "a Unprintable"
    assert len(shown("0" * 1000)) == 60
    assert StrategyTree is type(TREE)
