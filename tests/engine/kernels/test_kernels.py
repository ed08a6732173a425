"""Kernels against their slow twins."""

from functools import cache
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bullscows.game.objective import INFINITE, Weights
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import Rules
from bullscows.game.symmetry import representatives
from bullscows.kernels import workspace as ws
from bullscows.kernels.bounds import fill
from bullscows.kernels.members import ASKED, Small, reaches
from bullscows.kernels.problem import make_problem
from bullscows.kernels.pruning import Pruning
from bullscows.kernels.symmetry import extend_history, is_least, start_history
from bullscows.kernels.transposition import BOUND, EXACT, UNKNOWN, canonical_key, probe, store
from tests.support.examples import examples
from tests.support.naive import naive_fill, naive_orders, naive_rooms

pytestmark = pytest.mark.large

table_of = cache(ResponseTable.of)


def _work(table, turns=6):
    problem = make_problem(table, Weights.of(range(1, turns + 1)), (1 << 13) - 1)
    busy = np.zeros(ws.BUSY_SLOTS, dtype=np.uint64)
    return problem, ws.make_workspace(problem, ws.make_tables(8), np.zeros(8, dtype=np.int64), busy)


def sample(table, count, seed=1):
    order = np.random.default_rng(seed).permutation(table.size)
    return np.sort(order[:count]).astype(np.uint32)


@given(
    st.sampled_from(["p2c6n", "p3c4r", "p4c6r"]),
    st.integers(0, 300),
    st.integers(1, 13),
    st.integers(1, 5),
    st.integers(0, 13),
    st.lists(st.integers(0, 9), min_size=3, max_size=7).map(sorted),
    st.booleans(),
)
def test_fill_places_one_by_one(text, count, slots, turn, cap, weights, is_capped):
    problem = make_problem(table_of(text), Weights(tuple(weights), is_capped), Pruning.ANSWER_CAPS)
    slots = min(slots, problem.answers)
    cap = min(cap, problem.answers)
    assume(cap or is_capped)
    caps = problem.answer_caps.reshape(-1, problem.answers).tolist()
    weights += [] if is_capped else weights[-1:] * 300
    expected = naive_fill(count, naive_rooms(caps, slots, cap), turn, weights)
    found = fill(problem, count, slots, turn, cap)
    assert found == (INFINITE if expected is None else expected)


def _word(number):
    return np.uint64(number)


@pytest.mark.parametrize("count", [3, 20, 60])
@pytest.mark.parametrize("fan_out", [4, 13])
def test_a_member_reaches_what_is_known(count, fan_out):
    """The least cost with one of the first members as guess, if nothing but their parts counts."""
    table = table_of("p4c7n")
    turn = 2
    problem, _ = _work(table)
    members = np.concatenate([[9, 9], sample(table, count, seed=count)]).astype(np.uint32)
    parts = [len(set(table.responses[members[2:], guess].tolist())) for guess in members[2:]]
    most = max(parts[:ASKED])
    caps = problem.answer_caps.reshape(-1, problem.answers).tolist()
    rest = naive_fill(count - 1, naive_rooms(caps, most - 1, fan_out), turn + 1, range(1, 7))
    assert rest is not None
    small = Small(table.responses.reshape(-1), table.stride, False, members, 2, count)
    assert reaches(problem, small, turn, fan_out, turn + rest)
    assert not reaches(problem, small, turn, fan_out, turn + rest - 1)


def test_table_keeps_values_and_bounds():
    keys, values = ws.make_tables(4)
    one, two, three, four = (_word(number) for number in (5, 2**63 + 9, 3, 4))
    store(keys, values, one, two, 77, 1, 9)
    store(keys, values, one, four, 66, 0, 9)
    assert probe(keys, values, one, two) == (77, EXACT)
    assert probe(keys, values, one, four) == (66, BOUND)
    assert probe(keys, values, one, three) == (0, UNKNOWN)
    store(keys, values, one, two, INFINITE, 0, 10**6)
    assert probe(keys, values, one, two) == (INFINITE, BOUND)


def test_flipped_bits_count_as_empty():
    for bit in range(64):
        keys, values = ws.make_tables(4)
        flip = np.uint64(1 << bit)
        store(keys, values, _word(5), _word(9), 77, 1, 100)
        values[5] ^= flip
        assert probe(keys, values, _word(5), _word(9))[1] == UNKNOWN
        keys[5] ^= flip
        # The highest bit alone has no other image than itself; the value has no part in it.
        assert probe(keys, values, _word(5), _word(9)) in [(0, UNKNOWN), (77, EXACT)]
        assert bit == 63 or probe(keys, values, _word(5), _word(9))[1] == UNKNOWN


def test_full_slots_keep_the_largest_sets():
    keys, values = ws.make_tables(2)  # four slots in all
    for check, size in ((1, 500), (2, 40), (3, 1000), (4, 90)):
        store(keys, values, _word(0), _word(check), check, 1, size)

    def held() -> set[int]:
        checks = range(1, 9)
        return {c for c in checks if probe(keys, values, _word(0), _word(c))[1] == EXACT}

    assert held() == {1, 2, 3, 4}
    store(keys, values, _word(0), _word(5), 5, 1, 60)  # about as large as the smallest, 40
    assert held() == {1, 3, 4, 5}
    store(keys, values, _word(0), _word(6), 6, 1, 3)  # smaller than all: the last slot is for it
    assert held() == {1, 3, 5, 6}
    store(keys, values, _word(0), _word(7), 7, 1, 2000)
    assert held() == {1, 3, 5, 7}


@pytest.mark.parametrize("text", ["p4c6r", "p3c6n", "p4c7z"])
def test_canonical_keys_meet_for_images(text):
    rules = Rules.parse(text)
    table = ResponseTable.of(rules)
    problem, work = _work(table)
    codes = [rules.code(int(index)) for index in sample(table, 9)]
    order = [2, 0, 1, 3][: rules.positions] if rules.leading_zero else [0, 3, 1, 2]
    names = [*range(rules.pinned), *range(rules.pinned + 1, rules.symbols), rules.pinned]
    image = [rules.index([names[code[j]] for j in order]) for code in codes]
    work.members[3, :9] = [rules.index(code) for code in codes]
    work.members[3, 9:18] = sorted(image)
    assert canonical_key(problem, work, 3, 0, 9) == canonical_key(problem, work, 3, 9, 9)


def test_one_canonical_key_means_images_where_no_code_begins_with_zero():
    """Every six of 18 codes: images that are no sets of codes would make different ones meet."""
    rules = Rules.parse("p3c4z")
    problem, work = _work(ResponseTable.of(rules))
    changes = [
        [rules.index([(0, *names)[code[place]] for place in order]) for code in rules.codes()]
        for names in permutations((1, 2, 3))
        for order in ((0, 1, 2), (0, 2, 1))
    ]
    least: dict[tuple[int, int], list[int]] = {}
    for codes in combinations(range(rules.size), 6):
        work.members[1, :6] = codes
        image = min(sorted(change[code] for code in codes) for change in changes)
        assert least.setdefault(canonical_key(problem, work, 1, 0, 6), image) == image


@pytest.mark.parametrize("text", ["p4c6r", "p4c7n", "p3c5r", "p4c7z"])
@examples(25)
@given(st.data())
def test_least_guesses_are_the_representatives(text, data):
    rules = Rules.parse(text)
    table = table_of(text)
    problem, work = _work(table)
    history = data.draw(st.lists(st.integers(0, table.size - 1), max_size=2))
    start_history(problem, work, 1)
    for turn, guess in enumerate(history, start=1):
        extend_history(problem, work, turn, guess)
    row = len(history) + 1
    codes = [rules.code(guess) for guess in history]
    count = work.stab_count[row]
    least = [guess for guess in range(table.size) if is_least(problem, work, row, guess)]
    orders = [naive_orders(rules.positions, codes[:turn], rules.pinned) for turn in range(row)]
    is_used = 1 not in orders[:-1]  # after the turn at which one order is left, none is used
    assert count == (orders[-1] if is_used else 0)
    everything = list(range(table.size))
    assert least == (representatives(rules, history).tolist() if is_used else everything)
