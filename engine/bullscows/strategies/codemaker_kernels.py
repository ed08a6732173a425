"""The exact search of a game whose secrets have weights, compiled.

The cost of a strategy is the sum over secrets of the weight times the number of turns.  Secrets of
one kind weigh the same.  The search of `bullscows.kernels` weighs all secrets alike, and its bounds
and its table rely on that; here the bounds count the secrets of each kind.
"""

from __future__ import annotations

from dataclasses import dataclass

from bullscows.kernels.compiling.jit import Bytes, Codes, Numbers, Words, int64, kernel, uint64
from bullscows.kernels.compiling.object_files import Structure
from bullscows.kernels.parts import count_parts

LEVELS = 40
"""The most turns of a strategy that the search looks at."""

STOP, SETS, TOO_DEEP = range(3)
"""Entries of `Search.signal`: whether to stop, sets searched, whether `LEVELS` were too few."""

_ENDLESS = 1 << 62
"""The cost of a guess that gives no information."""

_SEARCHED = 3
"""Smaller parts cost what their bound by size says."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Search(Structure):
    """A game with weights, what is known of its sets, and arrays to write on.

    Arrays with `LEVELS` rows have one for each turn.
    """

    responses: Bytes
    """(codes * stride,): the answer of each secret to each guess."""
    stride: int
    answers: int
    win: int
    kinds: Numbers
    """(codes,): the kind of each code; kinds are sorted by weight, the heaviest is 0."""
    weights: Numbers
    """(kinds,): the weight of a secret of each kind, descending, not negative."""
    allowed: Bytes
    """(kinds + 1, codes): whether to try a guess second after a first one of each kind; the last
    row has the guesses to try first."""
    noise: Words
    """(codes, 2): random words, whose sums identify a set."""
    checks: Words
    """(slots,): identifies the set of an entry; 0: none."""
    costs: Numbers
    """(slots,): the least cost of the set, or a lower bound."""
    guesses: Numbers
    """(slots,): a guess of the least cost; -1: the cost is a lower bound."""
    signal: Numbers
    """(3,): see `STOP`."""
    secrets: Codes
    """(LEVELS, codes): the set under search."""
    made: Bytes
    """(LEVELS, stride): how many parts each guess makes of it."""
    bounds: Numbers
    """(LEVELS, codes): a lower bound on the cost of each guess."""
    counts: Numbers
    """(LEVELS, answers, kinds): the secrets by their answer to a guess and by kind."""
    sizes: Numbers
    """(LEVELS, answers): the sizes of the parts of the guess, the win left out."""
    least: Numbers
    """(LEVELS, answers): lower bounds on the costs of the parts."""
    present: Numbers
    """(kinds,): how many secrets a set has of each kind."""
    by_parts: Numbers
    """(kinds + 1, answers + 1): bounds of guesses by kind, the last if not in the set, and by
    parts; -1: not known."""


@kernel
def fill(counts: Numbers, weights: Numbers, skip: int, turn: int, slots: int, fan_out: int) -> int:
    """Return the least cost of secrets of which few can be found soon: a bound by size.

    `counts` has the secrets of each kind; one of the kind `skip` is left out (-1: none).  At most
    `slots` are found at `turn`, `fan_out` times as many at the next one, and so on.
    """
    free = int64(slots)
    width = int64(slots)
    cost = int64(0)
    for kind in range(weights.shape[0]):
        left = int64(counts[kind]) - int64(kind == skip)
        while left > 0:
            if free == 0:
                width *= fan_out
                free = width
                turn += 1
            found = min(left, free)
            cost += found * turn * weights[kind]
            left -= found
            free -= found
    return cost


@kernel
def survey(search: Search, level: int, size: int, fan_out: int) -> tuple[int, int]:
    """Write a lower bound on the cost of each guess, by the number of its parts, into `bounds`.

    Returns the least of these bounds, and a limit on the parts, without its own win, that a guess
    makes of the set or of a part of it.  `fan_out` is the limit known before.
    """
    secrets = search.secrets[level]
    made = search.made[level]
    bounds = search.bounds[level]
    codes = bounds.shape[0]
    none = search.weights.shape[0]
    count_parts(search.responses, search.stride, search.answers, secrets, int64(0), size, made)
    for kind in range(none):
        search.present[kind] = 0
    for guess in range(codes):
        bounds[guess] = none
    for i in range(size):
        kind = search.kinds[secrets[i]]
        bounds[secrets[i]] = kind
        search.present[kind] += 1
    most = int64(1)
    for guess in range(codes):
        most = max(most, int64(made[guess]) - int64(bounds[guess] < none))
    fan_out = min(fan_out, most)
    for kind in range(none + 1):
        for parts in range(search.answers + 1):
            search.by_parts[kind, parts] = -1
    least = int64(_ENDLESS)
    for guess in range(codes):
        kind = int64(bounds[guess])
        bounds[guess] = bound_by_parts(search, kind, int64(made[guess]), fan_out)
        least = min(least, bounds[guess])
    return least, fan_out


@kernel
def bound_by_parts(search: Search, kind: int, parts: int, fan_out: int) -> int:
    """Return a lower bound on the cost of a guess that splits the set into `parts` parts.

    `present` counts the secrets of the set.  `kind` is that of the guess if it is in the set,
    otherwise the number of kinds.
    """
    if parts < 2:
        return int64(_ENDLESS)
    bound = int64(search.by_parts[kind, parts])
    if bound < 0:
        bound = int64(0)
        slots = int64(parts)
        if kind < search.weights.shape[0]:
            bound = int64(search.weights[kind])
            slots -= 1
        bound += fill(search.present, search.weights, kind, int64(2), slots, fan_out)
        search.by_parts[kind, parts] = bound
    return bound


@kernel
def split(search: Search, level: int, size: int, guess: int, fan_out: int) -> int:
    """Split a set by the answers to a guess; return a lower bound on its cost by the sizes."""
    counts = search.counts[level]
    sizes = search.sizes[level]
    for answer in range(search.answers):
        sizes[answer] = 0
        for kind in range(search.weights.shape[0]):
            counts[answer, kind] = 0
    cost = int64(0)
    for i in range(size):
        secret = int64(search.secrets[level, i])
        answer = search.responses[secret * search.stride + guess]
        counts[answer, search.kinds[secret]] += 1
        sizes[answer] += 1
        cost += search.weights[search.kinds[secret]]
    sizes[search.win] = 0
    for answer in range(search.answers):
        if sizes[answer] > 0:
            bound = fill(counts[answer], search.weights, int64(-1), int64(1), int64(1), fan_out)
            search.least[level, answer] = bound
            cost += bound
    return cost


@kernel
def take_part(search: Search, level: int, size: int, guess: int, answer: int) -> None:
    """Write the part of a guess with an answer to the next level."""
    number = int64(0)
    for i in range(size):
        secret = int64(search.secrets[level, i])
        if search.responses[secret * search.stride + guess] == answer:
            search.secrets[level + 1, number] = secret
            number += 1


@kernel
def identify(search: Search, level: int, size: int) -> tuple[int, int]:
    """Return the entry of a set in the table, and the check that identifies it there."""
    place = uint64(0)
    check = uint64(0)
    for i in range(size):
        secret = search.secrets[level, i]
        place += search.noise[secret, 0]
        check += search.noise[secret, 1]
    return int64((place >> uint64(8)) % uint64(search.checks.shape[0])), check


@kernel
def look_ahead(search: Search, level: int, size: int, fan_out: int) -> int:
    """Return a lower bound on the cost of a set, from the table or by a survey of its guesses."""
    entry, check = identify(search, level, size)
    if search.checks[entry] == check:
        return int64(search.costs[entry])
    least, _ = survey(search, level, size, fan_out)
    return least


@kernel
def largest(sizes: Numbers) -> int:
    """Return the answer with the largest part."""
    found = int64(0)
    for answer in range(sizes.shape[0]):
        if sizes[answer] > sizes[found]:
            found = int64(answer)
    return found


@kernel
def bound_guesses(search: Search, level: int, size: int, row: int, fan_out: int, limit: int) -> int:
    """Bound the guesses that may cost at most `limit` by the sizes of their parts.

    Returns the last guess that separates all secrets, at the least cost of such; -1: none.
    """
    bounds = search.bounds[level]
    found = int64(-1)
    for guess in range(bounds.shape[0]):
        if level < 2 and search.allowed[row, guess] == 0:
            bounds[guess] = _ENDLESS
        elif bounds[guess] <= limit:
            bounds[guess] = split(search, level, size, int64(guess), fan_out)
            if search.made[level, guess] == size and bounds[guess] <= limit:
                limit = int64(bounds[guess]) - 1
                found = int64(guess)
    return found


@kernel
def least_cost(search: Search, level: int, size: int, row: int, fan_out: int, limit: int) -> int:
    """Return the least cost of a set if it is at most `limit`, else a lower bound above `limit`.

    The set is ``secrets[level, :size]``, three secrets or more; an exact cost is in the table with
    its guess.  `row` is that of `allowed` for the first two levels; no guess makes more than
    `fan_out` parts without its own win.  After a stop the result means nothing.
    """
    entry, check = identify(search, level, size)
    if search.checks[entry] == check:
        known = int64(search.costs[entry])
        if search.guesses[entry] >= 0 or known > limit:
            return known
    if level + 1 == LEVELS:
        search.signal[STOP] = 1
        search.signal[TOO_DEEP] = 1
        return int64(limit) + 1
    search.signal[SETS] += 1
    _, fan_out = survey(search, level, size, fan_out)
    best_guess = bound_guesses(search, level, size, row, fan_out, limit)
    bounds = search.bounds[level]
    best = int64(limit) + 1 if best_guess < 0 else int64(bounds[best_guess])
    sizes = search.sizes[level]
    least = search.least[level]
    failing = int64(_ENDLESS)
    while True:
        # The guess of the least bound: it may be the best, or it bounds all that are left.
        guess = int64(0)
        for other in range(bounds.shape[0]):
            if bounds[other] < bounds[guess]:
                guess = int64(other)
        if bounds[guess] >= best or search.signal[STOP] != 0:
            failing = min(failing, int64(bounds[guess]))
            break
        bounds[guess] = _ENDLESS
        after = int64(search.kinds[guess]) if level == 0 else row
        # Look one guess ahead in each part, the largest first; search them if that is not enough.
        cost = int64(0)
        for is_search in range(2):
            if is_search == 0:
                cost = split(search, level, size, guess, fan_out)
            for _ in range(search.answers):
                answer = largest(sizes)
                part = int64(sizes[answer])
                if part < _SEARCHED or cost >= best:
                    break
                take_part(search, level, size, guess, answer)
                cost -= least[answer]
                if is_search == 0:
                    bound = look_ahead(search, level + 1, part, fan_out)
                    least[answer] = max(bound, int64(least[answer]))
                else:
                    spare = best - 1 - cost
                    least[answer] = least_cost(search, level + 1, part, after, fan_out, spare)
                cost += least[answer]
                sizes[answer] = -part
            for answer in range(search.answers):
                sizes[answer] = abs(sizes[answer])
        if search.signal[STOP] == 0 and cost < best:
            best = cost
            best_guess = guess
        failing = min(failing, cost)
    if search.signal[STOP] == 0:
        if best_guess < 0:
            best = max(best, failing)
        search.checks[entry] = check
        search.costs[entry] = best
        search.guesses[entry] = best_guess
    return best


@kernel
def best_guess(search: Search, level: int, size: int, row: int, limit: int) -> tuple[int, int]:
    """Return `least_cost` of a set, and a guess of that cost; -1: the cost is above `limit`."""
    cost = least_cost(search, level, size, row, int64(search.answers) - 1, limit)
    entry, check = identify(search, level, size)
    if cost > limit or search.checks[entry] != check:
        return cost, int64(-1)
    return cost, int64(search.guesses[entry])
