"""Whole games in Firefox by keyboard: answering, guessing, the duel."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bullscows.game.rules import Answer, respond
from tests.support.drivers.firefox import Firefox, FirefoxTab
from tests.support.drivers.tabs import wait_for

SECRET = "9805"

ASKED = "document.querySelector('.guess-code[data-guess]')"
TURNS = "document.querySelectorAll('.ledger tbody tr').length"
MINE, THEIRS = (
    f"document.querySelectorAll('[aria-labelledby={whose}] tr[data-guess]').length"
    for whose in ("mine", "theirs")
)
RESULT = "document.querySelector('.duel-result')?.dataset.result"

pytestmark = pytest.mark.slow


@pytest.fixture
def tab(firefox: Firefox) -> Iterator[FirefoxTab]:
    """A tab of Firefox."""
    tab = FirefoxTab(firefox)
    yield tab
    tab.close()


def attribute(tab: FirefoxTab, name: str) -> str | None:
    """Return the value of the first element with an attribute."""
    value = tab.evaluate(f"document.querySelector('main [{name}]')?.getAttribute('{name}')")
    assert value is None or isinstance(value, str)
    return value


def press_all(tab: FirefoxTab, keys: str) -> None:
    for key in keys:
        tab.press(key)


def right_answer(tab: FirefoxTab) -> Answer:
    """Return the true answer to the guess on the board."""
    return respond(str(tab.evaluate(f"{ASKED}.dataset.guess")), SECRET)


def test_guess_is_found_by_two_digits_a_turn(tab: FirefoxTab, site: str):
    tab.goto(f"{site}/play/avg-bulls-cows/k3")
    for turn in range(1, 9):
        press_all(tab, "".join(map(str, right_answer(tab))))
        wait_for(tab, TURNS, turn)
        if attribute(tab, "data-secret"):
            break
    assert attribute(tab, "data-secret") == SECRET


def test_code_is_guessed_by_typing_and_the_find_is_shown(tab: FirefoxTab, site: str):
    tab.goto(f"{site}/guess/p4c10n/k3f9")
    for turn, code in enumerate(("0123", "4567", "0456", "4620"), 1):
        press_all(tab, code)
        tab.press("Enter")
        wait_for(tab, TURNS, turn)
    assert attribute(tab, "data-secret") == "4620"


def test_duel_is_played_to_its_end(tab: FirefoxTab, site: str):
    tab.goto(f"{site}/duel/p4c10n/new?level=champion")
    for turn, code in enumerate(("0123", "4567", "8901", "2345", "6789", "1357", "0246"), 1):
        wait_for(tab, "!!document.querySelector('form.fill')", True)
        press_all(tab, code)
        tab.press("Enter")
        wait_for(tab, MINE, turn)
        if tab.evaluate(RESULT):
            break
        wait_for(tab, f"!!{ASKED}", True)
        tab.evaluate(
            f"document.querySelector('a.cell[data-answer=\"{right_answer(tab)}\"]').click()"
        )
        wait_for(tab, THEIRS, turn)
        if tab.evaluate(RESULT):
            break
    assert tab.evaluate(RESULT) in {"won", "drawn", "lost"}
