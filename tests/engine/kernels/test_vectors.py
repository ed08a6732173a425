"""Vector kernels against their slow twins, in every way that this processor knows."""

import ctypes
import mmap
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.objective import INFINITE, Weights
from bullscows.kernels import workspace as ws
from bullscows.kernels.batches import gather
from bullscows.kernels.compiling.jit import kernel
from bullscows.kernels.instructions import has
from bullscows.kernels.members import (
    Small,
    member_check,
    member_parts,
)
from bullscows.kernels.parts import PLANES, WAYS, chunk_counter, count_parts
from bullscows.kernels.problem import make_problem
from bullscows.kernels.pruning import ALL_PRUNING
from bullscows.kernels.splits import COMPRESSES, part_sizes, place_at_once
from bullscows.kernels.workspace import BEHIND, LANES, MAX_ANSWERS, NEAR, NOBODY, PARTS, ROW
from tests.engine.kernels.test_kernels import sample, table_of
from tests.support.examples import examples
from tests.support.naive import naive_parts, naive_value

pytestmark = pytest.mark.large

GAMES = ["p2c3r", "p3c4r", "p3c5n", "p4c6r", "p5c6n"]


@cache
def _made(text):
    """Return a problem of seven turns, and its workspace."""
    problem = make_problem(table_of(text), Weights.of(range(1, 8)), ALL_PRUNING)
    busy = np.zeros(ws.BUSY_SLOTS, dtype=np.uint64)
    signal = np.zeros(8, dtype=np.int64)
    return problem, ws.make_workspace(problem, ws.make_tables(8), signal, busy)


@pytest.mark.parametrize("text", [*GAMES, "p7c2r", "p7c3r"])
@pytest.mark.parametrize("count", [1, 3, 4, 9])
def test_scan_counts_parts(text, count):
    """Also of answers taken at random, as many as eight positions have."""
    table = table_of(text)
    drawn = np.random.default_rng(7).integers(0, 44, table.responses.shape, dtype=np.uint8)
    codes = sample(table, count)
    for responses, answers in ((table.responses, table.answers), (drawn, 44)):
        parts = np.zeros(table.stride, dtype=np.uint8)
        count_parts(responses.reshape(-1), table.stride, answers, codes, 0, count, parts)
        rows = responses[:, : table.size].tolist()
        assert parts[: table.size].tolist() == naive_parts(rows, codes.tolist())


@cache
def _counting(way, planes):
    count_chunk = chunk_counter(way, planes)
    lanes = way.lanes

    @kernel
    def count_all(responses, stride, codes, start, count, parts):
        for at in range(0, stride, lanes):
            count_chunk(responses, stride, codes, start, count, parts, at)

    return count_all


@pytest.mark.parametrize("planes", PLANES)
@pytest.mark.parametrize("way", [way for way in WAYS if not way.needs or has(way.needs)])
def test_all_ways_of_counting_agree_for_any_number_of_answers(way, planes):
    """Random answers, up to as many as the planes hold, from the middle of a list."""
    table = table_of("p3c5n")
    random = np.random.default_rng(planes)
    codes = sample(table, 12)
    for answers in (8 * planes, 5):
        responses = random.integers(0, answers, table.responses.shape, dtype=np.uint8)
        parts = np.zeros(table.stride, dtype=np.uint8)
        _counting(way, planes)(responses.reshape(-1), table.stride, codes, 2, 9, parts)
        rows = responses[:, : table.size].tolist()
        assert parts[: table.size].tolist() == naive_parts(rows, codes[2:11].tolist())


@given(st.lists(st.integers(0, 111), min_size=128, max_size=128), st.integers(1, 128))
def test_gather_finds_all_guesses_with_so_many_parts(parts, size):
    found = np.zeros(140, dtype=np.uint32)
    for low, high in ((3, 3), (2, 4), (0, 63)):
        taken = gather(np.array(parts, dtype=np.uint8), size, low, high, found, 0)
        expected = [guess for guess in range(size) if low <= parts[guess] <= high]
        assert found[:taken].tolist() == expected


def _looked_at(responses, members):
    """Return by slow means who makes parts of one, who of two at most, and all numbers of parts."""
    single = 0
    paired = 0
    parts = []
    for lane, guess in enumerate(members):
        sizes = np.bincount([responses[secret][guess] for secret in members])
        single |= int(sizes.max() <= 1) << lane
        paired |= int(sizes.max() <= 2) << lane
        parts.append(np.count_nonzero(sizes))
    return single, paired, parts


def _behind_a_guard(array):
    """Return a copy of an array whose next byte nobody may read, and its memory."""
    page = mmap.PAGESIZE
    length = -(-array.nbytes // page) * page
    memory = mmap.mmap(-1, length + page)
    begin = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.mprotect(ctypes.c_void_p(begin + length), page, 0) == 0, ctypes.get_errno()
    copy = np.frombuffer(memory, array.dtype, array.size, length - array.nbytes)
    copy[:] = array.reshape(-1)
    return copy


@pytest.mark.parametrize("answers", [4, 14, 32, MAX_ANSWERS])
@pytest.mark.parametrize("count", [1, 2, 3, 8, 15, 16, 17, 20, LANES])
def test_members_are_looked_at_all_at_once(count, answers):
    """In the table of a game and in one of a node's own, whose last row is the last member's."""
    random = np.random.default_rng(count + 100 * answers)
    size = 40 if count % 2 else NEAR
    responses = random.integers(0, answers, (size, size), dtype=np.uint8)
    own = _behind_a_guard(np.concatenate([responses.reshape(-1), np.full(NEAR, 77, np.uint8)]))
    table = _behind_a_guard(responses)
    places = np.full(3 + count + LANES, 0xFFFFFFFF, dtype=np.uint32)
    places[3 : 3 + count] = size - 1 - np.arange(count)[::-1]
    places, exact = _behind_a_guard(places), _behind_a_guard(places[: 3 + count])
    square = _behind_a_guard(np.zeros(PARTS + LANES, dtype=np.uint8))
    single, paired, parts = _looked_at(responses.tolist(), places[3 : 3 + count].tolist())
    looks = [
        lambda: member_parts(Small(table, size, False, exact, 3, count), answers, square),
        lambda: member_parts(Small(own, size, True, places, 3, count), answers, square),
    ]
    for look in looks:
        square[:] = 9
        assert tuple(map(int, look())) == (single, paired)
        assert square[PARTS : PARTS + count].tolist() == parts


@kernel
def _sized(rows, at, answers, sizes, to):
    part_sizes(rows, at, answers, sizes, to)


@kernel
def _placed(rows, at, answer, places, to):
    place_at_once(rows, at, answer, places, to)


@pytest.mark.parametrize("answers", [4, 14, MAX_ANSWERS])
@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 128, 160, ROW])
def test_a_row_is_split_into_parts(count, answers):
    """The row ends where memory ends, or is followed by all the padding that is allowed for."""
    row = np.random.default_rng(count).integers(0, answers, count)
    padded = np.concatenate([np.zeros(5), row, np.full(ROW - count, NOBODY)])
    rows = _behind_a_guard(padded.astype(np.uint8))
    sizes = _behind_a_guard(np.full(3 + answers, 9, dtype=np.int32))
    _sized(rows, 5, answers, sizes, 3)
    assert sizes.tolist() == [9] * 3 + np.bincount(row, minlength=answers).tolist()
    for answer in range(answers if COMPRESSES else 0):
        places = _behind_a_guard(np.zeros(count + BEHIND, dtype=np.uint32))
        start = count - int(sizes[3 + answer])
        _placed(rows, 5, answer, places, start)
        assert places[start:count].tolist() == np.flatnonzero(row == answer).tolist()


@given(st.sampled_from(["p3c4r", "p3c5n"]), st.integers(0, 2**32))
@examples(25)
def test_member_check_bounds_the_value(text, seed):
    table = table_of(text)
    codes = sample(table, 3 + seed % 6, seed)
    small = Small(table.responses.reshape(-1), table.stride, False, codes, 0, len(codes))
    problem, work = _made(text)
    value, bound, _ = member_check(problem, work, small, 1, table.answers - 1, INFINITE)
    rows = table.responses[:, : table.size].tolist()
    exact = naive_value(rows, table.win, range(1, 8), tuple(codes.tolist()))
    assert exact is not None
    assert bound <= exact <= value
