"""The best guess over the API: claims, refusals and bounded waiting times."""

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from bullscows.analysis.analyst import MEMORY, Analyst
from bullscows.analysis.without_search import by_rule
from bullscows.game.question import Question
from bullscows.game.rules import Rules
from bullscows.library import solve
from bullscows_web.search.searcher import Searcher, Tablebase, on_best_tree, on_tree
from tests.app.search.test_known import body
from tests.engine.cli.test_commands import run_json
from tests.support.known import known_total

pytestmark = pytest.mark.large

GUESS = "/api/v1/guess"
FIRST = {"guess": "0123", "bulls": 0, "cows": 1}


def ask(client: TestClient, rules: str, *turns: str, **more: object) -> Any:
    return client.post(GUESS, json=body(rules, " ".join(turns), **more))


def test_a_value_is_the_total_that_library_and_command_line_have(proving: TestClient):
    """The turns over all candidates, counted from the first turn of the game."""
    found = ask(proving, "p3c6n", "012:0.1", guesses=["134"]).json()
    solution = solve("p3c6n", history="012:0.1")
    command = run_json("solve", "p3c6n", "--history", "012:0.1")
    assert found["value"] == solution.value == solution.total == command["total"] == 140
    assert (
        found["levels"] == found["evaluations"][0]["levels"] == solution.levels == command["levels"]
    )
    assert found["value"] / found["remaining"] == solution.mean
    schemas = proving.get("/openapi.json").json()["components"]["schemas"]
    described = schemas["BestGuess"]["properties"]["value"]["description"]
    assert "a total: the turns at which the candidates are found, summed" in described
    assert "counted from the first turn of the game" in described


@pytest.mark.parametrize(
    ("rules", "turns", "more", "value"),
    [
        ("p4c6r", [], {"objective": "last", "max_turns": 5}, 539),
        ("p4c10n", ["9876:0.4"], {}, 32),
        ("p3c5r", [], {"candidates_only": True}, known_total("p3c5r", "possibles-only")),
    ],
)
def test_published_values_are_found_and_proved(
    proving: TestClient, rules: str, turns: list[str], more: dict[str, object], value: int
):
    found = ask(proving, rules, *turns, **more).json()
    assert (found["status"], found["value"]) == ("optimal", value)
    assert found["lower"] == found["upper"] == value
    assert next(iter(found["levels"].values())) == value
    assert found["note"] is found["rule"] is None


@pytest.mark.parametrize("objective", ["average", "worst,average"])
def test_secrets_can_be_those_of_a_list(proving: TestClient, objective: str):
    """The list has no symmetry of the game, and the best guess of all codes is not its best."""
    listed = ["0123", "0132", "0124", "0142", "0143", "0134", "3012", "5678", "9876", "0213"]
    found = ask(proving, "p4c10n", secrets=listed, objective=objective).json()
    solution = solve("p4c10n", objective, secrets=listed)
    assert (found["status"], found["levels"]) == ("optimal", solution.levels)
    assert sorted(found["candidates"]) == sorted(listed)
    assert len(found["others"]) == 10
    left = ask(proving, "p4c10n", "0123:2.2", secrets=listed).json()
    assert left["candidates"] == ["0132", "0213"]
    assert left["status"] == "optimal"


def test_list_of_secrets_is_checked(client: TestClient):
    no_code = ask(client, "p4c10n", secrets=["0123", "0012"])
    assert no_code.status_code == 422
    (error,) = no_code.json()["errors"]
    assert error["field"] == "body.secrets.1"
    contradiction = ask(client, "p4c10n", "4567:0.4", secrets=["0123", "0132"])
    assert contradiction.status_code == 409
    combined = ask(client, "p4c10n", secrets=["0123", "0132"], guesses=["0123"])
    assert combined.status_code == 422
    assert ask(client, "p4c10n", secrets=[]).status_code == 422
    by_rule = ask(client, "p4c10n", secrets=["0123", "0132", "1023", "4567", "8901"] * 3).json()
    assert by_rule["remaining"] == 5


def test_answers_are_those_that_candidates_give(proving: TestClient):
    found = ask(proving, "p4c10n", "0123:1.1", "0456:1.2").json()
    rules = Rules.parse("p4c10n")
    left = [rules.parse_code(text) for text in found["candidates"]]
    parts = rules.partition(rules.parse_code(found["guess"]), left)
    assert {item["answer"]: item["remaining"] for item in found["answers"]} == {
        str(rules.answers[answer]): len(part) for answer, part in parts.items()
    }
    assert found["remaining"] == len(left) == sum(map(len, parts.values()))
    assert found["parts"] == len(parts)
    assert found["turn"] == 3
    assert found["is_candidate"] == (found["guess"] in found["candidates"])
    assert 1 <= len(found["others"]) <= 10


def test_rules_guess_without_the_search(client: TestClient):
    found = ask(client, "p4c10n", "0123:0.1").json()
    assert (found["status"], found["rule"]) == ("heuristic", "larmouth")
    assert "no search installed" in found["note"]
    assert (found["value"], found["levels"], found["lower"], found["upper"]) == (None,) * 4
    found = ask(client, "p4c10n", "0123:0.1", objective="worst").json()
    assert found["rule"] == "crush"


def test_search_that_cannot_be_loaded_leaves_rules(small_trees: Path):
    class WithoutNumba(Analyst):
        def load(self, *_: Any) -> None:
            raise ImportError("needs numba")

    searcher = Searcher(Tablebase.open(small_trees), 1.0, MEMORY)
    searcher.analyst = WithoutNumba()
    assert not searcher.load()
    assert searcher.analysis(Question.of("p4c10n", "0123:0.1")).reason == "no-search"


@pytest.mark.parametrize(
    ("rules", "turns"),
    [
        ("p5c9r", "00112:1.1 23345:0.2 60618:2.0 78234:0.2"),
        ("p5c10n", "12345:1.1 23456:0.2 60178:1.1"),
    ],
)
def test_position_is_proved_whatever_the_game(proving: TestClient, rules: str, turns: str):
    """The limit is on candidates times codes, not on the game."""
    found = ask(proving, rules, *turns.split()).json()
    assert found["status"] == "optimal"
    assert 2 < found["remaining"] < 400


def test_position_with_too_much_left_gets_the_guess_of_a_rule(proving: TestClient):
    found = ask(proving, "p5c8r", "00000:0.0").json()
    assert found["status"] == "heuristic"
    assert "Add turns" in found["note"]


def test_tree_that_is_proved_answers_at_once(shipped_library):
    def asked(rules: str, objective: str, max_turns: int | None) -> Question:
        return Question.of(rules, (), objective, max_turns)

    sourced = on_tree(shipped_library, asked("p4c10n", "average", 7))
    assert sourced is not None
    assert (sourced.source, sourced.levels) == (
        "avg-bulls-cows",
        {"total": known_total("p4c10n")},
    )
    for rules, turns in (("p4c10n", None), ("p4c10n", 8), ("p4c6r", None), ("p4c6r", 7)):
        sourced = on_tree(shipped_library, asked(rules, "average", turns))  # no tree takes fewer
        assert sourced is not None
        assert sourced.levels == {"total": known_total(rules)}
    sourced = on_tree(shipped_library, asked("p5c6r", "average", None))
    assert sourced is not None
    assert sourced.levels == {"total": 36721}
    for question in (
        asked("p4c10n", "average", 6),  # no strategy keeps within six turns
        asked("p4c10n", "average,last", 8),
        asked("p4c10n", "worst", 7),
        asked("p5c10n", "average", None),  # best known
        asked("p4c6r", "average,movers", 6),
    ):
        assert on_tree(shipped_library, question) is None


def test_tree_answers_if_its_own_guess_excluded_nothing(shipped_library):
    """After 1424 and 4521 all codes that are left give 0233 the answer 0.1 anyway."""
    sourced = on_tree(shipped_library, Question.of("p4c6r", "0233:0.1 1424:1.2 4521:1.3"))
    assert sourced is not None
    assert sourced.source == "avg-mastermind"


@pytest.mark.parametrize(
    ("rules", "once", "twice", "objective", "max_turns"),
    [
        ("p5c8n", "12345:1.1", "12345:1.1 12345:1.1", "average", None),
        ("p4c10n", "0123:0.1", "3210:0.1 3210:0.1", "average", 7),
        ("p4c9r", "0000:1.0", "5555:1.0 5555:1.0", "average", None),
        ("p4c10n", "0123:0.1", "3210:0.1 3210:0.1", "worst,average", None),
    ],
)
def test_repeated_guess_is_answered_from_what_is_known_without_it(
    shipped_tablebase, rules, once, twice, objective, max_turns
):
    """From trees, with a last turn and without, and from positions proved after one guess."""
    searcher = Searcher(shipped_tablebase, 0.0, MEMORY)
    early = Question.of(rules, once, objective, max_turns)
    known = searcher.analysis(early, 0.0)
    late = Question.of(rules, twice, objective, None if max_turns is None else max_turns + 1)
    found = searcher.analysis(late, 0.0)
    count = len(late.candidates)
    assert count == len(early.candidates)
    more = {"total": count, "worst": 1}
    assert found.levels == {name: cost + more[name] for name, cost in known.levels.items()} != {}
    assert found.question == late


def test_best_tree_known_bounds_what_no_search_proves(shipped_library):
    question = Question.of("p5c10n")
    sourced = on_best_tree(shipped_library, question, by_rule(question))
    assert sourced is not None
    assert (sourced.source, sourced.status) == ("best-bulls-cows-5-of-10", "bounded")
    bounds = (shipped_library.tree(sourced.source).record.lower, 171638)
    assert sourced.bounds == bounds
    for turns, is_within in ((8, True), (7, False)):
        capped = Question.of("p5c10n", max_turns=turns)
        sourced = on_best_tree(shipped_library, capped, by_rule(capped))
        assert (sourced is not None) == is_within
        assert sourced is None or sourced.bounds == bounds
    after = Question.of("p5c10n", "56789:0.1")
    sourced = on_best_tree(shipped_library, after, by_rule(after))
    assert sourced is not None
    assert sourced.bounds is not None
    lower, upper = sourced.bounds
    assert upper is not None
    assert 0 < lower < upper
    assert on_best_tree(shipped_library, after, sourced) is None, "it says no more"


def test_trees_answer_what_was_asked_of_their_guesses(shipped_library):
    """A tree of candidates only is the best of these, and says nothing of all others."""
    for only, name in ((False, "avg-mastermind"), (True, "possibles-mastermind")):
        sourced = on_tree(shipped_library, Question.of("p4c6r", candidates_only=only))
        assert sourced is not None
        assert sourced.source == name
    for question in (
        Question.of("p4c6r", (), "average", 5, candidates_only=True),
        Question.of("p4c6r", (), "average,last", 6, candidates_only=True),
        Question.of("p3c5r", candidates_only=True),
    ):
        assert on_tree(shipped_library, question) is None
    best = Question.of("p5c10n", candidates_only=True)
    assert on_best_tree(shipped_library, best, by_rule(best)) is None


def test_contradiction_names_the_answers_that_could_be_wrong(client: TestClient):
    response = ask(client, "p4c10n", "0123:0.4", "0123:0.3")
    assert response.status_code == 409
    problem = response.json()
    assert problem["type"].endswith("inconsistent-turns")
    assert [item["turn"] for item in problem["corrections"]] == [1, 2]
    for correction in problem["corrections"]:
        turns = ["0123:0.4", "0123:0.3"]
        turns[correction["turn"] - 1] = f"0123:{correction['instead']['answer']}"
        corrected = ask(client, "p4c10n", *turns)
        assert corrected.status_code == 200
        assert corrected.json()["remaining"] == correction["remaining"]


def test_too_few_turns_are_a_conflict(proving: TestClient):
    response = ask(proving, "p4c6r", max_turns=4)
    assert response.status_code == 409
    assert response.json()["type"].endswith("too-few-turns")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"rules": "p4c10"}, "not a game"),
        ({"rules": "p4c10n", "turns": [FIRST] * 21}, "at most 20 items"),
        ({"rules": "p4c10n", "turns": [{**FIRST, "bulls": "0"}]}, "bulls"),
        ({"rules": "p4c10n", "turns": [{**FIRST, "more": 1}]}, "more"),
        ({"rules": "p4c10n", "max_turns": 0}, "max_turns"),
        ({"turns": []}, "rules"),
        ([], "body"),
    ],
)
def test_malformed_question_is_refused(client: TestClient, body: object, words: str):
    response = client.post(GUESS, json=body)
    assert response.status_code == 422
    assert words in response.json()["detail"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"rules": "p5c4n"}, "body.rules"),
        ({"rules": "p7c8r", "turns": [{**FIRST, "guess": "0123456"}]}, "body.rules"),
        ({"rules": "p4c10n", "turns": [FIRST, {**FIRST, "guess": "0012"}]}, "body.turns.1.guess"),
        ({"rules": "p4c10n", "turns": [FIRST, {**FIRST, "bulls": 3}]}, "body.turns.1"),
        ({"rules": "p4c10n", "turns": [FIRST], "guesses": ["4567", "45"]}, "body.guesses.1"),
        ({"rules": "p4c10n", "objective": "best"}, "body.objective"),
        ({"rules": "p4c10n", "objective": "movers", "max_turns": 9}, "body.objective"),
        ({"rules": "p4c10n", "objective": "last"}, "body.max_turns"),
        ({"rules": "p4c10n", "max_turns": 49}, "body.max_turns"),
    ],
)
def test_what_is_wrong_is_named_by_its_field(client: TestClient, body: object, field: str):
    problem = client.post(GUESS, json=body).json()
    (error,) = problem["errors"]
    assert error["field"] == field
    assert problem["detail"].startswith(f"{field}: {error['message']}")


def test_no_guess_is_given_after_the_code_was_found(client: TestClient):
    refused = ask(client, "p4c10n", "0123:0.1", "4567:4.0")
    assert refused.status_code == 422
    assert "the game is over: 4567 was found" in refused.json()["detail"]


def test_evaluations_are_not_those_of_candidates_only(client: TestClient):
    """Of many positions only this one is refused."""
    combined = {"rules": "p4c10n", "turns": [FIRST], "candidates_only": True, "guesses": ["4567"]}
    refused = client.post(GUESS, json=combined)
    assert refused.status_code == 422
    assert refused.json()["type"].endswith("/conflicting-fields")
    assert "candidates_only" in refused.json()["detail"]
    one, other = client.post(
        "/api/v1/guesses", json={"positions": [combined, {**combined, "guesses": None}]}
    ).json()["results"]
    assert one["problem"]["status"] == 422
    assert other["best_guess"]["candidates_only"]
