"""Histories in addresses: ``h=0123:0.1-4567:1.1``."""

from __future__ import annotations

from bullscows.game.candidates import MAX_HISTORY
from bullscows.game.history import History, HistoryTextError
from bullscows.game.rules import Rules
from bullscows_web.web.errors.problems import Kind, ProblemError


class MalformedHistoryError(ProblemError, ValueError):
    """Turns that can't be read, or more than a position may have behind it."""

    kind = Kind(
        422,
        "malformed-history",
        "These are not turns of a game",
        "write guess:answer with - between turns, as in 0123:0.1-4567:1.1",
    )


def address_text(history: History) -> str:
    """Return a history as it stands in an address; inverse of `read_address`.

    Raises
    ------
    MalformedHistoryError
        If there are too many turns.
    """
    return "-".join(_checked(history).texts)


def read_address(rules: Rules, text: str) -> History:
    """Read a history as it stands in an address; inverse of `address_text`.

    Raises
    ------
    MalformedHistoryError
        If a turn is not written so, or there are too many.
    CodeError, AnswerError
        If a guess or an answer does not exist in the game.
    """
    try:
        history = History.parse(rules, text.replace("-", " "))
    except HistoryTextError as error:
        raise MalformedHistoryError(str(error)) from None
    return _checked(history)


def _checked(history: History) -> History:
    if len(history) > MAX_HISTORY:
        raise MalformedHistoryError(
            f"a position has at most {MAX_HISTORY} turns behind it here, not {len(history)}"
        )
    return history
