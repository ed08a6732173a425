"""Costs of the guesses of a game as its page shows them, against an unpruned search."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import pytest
from starlette.testclient import TestClient

from bullscows.analysis.analyst import Analyst
from bullscows.analysis.findings import Analysis
from bullscows.game.question import Question
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import CodeIndex, Rules
from bullscows_web.analyse.search.service import AnalysisService
from bullscows_web.analyse.search.shipped import SourcedAnalysis
from bullscows_web.guess.evaluations import EvaluationsPage
from bullscows_web.guess.game import Guessing
from bullscows_web.trees.library import Library
from tests.support.naive import naive_value
from tests.support.pages import get, one, text

RULES = Rules.parse("p2c4r")
TURNS = range(1, 8)
GAMES = ["00-12-33", "01-02-03", "00-11-22", "33-32-31-30", "12"]


def value(candidates: Iterable[CodeIndex], turn: int) -> int:
    """The fewest turns in all in which the candidates are found, from a turn on."""
    responses = ResponseTable.of(RULES).responses.tolist()
    found = naive_value(responses, RULES.win, TURNS, tuple(candidates), turn)
    assert found is not None
    return found


def evaluation(candidates: Iterable[CodeIndex], guess: CodeIndex, turn: int) -> int:
    """The same, beginning with a guess."""
    parts = RULES.partition(guess, candidates)
    won = turn * len(parts.pop(RULES.win, ()))
    return won + sum(value(part, turn + 1) for part in parts.values())


def expected_grade(above: float) -> str:
    """Return the grade of a guess by the thresholds stated on the page."""
    limits = {"best": 0.0, "good": 0.1, "doubtful": 0.4}
    return next((name for name, most in limits.items() if above <= most), "blunder")


@pytest.mark.parametrize("seed", ["a", "b", "c"])
@pytest.mark.parametrize("guesses", GAMES)
def test_each_guess_costs_what_an_unpruned_search_says(
    proving: TestClient, library: Library, seed: str, guesses: str
):
    game = Guessing.parse(library, str(RULES), seed, guesses)
    page = get(proving, f"/guess/{RULES}/{seed}/{guesses}/prices")
    rows = page.select("[data-price]")
    asked = [turn for turn in game.turns if len(turn.before) > 1]
    assert [row["data-price"] for row in rows] == [RULES.text(turn.guess) for turn in asked]
    for row, turn in zip(rows, asked, strict=True):
        left = turn.before.tolist()
        above = evaluation(left, turn.guess, turn.number) - value(left, turn.number)
        assert float(str(row["data-above"])) == round(float(Fraction(above, len(turn.before))), 4)
        apiece = float(Fraction(above, len(turn.before)))
        assert row["data-grade"] == expected_grade(apiece)
        better = row.select_one(".better a")
        assert (better is None) == (above == 0)
        if better is not None:
            best = RULES.parse_code(str(better["data-better"]))
            assert evaluation(left, best, turn.number) == value(left, turn.number)
    assert not page.select("#prices[hx-get]"), "all is proved"


@pytest.mark.parametrize("guesses", GAMES)
def test_end_of_a_game_has_one_list_of_turns_that_names_one_better_guess_at_most(
    proving: TestClient, library: Library, guesses: str
):
    """The cheapest one: what the measure of one turn prefers is another guess at times."""
    game = Guessing.parse(library, str(RULES), "a", guesses, gave_up=True)
    turns, end = game.turns, get(proving, f"/guess/{game.path}")
    evaluated = get(proving, str(one(end, "#prices[hx-get]")["hx-get"]))
    for page in (end, evaluated):
        rows = page.select("#prices [data-guess][data-answer]")
        assert [row["data-guess"] for row in rows] == [RULES.text(turn.guess) for turn in turns]
        for row, turn in zip(rows, turns, strict=True):
            assert f"{len(turn.before)} → {len(turn.after)}" in text(row)
            named = {text(code).replace(" ", "") for code in row.select(".code .unseen")}
            better = {str(link["data-better"]) for link in row.select("[data-better]")}
            made = {RULES.text(each.guess) for each in turns[: turn.number]}
            assert len(turn.before) == 1 or named - made == better
    assert not end.select("[data-better]"), "the costs are not known yet"


def test_turns_with_their_prices_keep_what_aided_the_game(proving: TestClient):
    """No skill is shown after guesses were taken back, with the evaluations as without."""
    end = get(proving, f"/guess/{RULES}/a/00-12/reveal?help=u33")
    address = str(one(end, "#prices")["hx-get"])
    for page in (end, get(proving, address)):
        assert not page.select("#prices .meter.skill-bar")
    assert get(proving, address.split("?")[0]).select("#prices .meter.skill-bar")


def test_end_of_a_game_fetches_them_and_links_to_them(proving: TestClient):
    end = get(proving, f"/guess/{RULES}/a/00-12/reveal")
    evaluations = one(end, "#prices")
    address = f"/guess/{RULES}/a/00-12/prices"
    assert (evaluations["hx-get"], one(end, "#prices > p a")["href"]) == (address, address)
    assert one(get(proving, address), str(evaluations["hx-select"]))
    assert not get(proving, f"/guess/{RULES}/a/reveal").select("#prices"), "nothing was guessed"


def test_without_a_search_they_are_asked_for_again_some_times(guessing: TestClient):
    address = "/guess/p3c5n/a/012-034/prices"
    for polls in range(EvaluationsPage.MOST):
        evaluations = one(get(guessing, f"{address}?polls={polls}"), "#prices")
        assert evaluations["hx-get"] == f"{address}?polls={polls + 1}"
        assert "The cost of this guess is not known." in text(evaluations)
    assert not get(guessing, f"{address}?polls={EvaluationsPage.MOST}").select("#prices[hx-get]")
    get(guessing, f"{address}?polls={EvaluationsPage.MOST + 1}", 422)


def test_where_the_memory_is_too_small_they_say_so_and_are_final(
    proving: TestClient, monkeypatch: pytest.MonkeyPatch
):
    def known(_: object, __: Library, question: Question, *___: float) -> SourcedAnalysis:
        first = int(question.candidates[0])
        return SourcedAnalysis(Analysis.proved(question, first, {"total": 100}))

    monkeypatch.setattr(AnalysisService, "analysis", known)
    small = Analyst(1)
    small.load(())
    service: Any = proving.app.state.analysis  # type: ignore[attr-defined]
    monkeypatch.setattr(service, "_analyst", small)
    evaluations = one(get(proving, "/guess/p3c5n/a/012-034/prices"), "#prices")
    assert "too large for the memory of this server" in text(evaluations)
    assert "hx-get" not in evaluations.attrs


@pytest.mark.parametrize(
    ("address", "status"),
    [("p3c5n/a/01x/prices", 422), ("p3c5n/a/0123/prices", 422), ("p9c9n/a/0/prices", 404)],
)
def test_evaluations_of_no_game_are_refused(guessing: TestClient, address: str, status: int):
    get(guessing, f"/guess/{address}", status)
