"""The beginning of a tree's string taken apart, for people who want to read one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bullscows.tree.codec import (
    BASE,
    DIGITS,
    digits_per_guess,
)
from bullscows.tree.nodes import Node
from bullscows.tree.strategy_tree import special_guess
from bullscows_web.trees.library import Entry


@dataclass(frozen=True)
class StoredGuess:
    """One guess of a string."""

    characters: str
    r"""Its digits as they stand in the string, DEL written ``\x7f``."""
    values: tuple[int, ...]
    """The values of the digits, 0 to 91, most significant first."""
    number: int
    """The number of the guess among all codes."""
    code: str
    """The guess."""
    answers: str
    """The answers that lead to its node, as in ``0.1 1.1``; nothing for the root."""
    remaining: int
    """How many candidates its node has."""

    @property
    def sum(self) -> str:
        """How the values make the number, as in ``1 · 92 + 37``."""
        last = len(self.values) - 1
        return " + ".join(
            f"{value} · {BASE ** (last - place)}" if place < last else str(value)
            for place, value in enumerate(self.values)
        )


def first_stored(entry: Entry, count: int) -> list[StoredGuess]:
    """Return the first stored guesses of a tree, in the order of its string."""
    width = digits_per_guess(entry.rules)
    found = []
    for place, node in zip(range(count), _stored(entry), strict=False):
        text = entry.record.string[place * width : (place + 1) * width]
        answers = entry.rules.answers
        found.append(
            StoredGuess(
                characters=text.replace("\x7f", "\\x7f"),
                values=tuple(map(DIGITS.index, text)),
                number=node.guess,
                code=entry.rules.text(node.guess),
                answers=" ".join(str(answers[answer]) for _, answer in entry.tree.path(node)),
                remaining=node.size,
            )
        )
    return found


def _stored(entry: Entry) -> Iterator[Node]:
    """Yield the nodes whose guess the string holds, in its order."""
    for node in entry.tree.nodes:
        if special_guess(entry.rules, node.candidates) is None:
            yield node
