"""The page of daily and weekly puzzles."""

from datetime import date, timedelta

import pytest
from starlette.testclient import TestClient

from bullscows_web.guess import daily
from tests.support.pages import get, one, text

TODAY = date(2026, 11, 25)
"""A Wednesday."""


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daily, "today", lambda: TODAY)


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
    assert seen + len(linked(shipped_client, month)) == (TODAY - daily.FIRST).days + 1
    assert text(one(get(shipped_client, month), "#month")) == "November 2026"


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("month=2025-12", 404),
        ("month=2026-12", 404),
        ("month=2026-13", 422),
        ("month=x", 422),
        ("rules=p9c9n", 404),
    ],
)
def test_other_months_and_games_are_refused(shipped_client: TestClient, query: str, status: int):
    assert shipped_client.get(f"/daily?{query}").status_code == status
