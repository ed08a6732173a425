"""Cycle diagrams: how a second guess moves the symbols of the first (Francis, "Equivalences").

Each place of the second guess takes its symbol from a place of the first, or brings a new one. This
makes closed cycles, and chains that end in a new symbol. If no symbol repeats, two second
guesses are equivalent exactly if their cycles have the same lengths and kinds: twenty classes for
four places, the repeated guess among them.

>>> diagram(cycles_of("p4c10n", "0123", "1045"))
'(• •)(• ◦)(• ◦)'
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bullscows.game.rules import Code, CodeIndex, Rules, RulesError

PLACE, NEW = "•", "◦"
"""The marks of a place and of a new symbol in a diagram."""


@dataclass(frozen=True)
class Cycle:
    """One cycle, or one chain that ends in a new symbol."""

    places: tuple[int, ...]
    """Each takes the symbol that the first guess has at the next: 0 for the first place."""
    is_open: bool
    """Whether the last takes a new symbol, and not the one at the first of `places`."""

    def __str__(self) -> str:
        marks = [PLACE] * len(self.places) + [NEW] * self.is_open
        return f"({' '.join(marks)})"


def cycles_of(
    game: Rules | str, first: CodeIndex | str, second: CodeIndex | str
) -> tuple[Cycle, ...]:
    """Return the cycles of two guesses: closed ones, short to long, then chains, long to short.

    Raises `RulesError` if symbols may repeat: then a place may take its symbol from several places.
    Raises `CodeError` if a guess is not a code of the game.
    """
    rules = Rules.of(game)
    if rules.repeats:
        raise RulesError(f"{rules}: guesses have cycles only where no symbol repeats")
    before, after = (rules.code(guess) for guess in rules.numbers([first, second]))
    sources = [before.index(symbol) if symbol in before else None for symbol in after]
    return tuple(sorted(_follow(sources, before, after), key=_place_in_diagram))


def diagram(found: Sequence[Cycle]) -> str:
    """Return cycles as Francis prints them."""
    return "".join(map(str, found))


def _follow(sources: list[int | None], before: Code, after: Code) -> Iterator[Cycle]:
    """Yield each cycle and chain once; `sources` says where each place takes its symbol from."""
    chain_heads = [place for place, symbol in enumerate(before) if symbol not in after]
    seen: set[int] = set()
    for head in [*chain_heads, *range(len(sources))]:
        places = []
        place: int | None = head
        while place is not None and place not in seen:
            seen.add(place)
            places.append(place)
            place = sources[place]
        if places:
            yield Cycle(tuple(places), head in chain_heads)


def _place_in_diagram(cycle: Cycle) -> tuple[bool, int]:
    return cycle.is_open, -len(cycle.places) if cycle.is_open else len(cycle.places)
