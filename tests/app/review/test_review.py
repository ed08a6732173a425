"""Reviews of finished games as their page shows them, against an unpruned search."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import pytest
from starlette.testclient import TestClient

from bullscows.analysis.evaluation import Evaluation
from bullscows.game.history import History, candidates, splits
from bullscows.game.question import Question
from bullscows.game.response_table import ResponseTable
from bullscows.game.result import Analysis
from bullscows.game.rules import CodeIndex, Rules
from bullscows_web.review.reasons import impossible
from bullscows_web.review.reviewed import Game, Judgement, review
from bullscows_web.web.frame import MOST_POLLS
from tests.support.naive import naive_value
from tests.support.pages import get, one, text
from tests.support.searching import StandIn, asking, searcher_of

RULES = Rules.parse("p2c4r")
TURNS = range(1, 8)
GAMES = ["00 12 33", "01 02 03", "00 11 22", "33 32 31 30 23", "12"]
HTMX = {"hx-request": "true"}


def played(rules: Rules, secret: str, guesses: str) -> History:
    code = rules.parse_code(secret)
    turns = [rules.parse_code(guess) for guess in guesses.split()]
    return History(rules, tuple((guess, rules.respond(guess, code)) for guess in turns))


def address(history: History, **query: object) -> str:
    others = "".join(f"&{name}={value}" for name, value in query.items())
    return f"/review/{history.rules}?h={'-'.join(history.texts)}{others}"


def value(left: Iterable[CodeIndex], turn: int) -> int:
    """Return the fewest turns in all in which the candidates are found, from a turn on."""
    responses = ResponseTable.of(RULES).responses.tolist()
    found = naive_value(responses, RULES.win, TURNS, tuple(left), turn)
    assert found is not None
    return found


def evaluation(left: Iterable[CodeIndex], guess: CodeIndex, turn: int) -> int:
    """Return the same for games that begin with a guess."""
    parts = RULES.partition(guess, left)
    won = turn * len(parts.pop(RULES.win, ()))
    return won + sum(value(part, turn + 1) for part in parts.values())


def losses(history: History) -> list[Fraction]:
    """Return what each guess costs above the best one, in mean turns."""
    found = []
    for number, guess in enumerate(history.guesses, start=1):
        left = candidates(history.rules, history[: number - 1]).tolist()
        above = evaluation(left, guess, number) - value(left, number)
        found.append(Fraction(above, len(left)))
    return found


def grade(loss: Fraction) -> str:
    """Return the grade of a guess by the thresholds that the page states."""
    limits = {"best": 0.0, "good": 0.1, "doubtful": 0.4}
    return next((name for name, most in limits.items() if loss <= most), "blunder")


@pytest.mark.parametrize("secret", ["23", "30"])
@pytest.mark.parametrize("guesses", GAMES)
def test_each_guess_costs_what_an_unpruned_search_says(
    proving: TestClient, secret: str, guesses: str
):
    history = played(RULES, secret, guesses)
    page = get(proving, address(history))
    rows = page.select(".review > li")
    assert [row["data-guess"] for row in rows] == guesses.split()
    for number, (row, loss) in enumerate(zip(rows, losses(history), strict=True), start=1):
        assert float(str(row["data-above"])) == round(float(loss), 4)
        assert row["data-grade"] == grade(loss)
        better = row.select("[data-better]")
        assert bool(better) == (loss > 0)
        if better:
            left = candidates(RULES, history[: number - 1]).tolist()
            best = RULES.parse_code(str(better[0]["data-better"]))
            assert evaluation(left, best, number) == value(left, number)
            guess = RULES.parse_code(str(row["data-guess"]))
            parts = RULES.partition(guess, left)
            means = {
                str(RULES.answers[answer]): value(part, number + 1) / len(part)
                for answer, part in parts.items()
                if answer != RULES.win
            }
            hardest = one(row, "[data-hardest]")
            assert means[str(hardest["data-hardest"])] == max(means.values())
            assert f"a game of {max(means.values()):.2f} turns on average" in text(hardest)
        asks = loss > Fraction(1, 10)
        assert bool(row.select(".asks, .retry[open]")) == asks
        assert bool(row.select(".shown-best:not([open]) [data-better]")) == asks
    assert not page.select("#review[hx-get]"), "all is proved"


@pytest.mark.parametrize("secret", ["23", "30", "11"])
def test_losses_and_luck_add_up_to_the_turns_of_the_game(proving: TestClient, secret: str):
    history = played(RULES, secret, f"00 12 {secret}")
    page = get(proving, address(history))
    lost = float(str(one(page, "[data-lost]")["data-lost"]))
    luck = float(str(one(page, "[data-luck]")["data-luck"]))
    costs = losses(history)
    assert lost == pytest.approx(float(sum(costs)), abs=1e-4)
    worst = f"The worst was guess {costs.index(max(costs)) + 1}: "
    assert (worst in text(one(page, ".review-story"))) == (lost > 0)
    start = value(range(RULES.size), 1) / RULES.size
    assert start + lost - luck == pytest.approx(3, abs=2e-4)
    figures = get(proving, address(history).replace("?", "/figures?"), headers=HTMX)
    assert one(figures, "[data-luck]")["data-luck"] == one(page, "[data-luck]")["data-luck"]


@pytest.mark.parametrize("guess", ["00", "01"])
def test_luck_is_0_on_average_over_all_codes(proving: TestClient, guess: str):
    codes = [RULES.text(code) for code in range(RULES.size)]
    games = [Game(played(RULES, code, guess if code == guess else f"{guess} 12")) for code in codes]
    found = review(searcher_of(proving), games, 60)
    lucks = [game.turns[0].luck for game in found]
    assert sum(luck for luck in lucks if luck is not None) == pytest.approx(0, abs=1e-9)
    assert None not in lucks
    assert max(luck or 0 for luck in lucks) == lucks[codes.index(guess)], "a hit is luckiest"


@pytest.mark.parametrize(
    ("secret", "guesses", "said"),
    [
        ("230", "041", "36 codes left where 23 were expected."),
        ("513", "245 351", "1 code left where 6.8 were expected."),
        ("015", "015", "It was one of 120 codes. Luck: +2.63 turns."),
        ("052", "520 503 451", "Yours could not be the code: 4 is excluded."),
        ("132", "042 534 201", "Yours could not be the code: 2 cannot be in place 1."),
        ("405", "013 530 230", "Yours could not be the code: it lacks 5, which is certain."),
        ("340", "103 512", "Yours could not be the code: guess 1 would have got 0 bulls, 1 cow"),
        ("031", "045 305", "It splits 18 codes into 7 parts, yours into 6."),
    ],
)
def test_last_turn_has_one_sentence(proving: TestClient, secret: str, guesses: str, said: str):
    page = get(proving, address(played(Rules.parse("p3c6n"), secret, guesses)))
    assert said in text(page.select(".turn-why")[-1])


def test_another_guess_is_judged_at_its_turn(proving: TestClient):
    history = played(RULES, "23", "00 12 33")
    left = candidates(RULES, history[:1]).tolist()
    for tried in range(RULES.size):
        where = address(history, turn=2, guess=RULES.text(tried))
        item = one(get(proving, where, headers=HTMX), "li")
        assert item["id"] == "turn-2"
        shown = one(item, "[data-tried]")
        loss = (evaluation(left, tried, 2) - value(left, 2)) / len(left)
        assert ("best" in text(shown)) == (loss == 0)
        assert loss == 0 or f"+{loss:.2f}" in text(shown)
    page = get(proving, where)  # without JavaScript
    assert one(page, "#turn-2 details[open] [data-tried]")
    assert len(page.select(".review > li")) == len(history)


def test_text_that_is_no_code_is_marked_at_its_turn(proving: TestClient):
    history = played(Rules.parse("p3c5n"), "412", "012 034")
    page = get(proving, address(history, turn=2, guess="9x"), 422)
    assert one(page, "#turn-2 details[open] [aria-invalid]")["value"] == "9x"
    assert "3 different digits" in text(one(page, "#turn-2 .error"))


def test_both_players_of_a_duel_are_reviewed(proving: TestClient):
    mine = played(RULES, "23", "00 23")
    theirs = played(RULES, "11", "12 33 11")
    page = get(proving, address(mine, theirs="-".join(theirs.texts)))
    guesses = [
        [row["data-guess"] for row in shown.select("li")] for shown in page.select(".review")
    ]
    assert guesses == [["00", "23"], ["12", "33", "11"]]
    ids = [element["id"] for element in page.select("[id]")]
    assert len(ids) == len(set(ids))


def test_cost_of_the_last_guess_fits_into_the_graph(proving: TestClient):
    page = get(proving, address(played(RULES, "23", "00 00")))
    cost = page.select(".review-graph text:not(.tick, .end)")[-1]
    assert text(cost).startswith("+")
    assert float(str(cost["x"])) <= 340


def test_without_a_search_the_page_asks_again_some_times(client: TestClient):
    where = address(played(Rules.parse("p3c5n"), "412", "012 034"))
    for polls in range(MOST_POLLS):
        page = get(client, f"{where}&polls={polls}")
        review = one(page, "#review")
        again = f"{where}&polls={polls + 1}"
        assert review["hx-get"] == again
        plain = one(page, "noscript meta[http-equiv=refresh]")
        assert plain["content"] == f"{polls + 1};url={again}"
        assert text(review.select(".turn-why")[0]) == "Computing…"
        assert text(review.select(".cost")[0]) == "…", "no range that changes"
        assert text(one(review, ".review-story")) == "Computing…"
        assert one(review, ".review-graph"), "the list keeps its place when the graph arrives"
    page = get(client, f"{where}&polls={MOST_POLLS}")
    last = one(page, "#review")
    assert "hx-get" not in last.attrs
    assert not page.select("meta[http-equiv=refresh]")
    assert "The cost of this guess is not known." in text(last)
    get(client, f"{where}&polls={MOST_POLLS + 1}", 422)


def test_page_says_that_the_memory_is_too_small_and_is_final(proving: TestClient):
    class Forgetful(StandIn):
        def analysis(self, question: Question, *_: Any, **__: Any) -> Analysis:
            first = int(question.candidates[0])
            return Analysis.proved(question, first, {"total": 100})

    small = Forgetful(proving, memory=1)
    small.analyst.load(())
    where = address(played(Rules.parse("p3c5n"), "104", "012 034"))
    with asking(proving, small):
        review = one(get(proving, where), "#review")
    assert "too large for the memory of this server" in text(review)
    assert "hx-get" not in review.attrs


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_page_asks_again_until_the_turns_that_a_search_can_judge_are_judged(
    client: TestClient, proving: TestClient, prefix: str
):
    history = played(Rules.parse("p6c10n"), "012345", "678901 012354 012345")
    where = prefix + address(history)
    review = one(get(client, where), "#review")
    assert review["hx-get"] == f"{where}&polls=1"
    first, second, last = review.select("li")
    assert text(one(last, ".cost")) == "…"
    assert one(last, ".retry")
    for turn in first, second:
        assert text(one(turn, ".cost")) != "…"
        assert not turn.select(".retry"), "nothing would be known of another guess either"
    proved = one(get(proving, where), "#review")
    assert "hx-get" not in proved.attrs
    assert ["data-above" in turn.attrs for turn in proved.select("li")] == [False, False, True]
    assert [str(turn) for turn in proved.select("li")[:2]] == [str(first), str(second)]
    for found in review, proved:
        assert not found.select("[data-lost], [data-luck], .review-story"), "not of all turns"


def test_turn_that_no_search_fits_says_so_and_what_its_answer_left(client: TestClient):
    history = played(Rules.parse("p6c10n"), "012345", "678901 012354 012345")
    turn = get(client, address(history)).select("#review li")[1]
    assert "too large for the memory of this server. 13 codes left where" in text(turn)
    tried = get(client, address(history, turn=2, guess="012345"))
    assert text(one(tried, "#turn-2 .tried .cost")) == "not known"


@pytest.mark.parametrize(
    ("query", "status"),
    [
        *(("", 303), ("?h=00:0.0-00:1.0", 409), ("?h=00", 422), ("?h=00:0.0&turn=99", 422)),
        ("?h=00:0.0&game=//example.org", 422),
    ],
)
def test_address_without_a_game_is_refused(proving: TestClient, query: str, status: int):
    assert proving.get(f"/review/{RULES}{query}").status_code == status


def test_turns_that_no_code_fits_lead_to_their_corrections(proving: TestClient):
    for prefix, heading in (("", "No code fits"), ("/ru", "Ни один вариант не подходит")):
        page = get(proving, f"{prefix}/review/{RULES}?h=00:0.0-00:1.0", 409)
        assert heading in text(one(page, "main h1"))
        way_on = one(page, "main .button.primary")["href"]
        assert way_on == f"{prefix}/analyse/{RULES}?h=00:0.0-00:1.0"
        assert get(proving, str(way_on), 409).select("a.correction")


def test_turns_of_a_game_are_counted_in_the_grammar_of_russian(proving: TestClient):
    for turns, counted in (("01:2.0", "ход"), ("10:0.2-01:2.0", "хода")):
        page = get(proving, f"/ru/review/p2c4n?h={turns}")
        assert text(page.select(".review-sum dt")[0]) == counted


@pytest.mark.parametrize("played", ["p3c5n 012:0.2", "p3c4r 001:1.1", "p3c5n 012:1.1 031:1.0"])
def test_reason_is_true_of_all_codes_that_are_left(played: str):
    rules, *turns = played.split()
    question = Question.of(rules, " ".join(turns))
    left = [question.rules.text(code) for code in question.candidates.tolist()]
    codes = range(question.rules.size)
    flaws = set()
    for split in splits(question.rules, question.candidates, codes):
        judged = Judgement(Evaluation(question, split), split, None)
        if judged.guess in left:
            continue
        reason = impossible(judged.evaluation)
        flaws.add(reason.flaw)
        if reason.flaw == "excluded":
            assert reason.symbol in judged.guess
            assert not any(reason.symbol in code for code in left)
        elif reason.flaw == "missing":
            assert reason.symbol not in judged.guess
            assert all(reason.symbol in code for code in left)
        elif reason.flaw == "place":
            assert judged.guess[reason.number - 1] == reason.symbol
            assert not any(code[reason.number - 1] == reason.symbol for code in left)
        else:
            assert reason.instead == answer(question.history, reason.number, split.guess)
            assert reason.instead != question.rules.answers[question.history[reason.number - 1][1]]
    assert flaws, "some codes are no candidates"


def answer(history: History, number: int, code: int) -> object:
    """Return what a guess would have been answered if a code were the secret."""
    rules: Rules = history.rules
    return rules.answers[rules.respond(history[number - 1][0], code)]


def test_review_that_costs_too_much_is_refused(client: TestClient):
    same = "-".join(["134041:0.1"] * 20)
    refused = client.get(
        f"/review/p6c11r?h={same}&theirs={same}", headers={"Accept": "application/json"}
    )
    assert refused.status_code == 422
    assert refused.json()["type"].endswith("/too-expensive")
    assert "80000000" in refused.json()["detail"]
    page = client.get(f"/review/p6c11r?h={same}&theirs={same}")
    assert "Review one side at a time" in page.text
    assert client.get(f"/review/p6c11r?h={same}").status_code == 200


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_best_guess_stays_folded_until_a_good_guess_was_tried(proving: TestClient, prefix: str):
    history = played(RULES, "30", "00 12 30")
    path = prefix + address(history)
    row = next(each for each in get(proving, path).select("li") if each.select(".asks"))
    number = int(str(row["id"]).removeprefix("turn-"))
    left = candidates(RULES, history[: number - 1]).tolist()
    asked = set()
    for tried in range(RULES.size):
        item = one(get(proving, f"{path}&turn={number}&guess={RULES.text(tried)}"), f"#{row['id']}")
        loss = (evaluation(left, tried, number) - value(left, number)) / len(left)
        asks = loss > Fraction(1, 10)
        assert bool(item.select(".asks ~ .shown-best:not([open]) [data-better]")) == asks
        assert bool(item.select("[data-better]"))
        asked.add(asks)
    assert asked == {True, False}
