"""Sharing of guesses by threads: each claims the guess that it tries, and reports what it proved.

Claims are in `Workspace.busy`, proved bounds of guesses in the transposition table.  Both use the
set as it is, not its canonical key: a guess means something else in an image of the set.
"""

from __future__ import annotations

from typing import NamedTuple

from bullscows.game.objective import INFINITE
from bullscows.kernels import workspace as ws
from bullscows.kernels.compiling.jit import Words, inlined, int64, kernel, uint64
from bullscows.kernels.problem import Problem
from bullscows.kernels.pruning import SHARED_TURNS, Pruning
from bullscows.kernels.transposition import BOUND, mixed, plain_key, probe, store


class Claims(NamedTuple):
    """The hashes of a set as it is, and the guess of it that this thread has claimed."""

    place: int
    check: int
    word: int
    """`word_of` the guess; 0 if none is claimed."""


@inlined
def is_shared(problem: Problem, work: ws.Workspace, node: ws.Node) -> bool:
    """Return whether threads share the guesses of this set."""
    shared = node.turn <= SHARED_TURNS and work.signal[ws.SIGNAL_THREADS] > 1
    return shared and problem.flags & Pruning.TABLE.value != 0 and node.order == ws.BY_BOUND


@inlined
def no_claims(problem: Problem, work: ws.Workspace, node: ws.Node, shared: bool) -> Claims:
    """Return the hashes of a set without a claim."""
    place = uint64(0)
    check = uint64(0)
    if shared:
        place, check = plain_key(problem, work, node.turn, node.start, node.size)
    return Claims(place, check, uint64(0))


@inlined
def word_of(guess: int) -> int:
    """Return a hash of a guess that is never 0, to make keys of the guesses of a set."""
    return mixed(uint64(guess) + uint64(1))


@inlined
def claim(work: ws.Workspace, claims: Claims, guess: int) -> Claims:
    """Claim a guess."""
    word = word_of(guess)
    mark_busy(work.busy, claims.check ^ word, True)
    return Claims(claims.place, claims.check, word)


@inlined
def unclaim(work: ws.Workspace, node: ws.Node, claims: Claims, bound: int) -> Claims:
    """Give the claimed guess back, if there is one, with its lower bound for other threads."""
    place, check, word = claims
    if word != 0:
        known = min(bound, int64(INFINITE))
        store(work.keys, work.values, place ^ word, check ^ word, known, int64(0), node.size)
        mark_busy(work.busy, check ^ word, False)
    return Claims(place, check, uint64(0))


@inlined
def shared_bound(work: ws.Workspace, claims: Claims, guess: int) -> int:
    """Return the lower bound that another thread proved of the guess; 0 if there is none."""
    word = word_of(guess)
    value, kind = probe(work.keys, work.values, claims.place ^ word, claims.check ^ word)
    return value if kind == BOUND else int64(0)


@kernel
def choose_free(
    work: ws.Workspace, node: ws.Node, claims: Claims, tries: int, tried: int, taken: int
) -> None:
    """Move the first guess without a claim of another thread to index `tried` of the batch.

    Every thread tries the first guess of all: without its cost there is no limit.
    """
    guesses = work.guesses[node.turn]
    bounds = work.guess_bound[node.turn]
    at = tried
    if tries > 0:
        while at < taken and is_busy(work.busy, claims.check ^ word_of(uint64(guesses[at]))):
            at += 1
    if tried < at < taken:
        guesses[tried], guesses[at] = guesses[at], guesses[tried]
        bounds[tried], bounds[at] = bounds[at], bounds[tried]


@kernel
def is_busy(busy: Words, check: int) -> bool:
    """Return whether some thread is searching the set with this hash."""
    return bool(busy[check & uint64(busy.shape[0] - 1)] == check)


@kernel
def mark_busy(busy: Words, check: int, begins: bool) -> None:
    """Tell the other threads that this one begins or ends to search a set."""
    slot = check & uint64(busy.shape[0] - 1)
    if begins:
        busy[slot] = check
    elif busy[slot] == check:
        busy[slot] = uint64(0)
