"""Best replies and champions, held against all strategies of tiny games."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import zip_longest

import pytest

from bullscows.game.duel import OPPOSITE, Lengths, Tie, reply_weights, score
from bullscows.game.rules import Rules, respond
from bullscows.strategies.duel import best_reply, champions, is_only_reply

pytestmark = pytest.mark.large

TINY = ("p2c3r", "p2c4n", "p3c2r")
TIES: tuple[Tie, ...] = ("draw", "won", "lost")


@cache
def all_lengths(text: str) -> frozenset[tuple[int, ...]]:
    """The lengths of every strategy of a game whose guesses all split the candidates or win."""
    rules = Rules.parse(text)
    codes = [rules.code(index) for index in range(rules.size)]

    @cache
    def ways(left: frozenset[int]) -> frozenset[tuple[int, ...]]:
        return frozenset(lengths for guess in range(rules.size) for lengths in after(left, guess))

    def after(left: frozenset[int], guess: int) -> Iterator[tuple[int, ...]]:
        parts: dict[object, set[int]] = {}
        for code in left:
            parts.setdefault(respond(codes[guess], codes[code]), set()).add(code)
        if len(parts) == 1 and left != {guess}:
            return  # it splits nothing
        found: set[tuple[int, ...]] = {(1 if guess in left else 0,)}
        for part in parts.values():
            if part == {guess}:
                continue
            found = {
                tuple(a + b for a, b in zip_longest(first, (0, *rest), fillvalue=0))
                for first in found
                for rest in ways(frozenset(part))
            }
        yield from found

    return ways(frozenset(range(rules.size)))


@pytest.mark.parametrize("text", TINY)
@pytest.mark.parametrize("tie", TIES)
def test_no_strategy_replies_better(text: str, tie: Tie) -> None:
    for theirs in sorted(all_lengths(text))[::7]:
        nets = {mine: score(mine, theirs, tie).net for mine in all_lengths(text)}
        reply = best_reply(text, theirs, tie)
        mine = reply.tree.distribution
        assert reply.score == score(mine, theirs, tie)
        assert reply.score.net == max(nets.values())
        others = [lengths for lengths, net in nets.items() if net == reply.score.net]
        alike = {_by_weight(lengths, theirs, tie) for lengths in others}
        assert is_only_reply(text, mine, theirs, tie) is (len(alike) == 1)


def _by_weight(mine: Lengths, theirs: Lengths, tie: Tie) -> tuple[tuple[int, int], ...]:
    """The secrets by what their turns are worth: at some turns one wins and loses the same."""
    weights = reply_weights(theirs, tie, len(theirs) + len(mine))
    found = Counter[int]()
    for weight, count in zip(weights, mine, strict=False):
        found[weight] += count
    return tuple(sorted((+found).items()))


@pytest.mark.parametrize("text", TINY)
@pytest.mark.parametrize("tie", ["draw", "won"])
def test_neither_of_two_champions_can_do_better(text: str, tie: Tie) -> None:
    found = champions(text, tie)
    begins = found.begins
    follows = found.follows
    mine = begins.tree.distribution
    theirs = follows.tree.distribution
    assert begins.score.net == max(score(any_, theirs, tie).net for any_ in all_lengths(text))
    assert follows.score.net == max(
        score(any_, mine, OPPOSITE[tie]).net for any_ in all_lengths(text)
    )
    assert begins.score.net == -follows.score.net
    assert (begins.score.net > 0) == (tie == "won")
    assert found.gains[-1] == 0


def test_champion_of_three_digits_is_the_shipped_one() -> None:
    """Fewest turns on average, 3575, lose to it; the champion takes 3579."""
    found = champions("p3c10n")
    assert found.begins.tree.distribution == (1, 4, 18, 141, 394, 152, 10)
    assert [gain > 0 for gain in found.gains] == [True] * (len(found.gains) - 1) + [False]


def test_an_opponent_of_another_game_is_only_its_lengths() -> None:
    slow: Lengths = (0, 0, 0, 0, 0, 0, 0, 5)
    assert best_reply("p2c3r", slow).score.net == Fraction(1)
    assert best_reply("p2c3r", (7,), OPPOSITE["draw"]).score.net < 0
