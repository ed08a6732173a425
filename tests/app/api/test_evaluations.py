"""Evaluations of guesses over the API, and batches of positions."""

import time
from typing import Any

import pytest
from starlette.testclient import TestClient

from bullscows.game.history import InconsistentError
from bullscows.game.question import Question
from bullscows.game.result import Finding
from bullscows_web.api import guesses
from bullscows_web.api.guess_schemas import GuessRequest
from tests.support.searching import StandIn, asking

GUESS, GUESSES = "/api/v1/guess", "/api/v1/guesses"
FIRST = {"guess": "0123", "bulls": 0, "cows": 1}
SECOND = {"guess": "1456", "bulls": 1, "cows": 1}
POSITION: dict[str, object] = {"rules": "p4c10n", "turns": [FIRST, SECOND]}
CONTRADICTION: dict[str, object] = {"rules": "p4c10n", "turns": [FIRST, {**FIRST, "cows": 2}]}


def prices(client: TestClient, guesses: list[str], **more: object) -> Any:
    response = client.post(GUESS, json={**POSITION, **more, "guesses": guesses})
    assert response.status_code == 200
    return response.json()


def without_nulls(document: Any) -> Any:
    """Return a document without its null values, which problem documents omit."""
    if isinstance(document, list):
        return [without_nulls(part) for part in document]
    if not isinstance(document, dict):
        return document
    return {name: without_nulls(value) for name, value in document.items() if value is not None}


def test_evaluations_are_exact_and_compared_with_the_best(proving: TestClient):
    found = prices(proving, ["7418", "5276", "0123", "7418"])
    best, other, useless, again = found["evaluations"]
    assert best == again
    assert (best["guess"], best["value"], best["loss"]) == ("7418", found["value"], 0)
    assert best["levels"] == found["levels"]
    assert best["worst"] == 7
    assert (other["status"], other["feasible"]) == ("optimal", True)
    assert other["loss"] == (other["value"] - found["value"]) / found["remaining"] > 0
    assert other["loss"] == other["loss_lower"] == other["loss_upper"]
    assert other["lower"] == other["upper"] == other["value"]
    assert (useless["parts"], useless["is_candidate"], useless["loss"]) == (1, False, 1)


def test_every_criterion_has_its_cost_and_differences_are_of_the_first(proving: TestClient):
    found = prices(proving, ["0123"], objective="worst,average")
    (price,) = found["evaluations"]
    assert price["levels"]["worst"] == price["worst"] == price["value"]
    assert price["loss"] == price["value"] - found["value"] == 1


def test_guess_that_comes_too_late_is_not_feasible(proving: TestClient):
    (price,) = prices(proving, ["0123"], max_turns=6)["evaluations"]
    assert (price["status"], price["feasible"]) == ("optimal", False)
    assert all(price[name] is None for name in ("value", "levels", "lower", "upper", "loss"))


def test_without_a_search_prices_claim_nothing(client: TestClient):
    found = prices(client, ["7418", "5276"])
    for price in found["evaluations"]:
        assert (price["status"], price["feasible"]) == ("heuristic", None)
        assert price["value"] is price["loss"] is price["worst"] is None
        assert price["parts"] > 10


def test_short_time_leaves_bounds(proving: TestClient):
    """With nine colours no search gets to its end so soon."""
    searcher = StandIn(proving, 0.05)
    searcher.analyst.load(())
    body = {"rules": "p4c9r", "turns": [], "guesses": ["0123", "0112"]}
    with asking(proving, searcher):
        found = proving.post(GUESS, json=body).json()
    for price in found["evaluations"]:
        assert price["status"] in ("bounded", "heuristic")
        assert price["value"] is price["loss"] is None
        if price["upper"] is not None:
            assert price["lower"] < price["upper"]
            assert price["loss_lower"] < price["loss_upper"]


def test_many_positions_are_answered_in_order(proving: TestClient):
    positions: list[dict[str, object]] = [
        {**POSITION, "guesses": ["5276"]},
        CONTRADICTION,
        {"rules": "p4c10n", "turns": [{**FIRST, "guess": "0012"}]},
        {"rules": "p4c6r", "max_turns": 4},
        {"rules": "p8c16r"},
        {"rules": "p4c6r"},
    ]
    response = proving.post(GUESSES, json={"positions": positions})
    assert response.status_code == 200
    results = response.json()["results"]
    alone = [proving.post(GUESS, json=position) for position in positions]
    assert [one.status_code for one in alone] == [200, 409, 422, 409, 422, 200]
    for result, single in zip(results, alone, strict=True):
        filled = "best_guess" if single.is_success else "problem"
        assert without_nulls(result) == {filled: without_nulls(single.json())}


def test_corrections_of_many_positions_are_counted_by_the_search(client: TestClient):
    """The web process would serve nobody else meanwhile."""
    asked = [GuessRequest.model_validate(CONTRADICTION).parsed()]
    (error,) = guesses.find_all(StandIn(client), asked)
    assert isinstance(error, InconsistentError)
    assert "corrections" in vars(error)


def test_many_positions_have_the_time_of_one(client: TestClient):
    shares = []

    class Slow(StandIn):
        def analysis(self, question: Question, seconds: float | None = None) -> Finding:
            assert seconds is not None
            shares.append(seconds)
            time.sleep(min(seconds, 0.2))
            return super().analysis(question, 0.0)

    many = {"positions": [{"rules": "p3c6n"}] * 5}
    with asking(client, Slow(client, 0.5)):
        assert len(client.post(GUESSES, json=many).json()["results"]) == 5
    assert len(shares) == 5
    assert sum(shares) <= 0.5 + 1e-9


def test_position_whose_turn_does_not_come_has_a_problem(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(guesses, "START_SECONDS", -1.0)
    (result,) = client.post(GUESSES, json={"positions": [POSITION]}).json()["results"]
    problem = result["problem"]
    assert (problem["status"], problem["type"].split("/")[-1]) == (503, "time-over")


def test_largest_batch_fits(client: TestClient):
    turns = [FIRST] * 20
    position = {"rules": "p4c10n", "turns": turns, "guesses": ["4567"] * 20}
    for count, status in ((100, 200), (101, 422)):
        response = client.post(GUESSES, json={"positions": [position] * count})
        assert response.status_code == status
    assert "body.positions" in response.json()["detail"]
    assert "at most 100 items" in response.json()["detail"]
