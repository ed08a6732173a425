"""The pages of the game the other way round, as a visitor without a browser sees them."""

import re
from datetime import UTC, date, datetime
from typing import cast
from urllib.parse import quote

import pytest
from fastapi import FastAPI
from httpx2 import Response
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from bullscows_web.guess.game import Guessing
from bullscows_web.guess.puzzle import MAX_GUESSES, Puzzle, get_today
from bullscows_web.trees.library import Library
from tests.support.pages import HTMX, get, one, parse, text

pytestmark = pytest.mark.large

GAME = "/guess/p3c5n"
PUZZLE = f"{GAME}/k3f9"
PEGS = "/guess/p2c4r/k3f9"


@pytest.fixture(scope="module")
def secret(library: Library) -> str:
    puzzle = Puzzle.parse(library, "p3c5n", "k3f9")
    return puzzle.rules.text(puzzle.secret)


def wrong(secret: str) -> list[str]:
    return [code for code in ("012", "013", "341", "420", "234") if code != secret]


def location(client: TestClient, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 303
    return str(response.headers["location"])


@pytest.mark.parametrize(
    ("query", "start"),
    [
        ("positions=5&symbols=9&repeats=on", "/guess/p5c9r/X"),
        ("positions=4&symbols=6&repeats=on&bulls_only=on", "/guess/p4c6rb/X"),
        ("positions=6&symbols=10", "/guess/p6c10n/X"),
        ("positions=4&symbols=10&no_zero=on&limit=&hard=on", "/guess/p4c10z/X?hard=on"),
        ("positions=3&symbols=5&limit=8", "/guess/p3c5n/X?limit=8"),
    ],
)
def test_custom_game_begins(client: TestClient, query: str, start: str):
    place = location(client, f"/guess?{query}")
    assert re.sub("/[a-z0-9]{7}(?=$|[?])", "/X", place) == start
    get(client, place)


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_new_puzzle_is_drawn(client: TestClient, prefix: str):
    drawn = [client.get(prefix + GAME) for _ in range(20)]
    places = {response.headers["location"] for response in drawn}
    assert {response.headers["cache-control"] for response in drawn} == {"no-store"}
    assert len(places) == 20
    assert all(re.fullmatch(rf"{prefix}{GAME}/[0-9a-z]{{7}}", place) for place in places)


def test_custom_game_that_is_too_large_is_refused_in_place(client: TestClient):
    page = get(client, "/guess?positions=7&symbols=10&limit=9&hard=on", 422)
    said = "604,800 codes are too many: a game here has at most 200,000 codes."
    assert text(one(page, "#size .error")) == said
    values = [one(page, f"#{name}")["value"] for name in ("positions", "symbols")]
    assert values == ["7", "10"]
    assert one(page, "option[selected]")["value"] == "9"
    assert one(page, "[name=hard]").has_attr("checked")
    size = client.get("/guess/size?positions=6&symbols=10", headers=HTMX)
    assert "<strong>151,200</strong> codes" in size.text


def test_game_without_a_tree_is_played_to_its_end(client: TestClient, library: Library):
    path = "/guess/p3c4r/k3f9"
    secret = Puzzle.parse(library, "p3c4r", "k3f9")
    code = secret.rules.text(secret.secret)
    first = "001" if code != "001" else "002"
    place = location(client, f"{path}?guess={first}")
    assert one(get(client, f"{place}?hints=on"), "[data-remaining]")
    page = get(client, location(client, f"{place}?guess={code}"))
    assert one(page, "[data-secret]")["data-secret"] == code
    assert text(one(page, "h1")) == "Found in 2 turns."
    assert not page.select("#board a[href^='/trees']")


def test_puzzle_of_the_day_is_that_of_its_date(client: TestClient):
    before = datetime.now(UTC).date().isoformat()
    place = location(client, f"{GAME}/today")
    assert place in (f"{GAME}/{before}", f"{GAME}/{datetime.now(UTC).date().isoformat()}")
    assert "November 21, 2026" in text(one(get(client, f"{GAME}/2026-11-21"), ".game-title"))
    assert "21 ноября 2026" in text(one(get(client, f"/ru{GAME}/2026-11-21"), ".game-title"))


def on_day(app: FastAPI, today: date, path: str, accept: str = "text/html") -> Response:
    """Ask a server whose clock shows a day."""
    app.dependency_overrides[get_today] = lambda: today
    try:
        return TestClient(app, follow_redirects=False).get(path, headers={"Accept": accept})
    finally:
        del app.dependency_overrides[get_today]


OPENS = {"": "opens at 00:00 UTC", "/ru": "откроется в этот день в 00:00 UTC"}


@pytest.mark.parametrize("rest", ["", "/reveal", "/012-013", "/012/reveal", "?guess=012"])
def test_future_day_is_refused_with_the_time_it_opens(client: TestClient, rest: str):
    app = cast(FastAPI, client.app)
    prefix = "/ru" if rest == "/reveal" else ""
    path = f"{prefix}{GAME}/2026-12-01{rest}"
    response = on_day(app, date(2026, 11, 30), path)
    assert (response.status_code, response.headers["cache-control"]) == (404, "no-store")
    page = parse(response)
    assert OPENS[prefix] in text(one(page, ".detail"))
    assert not page.select("[data-secret], .ledger, form.ask")
    assert on_day(app, date(2026, 12, 1), path).status_code in (200, 303), "it is open then"


def test_guess_is_answered(client: TestClient, library: Library, secret: str):
    guess = wrong(secret)[0]
    page = get(client, location(client, f"{PUZZLE}?guess={guess}"))
    row = one(page, "tr[data-guess]")
    game = Guessing.parse(library, "p3c5n", "k3f9", guess)
    answer = str(game.rules.answers[game.history[0][1]])
    assert (row["data-guess"], row["data-answer"]) == (guess, answer)
    assert one(page, "[data-remaining]")["data-remaining"] == str(game.remaining)
    assert one(row, ".undo a")["href"] == f"{PUZZLE}?help=u{guess}"


LEADS = {
    f"{PUZZLE}?guess=%20012": f"{PUZZLE}/012",
    f"{PUZZLE}/reveal?guess=": None,
    f"{PUZZLE}/210/reveal": f"{PUZZLE}/210",
    f"/ru{PUZZLE}/210-012": f"/ru{PUZZLE}/210",
    f"{PUZZLE}/210?guess=012": f"{PUZZLE}/210",
    f"{PUZZLE}?guess=012&help=u012-013": f"{PUZZLE}/012?help=u013",
    f"{PUZZLE}?guess=210&help=": f"{PUZZLE}/210",
    f"{PUZZLE}/012?hints=on&guess=013": f"{PUZZLE}/012-013?hints=on&help=h2",
    f"{PUZZLE}?check=on&guess=013": f"{PUZZLE}/013",  # there is nothing to fit yet
    f"{PUZZLE}/340{8 * '-012'}?limit=8": f"{PUZZLE}/340{7 * '-012'}?limit=8",
    f"{PUZZLE}/340-012?limit=9&hard=on": f"{PUZZLE}/340-012?limit=9",  # it does not fit
    f"{PEGS}?peg1=0&peg2=3": f"{PEGS}/03",
    "/ru/guess/p4c10z/k3f9?guess=1023": "/ru/guess/p4c10z/k3f9/1023",
}
"""Addresses and where they lead; the code is 210."""


def test_addresses_lead_to_the_game_after_them(client: TestClient, secret: str):
    assert secret == "210"
    for path, place in LEADS.items():
        response = client.get(path)
        assert response.headers.get("location") == place, path
        assert response.status_code == (303 if place else 200), path


def test_every_game_can_be_won_and_undone(client: TestClient, library: Library, secret: str):
    path = PUZZLE
    for guess in (*wrong(secret)[:3], secret):
        page = get(client, path)
        assert not page.select("[data-secret]")
        path = location(client, f"{one(page, 'form.ask')['action']}?guess={guess}")
    page = get(client, path)
    assert one(page, "[data-secret]")["data-secret"] == secret
    guessed = [row["data-guess"] for row in page.select("[data-guess][data-answer]")]
    assert guessed == [*wrong(secret)[:3], secret]
    assert not page.select("form.ask")
    figures = client.get(str(one(page, ".review-later")["hx-get"]), headers=HTMX)
    assert one(parse(figures), ".review-later")
    tree = library.tree("small-bulls-cows")
    code = tree.rules.parse_code(secret)
    link = one(page, f"#menu a[href='/trees/small-bulls-cows?secret={secret}']")
    assert f"in {len(tree.tree.play(code))} turn" in text(link)
    assert one(get(client, str(link["href"])), "[data-secret]")["data-secret"] == secret
    back = next(link for link in page.select("#menu a") if "last guess" in link.text)
    assert str(back["href"]) == path.removesuffix(f"-{secret}") + "?help=k"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/guess/p4c10n/n94/7542", "Found in 1 turn. You beat the computer: it needs 7."),
        ("/guess/p4c10n/n2/0123-4567-1935", "Found in 3 turns. You beat the computer: it needs 5."),
        ("/guess/p4c10n/n2/0123-4567-8901-2345-1935", "Found in 5 turns. The computer needs 5."),
        ("/guess/p4c10n/n2/0123-1935?help=u4567", "Found in 2 turns. The computer needs 5."),
        ("/guess/p4c10n/n2/1935?help=k", "Found in 1 turn. The code was known already."),
        ("/guess/p4c10n/n2/0123/reveal", "You gave up. The computer needs 5."),
        ("/guess/p3c4r/n2/reveal", "You gave up."),
        ("/ru/guess/p4c10n/n94/7542", "Отгадано за 1 ход. Вы обогнали компьютер: ему нужно 7."),
    ],
)
def test_result_is_one_sentence_with_the_turns_of_the_computer(
    shipped_client: TestClient, path: str, said: str
):
    assert text(one(get(shipped_client, path), "h1")) == said


TODAY = date(2026, 11, 25)
THIS_WEEK = "p5c8n/2026-11-23"


@pytest.mark.parametrize(
    ("path", "following", "is_current"),
    [
        ("p4c10n/2026-11-25", ["p4c6r/2026-11-25", THIS_WEEK, ""], True),
        ("p4c6r/2026-11-25", ["p4c10n/2026-11-25", THIS_WEEK, ""], True),
        (THIS_WEEK, ["p4c10n/2026-11-25", "p4c6r/2026-11-25", ""], True),
        ("p4c10n/2026-11-24", ["p4c10n/2026-11-25", "p4c6r/2026-11-25", THIS_WEEK, ""], False),
        ("p4c10n/k3f9", [], False),
    ],
)
def test_end_counts_down_only_after_the_newest_puzzle_and_offers_the_others(
    shipped_app: FastAPI,
    path: str,
    following: list[str],
    is_current: bool,
):
    page = parse(on_day(shipped_app, TODAY, f"/guess/{path}/reveal"))
    assert [link["data-next"] for link in page.select("[data-next]")] == following
    assert len(page.select("[data-next]:not([hidden])")) == bool(following)
    assert bool(page.select(".day-next")) == is_current
    figures = [figure["data-figure"] for figure in page.select("[data-figure]")]
    weekly = ["solved", "mean"] if path == THIS_WEEK else ["streak", "best"]
    assert figures == (weekly if is_current else [])


def test_page_does_not_reveal_the_secret_before_the_end(client: TestClient, secret: str):
    """Neither does a hint, unless there is nothing else left."""
    for path in (PUZZLE, f"{PUZZLE}?hints=on", f"{PUZZLE}/{wrong(secret)[0]}", f"{PUZZLE}?guess=9"):
        page = get(client, path, 422 if "guess=9" in path else 200)
        for tag in page.select("details, .ledger, svg, script, link, meta"):
            tag.decompose()
        assert secret not in page.decode()
        assert " ".join(secret) not in page.decode()


def test_giving_up_reveals_the_secret(client: TestClient, secret: str):
    page = get(client, f"{PUZZLE}/{wrong(secret)[0]}?hints=on")
    (link,) = [link for link in page.select("#menu a") if link.text == "Give up"]
    assert link["href"] == f"{PUZZLE}/{wrong(secret)[0]}/reveal?help=h2"
    page = get(client, str(link["href"]))
    assert one(page, "[data-secret]")["data-secret"] == secret
    assert not page.select("[data-before]"), "it is not counted"
    (back,) = [link for link in page.select("#menu a") if link.text == "Back to the game"]
    assert back["href"] == f"{PUZZLE}/{wrong(secret)[0]}?help=k"


@pytest.mark.parametrize(
    ("guess", "message"),
    [
        ("01", "A guess has 3 digits; you wrote 2."),
        ("0123", "A guess has 3 digits; you wrote 4."),
        ("011", "1 appears twice, but no digit repeats in this game"),
        ("019", "“9” does not occur in this game, which has 0 to 4."),
        ("0x1", "“x” does not occur in this game"),
        ("<b>", "“<” does not occur"),
        ("", "Your guess goes here"),
        ("   ", "Your guess goes here"),
        ("٠١٢", "“٠” does not occur"),
    ],
)
def test_invalid_guess_is_reported_next_to_the_field(client: TestClient, guess: str, message: str):
    for headers in ({}, HTMX):
        page = get(client, f"{PUZZLE}?guess={quote(guess)}", 422, headers)
        field = one(page, "#guess")
        assert (field["aria-invalid"], field["value"]) == ("true", guess.strip())
        error = text(one(page, f"#{field['aria-describedby']}"))
        assert error.startswith(message)
        assert text(one(page, "#status")) == error


@pytest.mark.parametrize(
    ("prefix", "rule", "message"),
    [
        ("", "4 different digits, not beginning with 0", "No number of this game begins with 0."),
        ("/ru", "число не начинается с 0", "В этой игре число не начинается с 0."),
    ],
)
def test_no_number_begins_with_zero_where_the_rules_say_so(
    client: TestClient, prefix: str, rule: str, message: str
):
    page = get(client, f"{prefix}/guess/p4c10z/k3f9?guess=0123", 422)
    assert text(one(page, "#guess-error")) == message
    assert rule in text(one(page, "h1"))


def test_pegs_are_chosen_place_by_place(client: TestClient):
    page = get(client, PEGS)
    assert len(page.select("input[name=peg1]")) == 4
    page = get(client, f"{PEGS}?peg1=3", 422)
    assert text(one(page, ".error")) == "Place 2 has no peg yet."
    assert one(page, "input[name=peg1][checked]")["value"] == "3"
    after = get(client, f"{PEGS}/03")
    assert [peg["value"] for peg in after.select("input[checked]")] == ["0", "3"]


def test_hints_are_off_until_asked_for_and_stay_on(client: TestClient, secret: str):
    other = wrong(secret)[0]
    page = get(client, f"{PUZZLE}/{other}")
    assert not page.select(".hints")
    (link,) = [link for link in page.select(".side a") if link.text == "Show hints"]
    page = get(client, str(link["href"]))
    assert one(page, ".hints .best .unseen")
    assert one(page, "form.ask [name=hints]")["value"] == "on"
    assert one(page, ".undo a")["href"] == f"{PUZZLE}?hints=on&help=h2.u{other}"
    (off,) = [link for link in page.select(".hints a") if link.text == "No more hints"]
    assert off["href"] == f"{PUZZLE}/{other}?help=h2"


def test_hints_list_just_the_candidates(client: TestClient, library: Library, secret: str):
    other = wrong(secret)[0]
    page = get(client, f"{PUZZLE}/{other}?hints=on")
    shown = [text(code).replace(" ", "") for code in page.select(".hints .codes .unseen")]
    game = Guessing.parse(library, "p3c5n", "k3f9", other)
    assert shown == [game.rules.text(code) for code in game.candidates]
    assert secret in shown


def test_hint_says_which_answer_rules_a_code_out(client: TestClient, library: Library, secret: str):
    other = wrong(secret)[0]
    game = Guessing.parse(library, "p3c5n", "k3f9", other)
    for code in range(game.rules.size):
        if code in game.guesses:
            continue
        asked = f"{PUZZLE}/{other}?hints=on&check=on&guess={game.rules.text(code)}"
        box = one(get(client, asked), "#checked")
        assert len(box.select("li")) == (code not in game.candidates)
    ruled_out = set(range(game.rules.size)).difference(game.candidates, game.guesses).pop()
    page = get(client, f"{PUZZLE}/{other}?check=on&guess={game.rules.text(ruled_out)}")
    assert one(page, "#checked li"), "hints or not"


NO_PUZZLE = (
    *(f"{PUZZLE}?guess={'1' * 101}", f"{PUZZLE}/012/none", f"{PUZZLE}?limit=7"),
    *(f"{PUZZLE}?limit=13", f"{PUZZLE}?limit=ten", f"{PUZZLE}?hard=1", f"{PUZZLE}?limit=08"),
)
"""Addresses that are wrong whatever is guessed."""


UNKNOWN = ("/guess/none", "/guess/p9c9n", "/guess/p4c10n/today", "/guess/p9c9n/k3f9/0123")
MALFORMED = (
    *(f"{GAME}/K3F9", f"{GAME}/{'k' * 33}", f"{PUZZLE}/01", f"{PUZZLE}/012-", f"{PUZZLE}/011"),
    *(f"{PUZZLE}/012-999", f"{PUZZLE}/" + "-".join(["012"] * 31)),
)


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_error_of_a_wrong_address_names_what_is_wrong(client: TestClient, prefix: str):
    for path in (*NO_PUZZLE, *UNKNOWN, *MALFORMED):
        status = 404 if path.endswith("none") or path in UNKNOWN else 422
        page = get(client, prefix + path, status, {"Accept": "text/html"})
        assert text(one(page, ".detail"))
        ways = [str(link["href"]) for link in page.select(".actions .primary")]
        assert ways == [f"{prefix}/guess/p4c10n" if path in UNKNOWN else f"{prefix}/guess"]


def result(client: TestClient, path: str) -> str:
    """Return the text that the button of a result copies."""
    return str(one(get(client, path), "#result").text).strip()


def test_hints_and_guesses_taken_back_are_part_of_the_result(client: TestClient, secret: str):
    first, second = wrong(secret)[:2]
    path = f"{PUZZLE}/{first}-{secret}?help=h1-2"
    page = get(client, path)
    assert one(page, "[data-hints]").text == "2"
    assert one(page, ".review-later")
    assert ": 2 turns, 2 hints\n" in result(client, path)
    path = f"{PUZZLE}/{first}-{secret}?help=h1.u{second}"
    page = get(client, path)
    assert one(page, "dd[data-undone]").text == "1"
    assert not page.select(".review-later")
    assert ": 2 turns, 1 hint, 1 guess taken back\n" in result(client, path)
    assert "beat" not in text(one(page, "h1"))
    assert one(page, "#board")["data-undone"] == "1"
    assert one(page, ".end .tally tr.here th").text == "3", "it was the third guess"
    russian = result(client, f"/ru{path}")
    assert "1 подсказка, 1 взятый назад ход" in russian


@pytest.mark.parametrize(
    "help", ["x", "h", "h0", "h1.", "u", "k.h1", "u012.h1", "h1k", "u999", "u01", "h1-", "k" * 2000]
)
def test_malformed_help_is_refused(client: TestClient, help: str):
    for path in (PUZZLE, f"/ru{PUZZLE}/012/reveal"):
        assert text(one(get(client, f"{path}?help={help}", 422), ".detail"))


PARTS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        ["p3c5n", "p2c4r", "k3f9", "today", "reveal", "012", "012-013", "-", "00", "h1.u012.k"]
    ),
)


@given(
    st.lists(PARTS, max_size=4),
    st.dictionaries(
        st.sampled_from(["guess", "check", "hints", "peg1", "peg2", "help"]), PARTS, max_size=4
    ),
)
def test_any_address_is_answered(client: TestClient, parts: list[str], query: dict[str, str]):
    path = "/".join(["/guess", *(quote(part, safe="") for part in parts)])
    sent = "&".join(f"{name}={quote(value, safe='')}" for name, value in query.items())
    response = client.get(f"{path}?{sent}")
    assert response.status_code in (200, 303, 307, 404, 422)


def test_longest_game_is_shown_without_a_review(client: TestClient, secret: str):
    guesses = "-".join([wrong(secret)[0]] * MAX_GUESSES)
    assert not get(client, f"/ru{PUZZLE}/{guesses}").select(".to-review")


def test_hints_lead_to_the_analysis_and_the_end_to_the_review_of_the_same_turns(
    client: TestClient, secret: str
):
    first, second = wrong(secret)[:2]
    page = get(client, f"{PUZZLE}/{first}?hints=on")
    answer = one(page, "tr[data-guess]")["data-answer"]
    (link,) = [a for a in page.select(".hints a") if a.text == "Analyse this position"]
    assert link["href"] == f"/analyse/p3c5n?h={first}:{answer}"
    end = f"{PUZZLE}/{first}-{second}/reveal?help=h1"
    review = str(one(get(client, end), ".to-review")["href"])
    page = get(client, review)
    assert [row["data-guess"] for row in page.select(".review > li")] == [first, second]
    assert one(page, ".game-head a")["href"] == end
    old = f"{PUZZLE}/{first}-{second}/prices?help=h1"
    moved = client.get(old).headers["location"]
    assert moved.split("&game=")[0] == review.split("&game=")[0]
