"""The puzzle of the day: which texts are days, and which days are open."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows_web.guess.daily import (
    FIRST,
    WEEKLY,
    check,
    current,
    day_of,
    opening,
)
from bullscows_web.guess.puzzle import Puzzle
from bullscows_web.language.words import BULLS_COWS
from bullscows_web.trees.library import Library
from bullscows_web.web.errors import MalformedError, NotFoundError, NotOpenError
from tests import ROOT

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


def test_leap_day_is_one_in_leap_years_only():
    assert day_of("2028-02-29") == date(2028, 2, 29)
    with pytest.raises(MalformedError):
        day_of("2026-02-29")


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


def test_day_opens_when_its_date_begins_in_utc():
    assert opening(date(2026, 11, 22)) == datetime(2026, 11, 22, tzinfo=UTC)
    assert opening(date(2026, 11, 22)) - opening(date(2026, 11, 21)) == timedelta(days=1)


@pytest.mark.process
def test_document_derives_the_code_that_is_played(shipped_library: Library):
    text = DOCUMENT.read_text(encoding="utf-8")
    command = re.search(r'python3 -c "(.*?)"\n    (\d+)\n', text, re.S)
    assert command
    shown = subprocess.run(
        [sys.executable, "-c", command[1].replace("\n    ", "\n")],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    puzzle = Puzzle.parse(shipped_library, "p4c10n", "2026-11-21")
    assert shown == command[2] == str(puzzle.secret)
    assert f"Code {shown} of the 5040 is {puzzle.rules.text(puzzle.secret)}." in text


def test_document_names_the_first_day():
    assert f"first is that of {FIRST}" in " ".join(DOCUMENT.read_text(encoding="utf-8").split())
