"""The static game: how many guesses, made before any answer, tell all codes apart."""

from __future__ import annotations

from collections.abc import Iterator

from bullscows.report.rows import Row, Section, published
from bullscows.strategies.static_game import StaticSet, static_set

DIGITS = ("p2c10n", *(f"p3c{symbols}n" for symbols in range(4, 11)), "p4c5n", "p4c6n")
"""Games without repeats that end: in seconds, but 3 of 10 digits in a minute."""

COLOURS = (
    *(f"p2c{symbols}r" for symbols in range(2, 11)),
    *(f"p3c{symbols}r" for symbols in range(2, 8)),
    *(f"p4c{symbols}r" for symbols in range(2, 6)),
)
"""Mastermind games that end in seconds."""


def digits(_jobs: int) -> Iterator[Row]:
    """Fewest guesses for numbers without repeats."""
    return _rows(DIGITS)


def colours(_jobs: int) -> Iterator[Row]:
    """Fewest guesses for Mastermind; of two pegs Goddard proved two thirds of the colours."""
    return _rows(COLOURS)


def _rows(games: tuple[str, ...]) -> Iterator[Row]:
    known = published()["static"]["sizes"]
    for game in games:
        found = static_set(game)
        if found.interrupted:
            raise KeyboardInterrupt
        yield _size(game, str(known.get(game, "")), found)
        yield Row(f"{game}, a set", "", " ".join(found.texts))


def _size(game: str, known: str, found: StaticSet) -> Row:
    """Return the fewest guesses, or both bounds of them where the search came to no end."""
    label, size = f"{game}, guesses", len(found.guesses)
    if found.proved:
        return Row(label, known, str(size))
    return Row(label, known, f"{found.lower} to {size}", "not proved", unexplained=True)


SECTIONS = {
    "static-digits": Section("The static game without repeats", "our own", digits),
    "static-colours": Section(
        "The static game with repeats", "Goddard 2003, as cited by Jäger and Drewes 2018", colours
    ),
}
