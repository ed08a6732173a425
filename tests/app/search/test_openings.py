"""Positions after one guess, answered by the server from its files, under any names."""

import json
import logging
import shutil
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from bullscows.game.question import Question
from bullscows.library import solve
from bullscows_web.main import create_app
from bullscows_web.search.searcher import Searcher, Tablebase
from bullscows_web.server.settings import Settings
from tests.support.openings import RULES, make_file
from tests.support.searching import ThreadExecutor

pytestmark = pytest.mark.large


@pytest.fixture(scope="module")
def folder(small_trees: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small trees, and the positions of a tiny game."""
    trees = tmp_path_factory.mktemp("shelf") / "trees"
    shutil.copytree(small_trees, trees)
    make_file(trees)
    return trees


@pytest.mark.parametrize("name", [f"{RULES}.json", "p2c4r.json", "nonsense.json"])
def test_damaged_file_is_refused_and_the_server_works(
    folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str
):
    trees = tmp_path / "trees"
    shutil.copytree(folder, trees)
    good = trees / "openings" / f"{RULES}.json"
    text = good.read_text()
    damaged = good.with_name(name)
    damaged.write_text(text.replace('": "', '":  "', 1).replace(" 3", " 4", 1))
    assert json.loads(damaged.read_text()) != json.loads(text)
    app = create_app(Settings(trees_dir=trees), ThreadExecutor(trees))
    with caplog.at_level(logging.ERROR), TestClient(app) as client:
        assert f"refused file of positions {damaged}" in caplog.text
        assert client.get("/readyz").status_code == 200
        asked = {"rules": str(RULES), "turns": [{"guess": "43", "bulls": 0, "cows": 0}]}
        found = client.post("/api/v1/guess", json=asked).json()
        assert found["status"] == ("heuristic" if damaged == good else "optimal")


@pytest.mark.parametrize(
    ("text", "guesses", "worst"),
    [("p4c6r", "0012 5432 3355", [6, 6, 5]), ("p4c10n", "9876 0123", [7, 7])],
)
def test_first_guess_of_the_classic_games_has_a_worst_case_without_a_search(
    shipped_tablebase: Tablebase, text: str, guesses: str, worst: list[int]
):
    """It is the least last turn that the fewest turns allow."""
    searcher = Searcher(shipped_tablebase, 0.0, 1)
    question = Question.of(text)
    codes = [question.rules.parse_code(guess) for guess in guesses.split()]
    evaluations = searcher.evaluations(searcher.analysis(question).required(), codes, 0.0)
    assert [evaluation.last_turn for evaluation in evaluations] == worst
    assert all(evaluation.is_whole for evaluation in evaluations)
    for evaluation in evaluations if text == "p4c6r" else []:
        solution = solve(text, "average,worst", first=evaluation.guess)
        assert solution.levels == {**evaluation.levels, "worst": evaluation.last_turn}
