"""Reference versions of the kernels and the search: plain recursion, without bounds or tables.

They share no code with the engine, so that both cannot have the same error.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import permutations
from typing import Any


def naive_value(
    responses: Sequence[Sequence[int]],
    win: int,
    weights: Sequence[int],
    candidates: tuple[int, ...],
    turn: int = 1,
    *,
    candidates_only: bool = False,
) -> int | None:
    """Return the least sum of ``weights[turn - 1]``; None if the turns do not suffice.

    Tries every guess that splits the candidates in every position, or every candidate.
    """
    guesses = range(len(responses))

    @cache
    def least(members: tuple[int, ...], turn: int) -> int | None:
        if turn > len(weights):
            return None
        costs = [
            cost
            for parts in {
                split(members, guess) for guess in (members if candidates_only else guesses)
            }
            if (cost := sum_of(parts, turn, len(members))) is not None
        ]
        return min(costs, default=None)

    def split(members: tuple[int, ...], guess: int) -> tuple[tuple[bool, tuple[int, ...]], ...]:
        parts = _split(responses, members, guess)
        return tuple(sorted((answer == win, part) for answer, part in parts.items()))

    def sum_of(parts: Any, turn: int, count: int) -> int | None:
        total = 0
        for won, part in parts:
            later = None if won or len(part) == count else least(part, turn + 1)
            cost = weights[turn - 1] if won else later
            if cost is None:
                return None
            total += cost
        return total

    return least(candidates, turn)


def naive_first_guess(responses, win, weights, candidates, turn=1):
    """Return the guess that the search must report, by the stated order of ties."""
    if naive_value(responses, win, weights, candidates, turn) is None:
        return None
    if len(candidates) <= 2:
        return candidates[0]
    if perfect := _perfect(responses, candidates):
        return perfect[0]

    def key(guess):
        stored = naive_stored(responses, win, weights, candidates, turn, guess)
        return stored, guess not in candidates, guess

    return min(_tied_guesses(responses, win, weights, candidates, turn), key=key)


def naive_stored(responses, win, weights, candidates, turn, first=None):
    """Return how many nodes the shortest optimal tree stores, `first` being its guess if given."""
    if len(candidates) <= 2 or _perfect(responses, candidates):
        return 0
    tied = _tied_guesses(responses, win, weights, candidates, turn) if first is None else [first]
    splits = [_split(responses, candidates, guess) for guess in tied]
    parts = [[part for answer, part in split.items() if answer != win] for split in splits]
    return 1 + min(
        sum(naive_stored(responses, win, weights, part, turn + 1) for part in some)
        for some in parts
    )


def _perfect(responses, candidates):
    """Return the candidates that split all."""
    return [g for g in candidates if len(_split(responses, candidates, g)) == len(candidates)]


def _tied_guesses(responses, win, weights, candidates, turn):
    """Return all guesses that attain the value of a position that has one."""
    value = naive_value(responses, win, weights, candidates, turn)
    tied = []
    for guess in range(len(responses)):
        parts = _split(responses, candidates, guess)
        costs = [
            weights[turn - 1]
            if answer == win
            else naive_value(responses, win, weights, part, turn + 1)
            for answer, part in parts.items()
        ]
        if len(parts) > 1 and None not in costs and sum(cost or 0 for cost in costs) == value:
            tied.append(guess)
    return tied


def _split(responses, candidates, guess) -> dict[int, tuple[int, ...]]:
    parts: dict[int, list[int]] = {}
    for secret in candidates:
        parts.setdefault(responses[secret][guess], []).append(secret)
    return {answer: tuple(part) for answer, part in parts.items()}


def naive_parts(responses: Sequence[Sequence[int]], members: Sequence[int]) -> list[int]:
    """Return the number of parts that each guess makes of `members`."""
    guesses = range(len(responses))
    return [len({responses[secret][guess] for secret in members}) for guess in guesses]


def naive_caps(responses: Sequence[Sequence[int]], win: int, answers: int, guess: int) -> list[int]:
    """Return, by answer to `guess`, the most parts of who gives it that any guess makes.

    The part that is the own win of the other guess does not count.
    """
    codes = range(len(responses))
    classes = [[code for code in codes if responses[code][guess] == a] for a in range(answers)]
    return [
        max(len({responses[secret][other] for secret in members} - {win}) for other in codes)
        for members in classes
    ]


def naive_rooms(caps: Sequence[Sequence[int]], slots: int, cap: int) -> Iterator[int]:
    """Yield the most secrets at each turn after a guess of `slots` parts; `caps` by kind."""

    def together(parts: int) -> int:
        each = [sorted((min(one, cap) for one in row[:-1]), reverse=True) for row in caps]
        return max(sum(row[:parts]) for row in each)

    now = slots
    later = together(slots)
    while True:
        yield now
        now, later = later, min(later * cap, now * together(cap))


def naive_fill(count: int, rooms: Iterable[int], turn: int, weights: Sequence[int]) -> int | None:
    """Return the least cost of `count` secrets, one at a time; `rooms` limits each turn."""
    total = 0
    left = 0
    later = iter(rooms)
    turn -= 1
    for _ in range(count):
        if left == 0:
            left = next(later)
            turn = turn + 1
            if left == 0:
                return None
        if turn > len(weights):
            return None
        total += weights[turn - 1]
        left -= 1
    return total


def naive_orders(positions: int, history: Sequence[Sequence[int]], pinned: int = 0) -> int:
    """Return how many orders of the positions fix all codes, with symbols renamed to suit.

    The first `pinned` positions and symbols stay as they are.
    """

    def fits(order: tuple[int, ...]) -> bool:
        if order[:pinned] != tuple(range(pinned)):
            return False
        renamed = {(code[order[j]], code[j]) for code in history for j in range(positions)}
        renamed |= {(symbol, symbol) for symbol in range(pinned)}
        return len(renamed) == len({a for a, _ in renamed}) == len({b for _, b in renamed})

    return sum(map(fits, permutations(range(positions))))


def naive_front(
    responses: Sequence[Sequence[int]],
    win: int,
    weights: tuple[Sequence[int], Sequence[int]],
    candidates: tuple[int, ...],
) -> set[tuple[int, int]]:
    """Return all pairs of costs that no strategy betters in both, from the first turn on."""
    guesses = range(len(responses))
    turns = len(weights[0])

    @cache
    def front(members: tuple[int, ...], turn: int) -> frozenset[tuple[int, int]]:
        if turn > turns:
            return frozenset()
        return best({pair for guess in guesses for pair in pairs(members, guess, turn)})

    def pairs(members: tuple[int, ...], guess: int, turn: int) -> frozenset[tuple[int, int]]:
        parts = _split(responses, members, guess)
        if len(parts) == 1 and win not in parts:
            return frozenset()
        sums = frozenset({(0, 0)})
        for answer, part in parts.items():
            if answer == win:
                points = frozenset({(weights[0][turn - 1], weights[1][turn - 1])})
            else:
                points = front(part, turn + 1)
            sums = best({(a + c, b + d) for a, b in sums for c, d in points})
        return sums

    def best(found: set[tuple[int, int]]) -> frozenset[tuple[int, int]]:
        kept: list[tuple[int, int]] = []
        for pair in sorted(found):
            if not kept or pair[1] < kept[-1][1]:
                kept.append(pair)
        return frozenset(kept)

    return set(front(candidates, 1))
