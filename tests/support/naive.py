"""Reference versions of the kernels and the search: plain recursion, without bounds or tables.

They share no code with the engine, so that both cannot have the same error.
"""

from collections.abc import Sequence
from functools import cache
from itertools import permutations


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
        parts: dict[int, list[int]] = {}
        for secret in members:
            parts.setdefault(responses[secret][guess], []).append(secret)
        return tuple(sorted((answer == win, tuple(part)) for answer, part in parts.items()))

    def sum_of(
        parts: tuple[tuple[bool, tuple[int, ...]], ...], turn: int, count: int
    ) -> int | None:
        total = 0
        for won, part in parts:
            if won:
                total += weights[turn - 1]
                continue
            if len(part) == count:
                return None
            cost = least(part, turn + 1)
            if cost is None:
                return None
            total += cost
        return total

    return least(candidates, turn)


def naive_first_guess(
    responses: Sequence[Sequence[int]],
    win: int,
    weights: Sequence[int],
    candidates: tuple[int, ...],
    turn: int = 1,
) -> int | None:
    """Return the guess that the search must report, by the stated order of ties."""
    value = naive_value(responses, win, weights, candidates, turn)
    if value is None:
        return None
    if len(candidates) <= 2:
        return candidates[0]
    for guess in candidates:
        if len({responses[secret][guess] for secret in candidates}) == len(candidates):
            return guess
    tied = _tied_guesses(responses, win, weights, candidates, turn)
    return min(
        tied,
        key=lambda guess: (
            naive_stored(responses, win, weights, candidates, turn, guess),
            guess not in candidates,
            guess,
        ),
    )


def naive_stored(
    responses: Sequence[Sequence[int]],
    win: int,
    weights: Sequence[int],
    candidates: tuple[int, ...],
    turn: int,
    first: int | None = None,
) -> int:
    """Return how many nodes the shortest optimal tree stores, `first` being its guess if given."""
    if len(candidates) <= 2 or any(
        len({responses[secret][guess] for secret in candidates}) == len(candidates)
        for guess in candidates
    ):
        return 0
    tied = _tied_guesses(responses, win, weights, candidates, turn) if first is None else [first]
    return 1 + min(
        sum(
            naive_stored(responses, win, weights, part, turn + 1)
            for answer, part in _split(responses, candidates, guess).items()
            if answer != win
        )
        for guess in tied
    )


def _tied_guesses(
    responses: Sequence[Sequence[int]],
    win: int,
    weights: Sequence[int],
    candidates: tuple[int, ...],
    turn: int,
) -> list[int]:
    """Return all guesses that attain the value of a position that has one."""
    value = naive_value(responses, win, weights, candidates, turn)
    tied = []
    for guess in range(len(responses)):
        parts = _split(responses, candidates, guess)
        if len(parts) == 1:
            continue
        costs = [
            weights[turn - 1]
            if answer == win
            else naive_value(responses, win, weights, part, turn + 1)
            for answer, part in parts.items()
        ]
        if None not in costs and sum(cost for cost in costs if cost is not None) == value:
            tied.append(guess)
    return tied


def _split(
    responses: Sequence[Sequence[int]], candidates: tuple[int, ...], guess: int
) -> dict[int, tuple[int, ...]]:
    parts: dict[int, tuple[int, ...]] = {}
    for secret in candidates:
        answer = responses[secret][guess]
        parts[answer] = (*parts.get(answer, ()), secret)
    return parts


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


def naive_fill(
    count: int, room: int, turn: int, fan_out: int, weights: Sequence[int]
) -> int | None:
    """Return the least cost of `count` secrets with growing capacity, one secret at a time."""
    total = 0
    left = room
    for _ in range(count):
        if left == 0:
            room, turn = room * fan_out, turn + 1
            left = room
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
        parts: dict[int, list[int]] = {}
        for secret in members:
            parts.setdefault(responses[secret][guess], []).append(secret)
        if len(parts) == 1 and win not in parts:
            return frozenset()
        sums = frozenset({(0, 0)})
        for answer, part in parts.items():
            if answer == win:
                points = frozenset({(weights[0][turn - 1], weights[1][turn - 1])})
            else:
                points = front(tuple(part), turn + 1)
            sums = best({(a + c, b + d) for a, b in sums for c, d in points})
        return sums

    def best(found: set[tuple[int, int]]) -> frozenset[tuple[int, int]]:
        kept: list[tuple[int, int]] = []
        for pair in sorted(found):
            if not kept or pair[1] < kept[-1][1]:
                kept.append(pair)
        return frozenset(kept)

    return set(front(candidates, 1))
