"""How the search ends: without a word where nothing is wrong, and with one where something is."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from unittest.mock import Mock

import pytest

from bullscows_web.analyse.search.service import AnalysisService

ENDING = """
from bullscows_web.analyse.search.service import AnalysisService
service = AnalysisService(1.0, 1)
service.load().join()
print(service.state)
"""
"""A process that ends while it solves the first position requested."""


@pytest.mark.process
def test_process_that_ends_while_it_solves_ahead_is_quiet():
    ended = subprocess.run(
        [sys.executable, "-c", ENDING], capture_output=True, text=True, timeout=120, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "ready\n", "")


@pytest.mark.parametrize(
    ("error", "closed", "logged"),
    [
        (RuntimeError("no more threads"), True, False),
        (RuntimeError("no more threads"), False, True),
        (ValueError("wrong"), True, True),
    ],
)
def test_only_errors_caused_by_closing_are_not_logged(
    caplog: pytest.LogCaptureFixture, error: Exception, closed: bool, logged: bool
):
    service = AnalysisService(1.0, 1)
    service._steps = _failing(service if closed else None, error)
    service._solve_on()
    service.close()
    assert ("can't be solved" in caplog.text) is logged


def test_what_solving_ahead_leaves_goes_back_to_the_system(monkeypatch: pytest.MonkeyPatch):
    given_back = Mock()
    monkeypatch.setattr("bullscows_web.analyse.search.service.give_back", given_back)
    service = AnalysisService(1.0, 1)
    service._steps = iter([None])
    service._solve_on()
    service._pool.shutdown(wait=True)
    given_back.assert_called_once_with()


def _failing(closed: AnalysisService | None, error: Exception) -> Iterator[None]:
    if closed:
        closed.close()
    raise error
    yield
