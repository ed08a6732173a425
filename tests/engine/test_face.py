"""The public interface of the engine: names loaded when used, texts, trees and tables."""

import ast
import doctest
import inspect
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import bullscows
from bullscows.game.number_game import NumberGame
from bullscows.game.objective import html_table
from bullscows.game.rules import Rules

PLACE = Path(bullscows.__file__).parent
ROOMS = [
    "bullscows",
    *sorted(f"bullscows.{path.parent.name}" for path in PLACE.glob("*/__init__.py")),
]

_LIGHT = """
import importlib, sys
for room in sys.argv[1:]:
    importlib.import_module(room)
print(*{"numba", "numpy", "fastapi", "typer", "bullscows_web"} & set(sys.modules))
"""


def _python(code: str, *words: str) -> str:
    command = [sys.executable, "-c", code, *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.process
def test_importing_loads_neither_numbers_nor_the_server():
    assert _python(_LIGHT, *ROOMS) == ""


@pytest.mark.process
def test_rules_and_trees_need_no_numba_and_an_analysis_without_it_is_the_guess_of_a_rule():
    code = """
import bullscows, sys
sys.modules["numba"] = None
bullscows.read_tree("avg-mastermind-3x6")
print(bullscows.analyse("p3c6n", "012:0.1").status, bullscows.candidates("p3c6n", "012:0.1").size)
"""
    assert _python(code) == "heuristic 36"


def test_the_list_of_names_is_sorted_and_complete():
    (stated,) = [
        ast.literal_eval(node.value)
        for node in ast.parse((PLACE / "__init__.pyi").read_text()).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    ]
    assert bullscows.__all__ == sorted(stated) == dir(bullscows)
    assert len(set(stated)) == len(stated)


def test_every_name_is_there_and_no_module():
    for name in bullscows.__all__:
        assert not isinstance(getattr(bullscows, name), ModuleType), name
        assert not (PLACE / f"{name}.py").exists(), name


def _documented() -> list[str]:
    return [name for name in bullscows.__all__ if not name.endswith("Error")]


@pytest.mark.parametrize("name", ["__doc__", *_documented()])
def test_examples_run(name):
    value = bullscows if name == "__doc__" else getattr(bullscows, name)
    tests = doctest.DocTestFinder().find(value, name, module=inspect.getmodule(value))
    runner = doctest.DocTestRunner(verbose=False)
    for test in tests:
        runner.run(test)
    assert value.__doc__
    assert runner.failures == 0
    assert runner.tries > 0 or not inspect.isfunction(value), "a function shows an example"


def test_texts_and_objects_ask_the_same():
    rules = bullscows.Rules.parse("p3c6n")
    table = bullscows.ResponseTable.of(rules)
    history = bullscows.History.parse(rules, "012:0.1")
    asked = [
        bullscows.solve("p3c6n", history="012:0.1"),
        bullscows.solve(rules, "average", history=[("012", "0.1")]),
        bullscows.solve(table, bullscows.Objective.parse("average"), history=history),
    ]
    assert {(solution.value, solution.guess) for solution in asked} == {(140, asked[0].guess)}
    assert bullscows.solve("p3c6n", first="345").guess_text == "345"


@pytest.mark.parametrize("max_turns", [1, 2, 7])
@pytest.mark.parametrize("objective", ["average", "worst", "last"])
def test_a_game_that_is_won_has_no_guess(objective, max_turns):
    """It is over whatever the last turn was."""
    won = "012:0.0 345:3.0"
    solution = bullscows.solve("p3c6n", objective, history=won, max_turns=max_turns)
    assert (solution.guess, solution.total, solution.bounds) == (None, 2, (2, 2))
    assert solution.question.found == (2, Rules.parse("p3c6n").parse_code("345"))
    assert solution.distribution == (0, 1)
    assert str(solution).endswith("the game is over: 345 was found at turn 2")
    analysis = bullscows.analyse("p3c6n", won, objective, max_turns=max_turns, seconds=0)
    assert analysis.question.found == (2, analysis.guess)
    assert (analysis.total, analysis.bounds, analysis.last_turn) == (2, (2, 2), 2)
    assert "the game is over: 345 was found at turn 2" in str(analysis)
    assert "<td>345</td>" not in analysis._repr_html_()
    assert bullscows.solve("p3c6n", objective, history="012:0.1", max_turns=7).guess is not None


def test_a_game_without_rules_has_no_texts():
    table = NumberGame(3).table()
    with pytest.raises(bullscows.HistoryError, match="by number"):
        bullscows.solve(table, history="012:0.1")
    with pytest.raises(bullscows.HistoryError, match="by number"):
        bullscows.solve(table, history=[("0", 1)])
    with pytest.raises(bullscows.HistoryError, match="by number"):
        bullscows.solve(table, first="1")
    assert bullscows.solve(table, history=[(0, 1)], first=1).guess_text == "1"


@pytest.mark.parametrize("turn", [(-1, 0), (24, 0), (0, -1), (0, 9)])
def test_numbers_that_do_not_exist_are_refused(turn):
    with pytest.raises((bullscows.CodeError, bullscows.AnswerError)):
        bullscows.candidates("p3c4n", [turn])
    with pytest.raises((bullscows.CodeError, bullscows.AnswerError)):
        bullscows.analyse("p3c4n", [turn])
    with pytest.raises((bullscows.CodeError, bullscows.AnswerError)):
        bullscows.solve("p3c4n", history=[turn])


@pytest.fixture(scope="module")
def tree() -> bullscows.StrategyTree:
    return bullscows.strategy_tree("p3c6n", "crush")


def test_a_tree_is_asked_by_text_and_by_number(tree):
    answer = tree.rules.parse_answer("0.1")
    assert tree.ask() == tree.rules.text(tree.root.guess)
    assert tree.ask("0.1") == tree.ask([answer]) == tree.ask(["0.1"])
    assert tree.walk("0.1 1.0") == tree.walk([answer, "1.0"])
    for answers in ("0.1 2.1", "3.0", "x"):
        with pytest.raises((bullscows.AnswerError, bullscows.TreeError)):
            tree.ask(answers)


def test_values_are_short_in_print_and_tables_in_notebooks(tree):
    solution = bullscows.solve("p3c6n")
    analysis = bullscows.analyse("p3c6n", "012:0.1")
    for value in (tree, solution, analysis):
        assert len(repr(value)) < 160
        assert str(value) in repr(value)
        assert value._repr_html_().startswith("<table><caption>")
    assert f"<td>{tree.total}</td>" in tree._repr_html_()
    assert f"<td>{solution.guess_text}</td>" in solution._repr_html_()
    assert "proven optimal" in analysis._repr_html_()
    assert "<td>&lt;i&gt;</td>" in html_table("<b>", [("&", "<i>")])
