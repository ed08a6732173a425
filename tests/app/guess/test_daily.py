"""The puzzle of the day and its calendar: which texts are days, and which days are open."""

import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from fastapi import FastAPI
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from bullscows_web.guess.puzzle import FIRST, WEEKLY, Puzzle, check, current, day_of, get_today
from bullscows_web.language.words import BULLS_COWS
from bullscows_web.trees.library import Library
from bullscows_web.web.exceptions import MalformedError, NotFoundError, NotOpenError
from tests import ROOT
from tests.support.pages import get, one, text

DOCUMENT = ROOT / "docs" / "reference" / "puzzles.md"


@given(st.dates())
def test_date_is_a_day(day: date):
    assert day_of(day.isoformat()) == day


@given(st.dates(), st.sampled_from(["00", "32", "99"]), st.sampled_from([5, 8]))
def test_date_that_does_not_exist_is_refused(day: date, part: str, place: int):
    text = day.isoformat()
    text = text[:place] + part + text[place + 2 :]
    with pytest.raises(MalformedError, match=text):
        day_of(text)


@pytest.mark.parametrize("seed", ["k3f9", "20261121", "2026-w47-6", "2026-11-21-2", "2026-11"])
def test_other_seed_is_no_day(seed: str):
    assert day_of(seed) is None


@given(st.dates(), st.dates())
def test_days_from_the_first_to_today_are_open(day: date, today: date):
    if FIRST <= day <= today:
        check(day, today)
    else:
        with pytest.raises(NotFoundError if day < FIRST else NotOpenError):
            check(day, today)


@given(st.dates(min_value=date(2026, 1, 5)))
def test_weekly_puzzle_is_that_of_the_last_monday(today: date):
    monday = current(WEEKLY, today)
    assert monday.weekday() == 0
    assert timedelta(0) <= today - monday < timedelta(7)
    assert current(BULLS_COWS, today) == today


@pytest.mark.process
def test_document_derives_the_code_that_is_played(shipped_library: Library):
    text = DOCUMENT.read_text(encoding="utf-8")
    command = re.search(r'python3 -c "(.*?)"\n    (\d+)\n', text, re.S)
    assert command
    program = [sys.executable, "-c", command[1].replace("\n    ", "\n")]
    shown = subprocess.check_output(program, text=True).strip()
    puzzle = Puzzle.parse(shipped_library, "p4c10n", "2026-11-21")
    assert shown == command[2] == str(puzzle.secret)
    assert f"Code {shown} of the 5040 is {puzzle.rules.text(puzzle.secret)}." in text


TODAY = date(2026, 11, 25)
"""A Wednesday."""


@pytest.fixture(autouse=True)
def clock(shipped_app: FastAPI) -> Iterator[None]:
    shipped_app.dependency_overrides[get_today] = lambda: TODAY
    yield
    del shipped_app.dependency_overrides[get_today]


def linked(client: TestClient, path: str) -> list[str]:
    """Return the paths of the puzzles that the calendar links to."""
    return [str(a["href"]) for a in get(client, path).select(".month a")]


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_days_of_the_month_up_to_today_are_linked(shipped_client: TestClient, prefix: str):
    page = f"{prefix}/guess/p4c10n/2026-11-"
    assert linked(shipped_client, f"{prefix}/daily") == [f"{page}{day:02}" for day in range(1, 26)]
    today = one(get(shipped_client, f"{prefix}/daily"), ".month [aria-current]")
    assert today["href"] == f"{page}25"


def test_mondays_have_a_weekly_puzzle(shipped_client: TestClient):
    path = "/daily?rules=p5c8n&month=2026-06"
    days = [date(2026, 6, 1) + timedelta(7 * week) for week in range(5)]
    assert linked(shipped_client, path) == [f"/guess/p5c8n/{day}" for day in days]
    newest = one(get(shipped_client, path), ".days .primary")["href"]
    assert newest == "/guess/p5c8n/2026-11-23"
    begun = shipped_client.get("/guess/p5c8n/today", follow_redirects=False)
    assert begun.headers["location"] == newest


def test_months_lead_from_the_first_puzzle_to_today(shipped_client: TestClient):
    month, seen = "/daily?rules=p4c6r&month=2026-01", 0
    assert not get(shipped_client, month).select("[rel=prev]")
    while later := get(shipped_client, month).select("[rel=next]"):
        month, seen = str(later[0]["href"]), seen + len(linked(shipped_client, month))
    assert month.endswith("2026-11")
    assert seen + len(linked(shipped_client, month)) == (TODAY - FIRST).days + 1
    assert text(one(get(shipped_client, month), "#month")) == "November 2026"


@pytest.mark.parametrize(
    ("query", "status"),
    [
        *(("month=2025-12", 404), ("month=2026-12", 404), ("month=2026-13", 422), ("month=x", 422)),
        ("rules=p9c9n", 404),
    ],
)
def test_other_months_and_games_are_refused(shipped_client: TestClient, query: str, status: int):
    assert shipped_client.get(f"/daily?{query}").status_code == status
