"""The page of the analysis: what it shows, where its links and forms lead, in both languages."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import pytest
from bs4 import BeautifulSoup, Tag
from starlette.testclient import TestClient

from bullscows.analysis.analyst import MEMORY
from bullscows.analysis.evaluation import Evaluation
from bullscows.game.history import MAX_HISTORY, History
from bullscows.game.objective import Bounds
from bullscows.game.question import Question
from bullscows.game.result import Analysis, Finding, Reason
from bullscows.game.rules import CodeIndex, Rules
from bullscows_web.analyse.analysed_history import Asked, analyse
from bullscows_web.language.catalogues import languages
from bullscows_web.search.searcher import Searcher, Tablebase
from bullscows_web.trees.library import Library
from bullscows_web.web.frame import MOST_POLLS
from tests.app.language.test_catalogues import english
from tests.support.pages import HTMX, get, one, parse, text
from tests.support.searching import KnownAnalysis, StandIn, asking

pytestmark = pytest.mark.large

PAGE = "/analyse/p4c10n"
NO_SEARCHER: Any = None
"""In its place every search fails."""


def address(rules: str = "p4c10n", **query: object) -> str:
    return f"/analyse/{rules}?{urlencode(query, safe=':')}"


def guess_of(page: BeautifulSoup) -> str:
    return str(one(page, "[data-guess]")["data-guess"])


def left(page: BeautifulSoup) -> int:
    return int(str(one(page, "[data-remaining]")["data-remaining"]))


def href(link: Tag) -> str:
    return str(link["href"])


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (address(), 26274, "Found at turn 5.213 on average"),
        (address(h="0123:0.1"), 7935, "turn 5.510 on average (total over all codes: 7,935 turns)."),
        (address("p4c6r"), 5625, "Found at turn 4.340 on average"),
        (address("p4c6r", objective="worst,average"), 5, "Found at turn 5 at the latest."),
        (address("p4c6r", objective="last,average", max_turns=5), 539, "Left for turn 5: 539."),
    ],
)
def test_proved_value_is_shown_as_such(proving: TestClient, path: str, value: int, words: str):
    page = get(proving, path)
    verdict = one(page, ".verdict")
    assert (verdict["data-status"], verdict["data-value"]) == ("optimal", str(value))
    assert "Proved optimal" in text(verdict)
    assert words in text(verdict)
    assert not page.select("[hx-trigger^=load]"), "it asks no more"


def test_guess_of_a_rule_is_not_called_best(client: TestClient):
    page = get(client, address(h="0123:0.1"))
    verdict = one(page, ".verdict")
    assert verdict["data-status"] == "heuristic"
    assert "Nothing is proved about it" in text(verdict)
    assert "no search" in text(verdict)
    assert text(one(page, ".guess-turn")) == "A good guess"
    assert "Proved" not in text(one(page, "main"))
    assert not page.select("tbody .note")


def test_bounds_are_shown_as_bounds(proving: TestClient):
    question = Question.of("p4c10n", "0123:0.1")
    bounds = Bounds(7873, 7997)
    bounded = Analysis(question, guess=0, bounds=bounds, rule="larmouth", reason="time")
    with asking(proving, KnownAnalysis(proving, bounded)):
        verdict = one(get(proving, address(h="0123:0.1")), ".verdict")
    words = text(verdict)
    assert verdict["data-status"] == "bounded"
    # 7873 / 1440 = 5.46736..., 7997 / 1440 = 5.55347...: rounded so that the bounds hold.
    assert "does better than: turn 5.467 on average (total over all codes: 7,873 turns)" in words
    assert "can attain: turn 5.554 on average (total over all codes: 7,997 turns)" in words
    assert "ran out of time" in words


def test_page_asks_again_until_it_is_final_or_has_asked_often(client: TestClient):
    question = Question.of("p4c10n", "0123:0.1")
    again = "[hx-trigger^=load]"
    bounded = Analysis(question, guess=0, bounds=Bounds(7873, 7997), reason="time")
    searcher = KnownAnalysis(client, bounded)
    with asking(client, searcher):
        for polls in range(MOST_POLLS):
            page = get(client, address(h="0123:0.1", guess="4567", polls=polls))
            asks = one(page, again)
            assert asks["hx-get"] == address(h="0123:0.1", guess="4567", polls=polls + 1)
            assert asks["hx-trigger"] == f"load delay:{polls + 1}s"
            assert page.select(f"{asks['hx-target']}, {asks['hx-select-oob']}") != []
        assert not get(client, address(h="0123:0.1", polls=MOST_POLLS)).select(again)
        get(client, address(h="0123:0.1", polls=MOST_POLLS + 1), 422)
        for lasting in ("large-game", "no-search"):
            searcher.found = replace(bounded, reason=lasting)
            assert not get(client, address(h="0123:0.1")).select(again)


def test_too_few_turns_are_reported(proving: TestClient):
    page = get(proving, address("p4c6r", max_turns=4))
    assert text(one(page, "h1")) == "Turn 4 is too soon"
    assert "It is proved that no strategy" in text(one(page, ".verdict"))
    assert page.select("tr[data-row]"), "guesses are compared all the same"


def test_each_answer_leads_to_the_position_after_it(client: TestClient):
    path = address(h="0123:1.1")
    page = get(client, path)
    rules = Rules.parse("p4c10n")
    guess = guess_of(page)
    cells = page.select("[data-answer]")
    assert len(cells) > 5
    for cell in cells[:4]:
        after = get(client, href(cell))
        assert href(cell) == f"{PAGE}?h=0123:1.1-{guess}:{cell['data-answer']}"
        assert text(one(cell, ".cell-left")).endswith(f"{left(after):,}")
        assert rules.parse_answer(str(cell["data-answer"])) is not None
    counts = [int(text(cell).split()[-1].replace(",", "")) for cell in page.select(".cell-left")]
    assert sum(counts) + len(page.select(".win")) == left(page) == 720


def test_turn_can_be_taken_away(client: TestClient):
    page = get(client, address(h="0123:0.1-4567:1.1-0456:0.2"))
    assert [href(link) for link in page.select(".undo a")] == [
        f"{PAGE}?h=4567:1.1-0456:0.2",
        f"{PAGE}?h=0123:0.1-0456:0.2",
        f"{PAGE}?h=0123:0.1-4567:1.1",
    ]
    assert text(page.select(".ledger td.number")[0]) == "1,440"


def test_few_candidates_are_listed_and_many_counted(client: TestClient):
    page = get(client, address(h="0123:0.4"))
    assert len(page.select(".candidates li")) == left(page) == 9
    assert not get(client, PAGE).select(".candidates")


def test_code_that_was_found_ends_it(client: TestClient):
    page = get(client, address(h="0123:0.4-1032:4.0"))
    assert one(page, "[data-secret]")["data-secret"] == "1032"
    assert not page.select("[data-answer]")
    assert not page.select("#guess")


@pytest.mark.parametrize("typed", ["4567", " 45 67 "])
@pytest.mark.parametrize("answer", ["1.1", "1b1c", "1B1C", "1,1", "1 1"])
def test_guess_with_an_answer_in_any_notation_is_added(client: TestClient, typed: str, answer: str):
    response = client.get(PAGE, params={"h": "0123:0.1", "guess": typed, "answer": answer})
    assert response.status_code == 303
    assert response.headers["location"] == f"{PAGE}?h=0123:0.1-4567:1.1"


def test_aim_stays_on_the_way(client: TestClient):
    page = get(client, address(h="0123:0.1", objective="last,average", max_turns=7))
    for link in page.select("[data-answer], .undo a, tr[data-row] a"):
        assert "objective=last,average&max_turns=7" in href(link)
    for form in page.select("main form"):
        names = {field["name"]: field.get("value") for field in form.select("[name]")}
        assert "objective" in names
        assert names["max_turns"] == "7"
    chosen = one(page, "option[selected]")
    assert chosen["value"] == "last,average"


def test_contradiction_offers_every_correction(client: TestClient):
    page = get(client, address(h="0123:0.4-0132:0.3"), 409)
    corrections = page.select("a.correction")
    assert {correction["data-turn"] for correction in corrections} == {"1", "2"}
    for correction in corrections:
        corrected = get(client, href(correction))
        assert text(one(correction, ".correction-why")).split("code")[0].strip().split()[-1] == str(
            left(corrected)
        )
    assert not page.select("[data-guess]")


@pytest.mark.parametrize(
    ("query", "field", "words"),
    [
        ({"guess": "0012"}, "#guess", "not a code of this game"),
        ({"guess": "<b>"}, "#guess", "not a code of this game"),
        ({"h": "0123"}, "#h", "Turn 1, “0123”, can’t be read. Write the answer after the guess"),
        ({"h": "0123:3.1"}, "#h", "Turn 1, “0123:3.1”, can’t be read. This game has no such"),
        ({"h": "0123 1B\n12<b> 1B"}, "#h", "Turn 2, “12<b> 1B”, can’t be read. “12<b>” is not a"),
        ({"h": "-".join(["0123:0.1"] * 21)}, "#h", "at most 20 turns"),
    ],
)
def test_unreadable_value_is_reported_next_to_its_field(
    client: TestClient, query: dict[str, str], field: str, words: str
):
    page = get(client, address(**query), 422)
    wrong = one(page, "[aria-invalid]")
    assert wrong["id"] == field[1:]
    assert (wrong.get("value") or wrong.get_text().strip()) == next(iter(query.values()))
    assert words in text(one(page, f"#{wrong['aria-describedby']}"))


@pytest.mark.parametrize(
    ("site", "words"), [("", "0011 1B or 0011 1.0"), ("/ru", "0011 1ч или 0011 1.0")]
)
def test_example_of_turns_has_no_cows_with_bulls_only(client: TestClient, site: str, words: str):
    assert words in text(one(get(client, f"{site}/analyse/p4c6rb"), "[for=h]"))


@pytest.mark.parametrize(
    "written",
    ["0123 1B1C, 4567 2C", "0123=1,1\r\n4567=0,2", "0123 1б1к\n4567 2к", "0123:1.1 4567:0.2"],
)
def test_turns_in_any_notation_lead_to_their_address(client: TestClient, written: str):
    query = {"h": written, "objective": "worst,average", "max_turns": "7", "guess": "0456"}
    response = client.get("/ru" + address(**query))
    assert response.status_code == 303
    location = response.headers["location"]
    expected = "h=0123:1.1-4567:0.2&guess=0456&objective=worst,average&max_turns=7"
    assert location == f"/ru{PAGE}?{expected}"
    page = get(client, location)
    assert one(page, "#h").get_text().strip() == "0123:1.1\n4567:0.2"


@pytest.mark.parametrize(
    "query",
    [
        *({"objective": "best"}, {"objective": "last"}, {"objective": "movers", "max_turns": "9"}),
        *({"max_turns": "0"}, {"max_turns": "49"}, {"max_turns": "٧"}, {"max_turns": "x"}),
    ],
)
def test_invalid_aim_is_reported(client: TestClient, query: dict[str, str]):
    page = get(client, address(**query), 422)
    assert "needs a last turn" in text(one(page, "form .error"))
    assert one(page, "#objective option[selected]")["value"] == query.get("objective", "average")
    assert one(page, "#max_turns")["value"] == query.get("max_turns", "")
    assert not page.select(".verdict, [data-guess]"), "of an aim that nobody asked about"
    assert [href(link) for link in page.select(".undo a")] == []


@pytest.mark.parametrize("rules", ["bulls-cows", "P4C10N"])
def test_another_name_of_a_game_redirects_to_its_rules(client: TestClient, rules: str):
    response = client.get(f"/analyse/{rules}?h=0123:0.1", follow_redirects=False)
    assert (response.status_code, response.headers["location"]) == (303, f"{PAGE}?h=0123:0.1")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/analyse/p8c9r", "up to 2,000,000 codes"),
        ("/analyse/chess", "The name of a game is p with 1 to 8 places"),
        (address(guess="0123", answer="3.1"), "no such answer"),
    ],
)
def test_game_or_answer_that_does_not_exist_is_an_error_page(
    client: TestClient, path: str, words: str
):
    assert words in text(one(get(client, path, 422), "main"))


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("positions=4&symbols=10", "/analyse/p4c10n"),
        ("positions=+5+&symbols=6&repeats=on", "/analyse/p5c6r"),
        ("positions=4&symbols=10&no_zero=on", "/analyse/p4c10z"),
    ],
)
def test_any_game_can_be_described(client: TestClient, query: str, path: str):
    response = client.get(f"/analyse?{query}")
    assert (response.status_code, response.headers["location"]) == (303, path)


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (("9", "10"), "1 to 8 places"),
        (("5", "4"), "as many digits as places"),
        (("8", "16", "repeats"), "4,294,967,296 codes are too many"),
        ((" 8 ", "11"), "6,652,800 codes are too many: a game here has at most 2,000,000"),
        (("x", "<"), "1 to 8 places"),
        (("4", ""), "1 to 16 digits"),
        (("4", "6", "repeats", "no_zero"), "do not repeat"),
        (("1", "1", "no_zero"), "one other digit"),
        (("٤", "10"), "1 to 8 places"),
    ],
)
def test_nonexistent_game_is_reported(client: TestClient, size: tuple[str, ...], words: str):
    positions, symbols = size[:2]
    ticked = size[2:]
    query = {"positions": positions, "symbols": symbols, **dict.fromkeys(ticked, "on")}
    page = get(client, f"/analyse?{urlencode(query)}", 422)
    assert words in text(one(page, "#size .error"))
    assert one(page, "details.other-games").has_attr("open")
    assert one(page, "#positions")["value"] == positions.strip()
    assert one(page, "#symbols")["value"] == symbols
    for name in ("repeats", "no_zero"):
        assert one(page, f"#{name}").has_attr("checked") == (name in ticked)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("positions=5&symbols=8&repeats=on", "32,768 codes, of at most 2,000,000"),
        ("positions=4&symbols=10&no_zero=on", "4,536 codes, of at most 2,000,000"),
        ("positions=1&symbols=1", "1 code, of at most 2,000,000"),
        ("positions=8&symbols=11", "6,652,800 codes are too many"),
        ("positions=&symbols=10", "1 to 8 places"),
    ],
)
def test_codes_are_counted_while_a_game_is_typed(client: TestClient, query: str, words: str):
    fragment = get(client, f"/analyse/size?{query}", headers=HTMX)
    assert not fragment.select("form, main")
    assert words in text(fragment)
    page = get(client, f"/analyse/size?{query}")
    assert text(one(page, "#size")) == text(fragment), "the page says the same"


def test_games_and_nodes_lead_to_the_analysis(client: TestClient):
    page = get(client, "/play/small-bulls-cows/j3/0.1?analysis=open")
    link = next(href(a) for a in page.select("a") if "/analyse/p3c5n?" in href(a))
    asked = one(page, ".ledger [data-guess]")["data-guess"]
    assert link == f"/analyse/p3c5n?h={asked}:0.1"
    assert left(get(client, link)) == left(page)
    page = get(client, "/ru/trees/small-bulls-cows/0.1")
    link = next(href(a) for a in page.select("main a") if "/analyse/" in href(a))
    assert link.startswith("/ru/analyse/p3c5n?h=")
    assert left(get(client, link)) == left(page)


def test_link_of_a_proved_tree_asks_for_its_aim(shipped_client: TestClient):
    page = get(shipped_client, "/trees/crush-bulls-cows/0.1")
    link = next(href(a) for a in page.select("main a") if "/analyse/" in href(a))
    assert link == f"{PAGE}?h=0123:0.1&objective=movers&max_turns=7"
    verdict = one(get(shipped_client, link), ".verdict")
    assert verdict["data-status"] == "optimal"
    assert href(one(verdict, "a")) == "/trees/crush-bulls-cows"
    page = get(shipped_client, "/trees/avg-bulls-cows/0.1")
    link = next(href(a) for a in page.select("main a") if "/analyse/" in href(a))
    assert link == f"{PAGE}?h=0123:0.1"


def test_copy_to_be_read_offline_starts_no_search(proving: TestClient):
    asked: list[float | None] = []

    class Unproved(StandIn):
        def analysis(self, question: Question, seconds: float | None = None) -> Finding:
            asked.append(seconds)
            return super().analysis(question, 0.0)

    with asking(proving, Unproved(proving)):
        get(proving, address(h="0123:1.2"))
        get(proving, address(h="0123:1.2"), headers={"Purpose": "prefetch"})
    assert asked == [None, 0]


def test_htmx_gets_the_content_alone(client: TestClient):
    page = get(client, address(h="0123:0.1"), headers=HTMX)
    assert not page.select("header, html")
    assert one(page, "#status")
    assert one(page, "h1").has_attr("autofocus")


@pytest.mark.parametrize(
    ("rules", "query", "count"),
    [("p4c10n", {"h": "0123:0.1"}, 1440), ("p5c7n", {"h": "01234:1.3", "guess": "12034"}, 440)],
)
def test_fragment_shows_the_position_and_asks_for_what_takes_a_search(
    client: TestClient, rules: str, query: dict[str, str], count: int
):
    asks = "[hx-trigger='load delay:0s']"
    whole = get(client, address(rules, **query))
    assert whole.select("#ranking tbody tr")
    assert not whole.select(asks)
    with asking(client, NO_SEARCHER):
        preview = get(client, address(rules, **query), headers=HTMX)
    assert left(preview) == left(whole) == count
    assert not preview.select("#ranking tr")
    assert one(preview, asks)["hx-get"] == address(rules, **query, polls=0)
    if "guess" in query:
        assert guess_of(preview) == query["guess"]
        cells, same = (page.select("[data-answer]") for page in (preview, whole))
        assert [cell["data-answer"] for cell in cells] == [cell["data-answer"] for cell in same]
    else:
        assert "Looking for the best guess" in text(one(preview, "h1"))


def test_fragment_says_at_once_what_needs_no_search(shipped_client: TestClient):
    with asking(shipped_client, NO_SEARCHER):
        page = get(shipped_client, address(h="0123:0.1"), headers=HTMX)
        assert (guess_of(page), one(page, ".verdict")["data-value"]) == ("1456", "7935")
        assert one(page, "[hx-trigger='load delay:0s']")
        for final in ({"h": "0123:0.4-1032:4.0"}, {"h": "0123:0.4-0132:0.3"}):
            page = parse(shipped_client.get(address(**final), headers=HTMX))
            assert not page.select("[hx-trigger^=load]")


@pytest.mark.parametrize(
    "path",
    [
        *("/analyse", "/analyse?positions=9&symbols=1", PAGE, address(h="0123:0.1")),
        *(address(h="0123:0.1", guess="4567"), address("p4c6r", max_turns=4)),
        address("p4c6r", objective="last,average", max_turns=5),
        address("p4c6r", objective="movers", max_turns=5),
        *(address("p4c6r", objective="worst,average"), address(h="0123:0.4-0132:0.3")),
        *(address(h="0123:0.0-4567:0.0-0123:4.0-4567:4.0"), address(h="0123:0.4-1032:4.0")),
        *(address(h="x"), address(guess="x"), address(objective="last")),
        *(address("p5c8r", h="00000:0.0"), address("p8c9r")),
    ],
)
def test_page_is_translated(proving: TestClient, path: str):
    first, second = (
        proving.get(language.prefix + path, headers={"Accept": "text/html"})
        for language in languages()
    )
    assert first.status_code == second.status_code
    assert english(second.text) == []


@pytest.mark.parametrize(
    ("guess", "words"),
    [
        ("5276", "It costs 0.03 turns more than the best, on average."),
        ("0123", "It costs 1.00 turns more than the best, on average."),
        ("7418", "It is as good as the best."),
    ],
)
def test_own_guess_says_what_it_costs_and_the_table_is_in_this_order(
    proving: TestClient, guess: str, words: str
):
    for _ in range(3):  # bounds tighten
        page = proving.get(f"/analyse/p4c10n?h=0123:0.1-1456:1.1&guess={guess}").text
    assert words in page
    above = [float(text) for text in re.findall(r'<td class="above" data-above="([^"]*)"', page)]
    assert len(above) >= 10
    assert above == sorted(above)
    assert above[0] == 0 < above[-1]
    _, *grades = re.findall(r'<span class="price (best|good|doubtful|blunder)">', page)
    assert [grade == "best" for grade in grades] == [cost == 0 for cost in above]


def test_own_guess_is_evaluated_before_others_are_ranked(shipped_library: Library):
    """So it has a value even if the time suffices for one guess only."""

    class Hurried(Searcher):
        """Notes what it is asked for."""

        def evaluations(
            self, best: Analysis, guesses: Sequence[CodeIndex], seconds: float | None
        ) -> list[Evaluation]:
            asked.append([rules.text(guess) for guess in guesses])
            return super().evaluations(best, guesses, seconds)

        def best_guesses(self, best: Analysis, number: int) -> Sequence[CodeIndex]:
            asked.append("rank")
            return super().best_guesses(best, number)

    rules = Rules.parse("p4c10n")
    asked: list[list[str] | str] = []
    searcher = Hurried(Tablebase(shipped_library, {}), 1.0, MEMORY)
    history = History.parse(rules, "0123:0.1")
    analyse(searcher, Asked(history, "average", None, rules.parse_code("0987")), again=False)
    assert asked[:2] == [["0987"], "rank"]
    assert asked[2][0] == "1456", "the best guess comes next"


@pytest.mark.parametrize(
    ("reason", "note", "cell"),
    [
        (None, "The loss of this guess is not computed yet.", "not computed yet"),
        ("no-search", "This server can’t compute the loss of this guess.", "not computed"),
    ],
)
def test_loss_that_is_not_computed_is_said_to_be_so(
    client: TestClient, reason: Reason, note: str, cell: str
):
    known = Analysis(Question.of("p4c10n", "0123:0.1"), guess=0, reason=reason)
    for polls in (0, MOST_POLLS):
        with asking(client, KnownAnalysis(client, known)):
            page = get(client, address(h="0123:0.1", guess="0987", polls=polls))
        words = [text(note) for note in page.select("#stage > .note")]
        assert any(word.startswith(note) for word in words)
        assert text(one(page, "[data-row='0987'] .above")) == cell
    is_open = reason is None
    link = page.select("#stage > .note a")
    assert [href(a) for a in link] == [address(h="0123:0.1", guess="0987")] * is_open


def test_guess_that_is_too_late_is_said_to_be_so(proving: TestClient):
    page = get(proving, address("p4c6r", h="0011:1.0", max_turns=5, guess="0000"))
    words = "after this guess no strategy finds every candidate by turn 5"
    assert words in text(one(page, ".verdict"))
    assert text(one(page, "[data-row='0000'] .above")) == "impossible by turn 5"


def test_position_after_the_last_turn_that_an_address_holds_is_shown(client: TestClient):
    """Its answers lead nowhere: there is no address of the position after them."""
    for turns, leads in ((MAX_HISTORY - 1, True), (MAX_HISTORY, False)):
        page = get(client, address(h="-".join(["0123:0.1"] * turns)))
        answers = page.select("[data-answer]:not([data-guess])")
        assert answers
        assert all(answer.has_attr("href") == leads for answer in answers)


def test_turns_of_a_found_code_are_not_called_so_far(client: TestClient):
    for path, caption in (
        ("/analyse/p3c5n?h=012:3.0", "All turns"),
        ("/play/small-bulls-cows/0/3.0", "All turns"),
        ("/analyse/p3c5n?h=012:0.2", "Turns so far"),
    ):
        assert text(one(get(client, path), ".ledger caption")) == caption


def test_preview_says_that_the_guesses_side_by_side_are_still_to_come(client: TestClient):
    for query, first in (({}, "best guess"), ({"guess": "4567"}, "your guess")):
        page = get(client, address(h="0123:0.1", **query), headers=HTMX)
        assert f"not computed yet: {'the ' if 'best' in first else ''}{first} comes first" in text(
            one(page, "#ranking")
        )


def test_secret_can_be_one_of_a_list(client: TestClient):
    listed = "0123 0132\n5678, 9876"
    page = get(client, address(h="4567:0.0", secrets=listed))
    assert left(page) == 2
    assert one(page, "#secrets").text.split() == ["0123", "0132", "5678,", "9876"]
    (answer, *_) = page.select("a[data-answer]") or page.select(".cell[href]")
    assert "secrets=0123-0132-5678-9876" in href(answer)
    kept = page.select('form input[type="hidden"][name="secrets"]')
    assert len(kept) == 3
    contradiction = client.get(address(h="0123:0.0", secrets="0123-0132"))
    assert contradiction.status_code == 409


@pytest.mark.parametrize("h", ["", "0123:0.1-4567:0.1"])
def test_listed_secret_that_is_no_code_is_marked(client: TestClient, h: str):
    answer = client.get(address(h=h, secrets="0123 0012"))
    assert answer.status_code == 422
    page = parse(answer)
    assert text(one(page, "#h")).replace("\n", "-") == h
    assert one(page, "#secrets")["aria-invalid"] == "true"
    assert "0012" in one(page, "#secrets").text
    assert not page.select("[data-guess]")
