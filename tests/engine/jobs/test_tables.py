"""Transposition tables outlive the worker that filled them."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bullscows.game.objective import INFINITE
from bullscows.game.question import Question
from bullscows.game.responses import ResponseTable
from bullscows.jobs.worker import Order, mapped_tables, path_of, perform
from bullscows.search.position import Position
from bullscows.search.search import Search
from tests.support.known import known_total

QUESTION = Question.parse("p4c8n average,last 7")
BITS = 16


@pytest.fixture
def path(tmp_path):
    return path_of(tmp_path / "tables", QUESTION)


def search_with(path: Path | None, bits: int = BITS) -> Search:
    known = None if path is None else mapped_tables(path, bits)
    table = ResponseTable.of(QUESTION.rules)
    return Search(table, QUESTION.weights(), known=known, table_bits=bits)


def test_next_search_goes_on_where_the_last_one_ended(path):
    start = Position.after(ResponseTable.of(QUESTION.rules), ())
    fresh = search_with(None)
    value = fresh.value(start)
    assert search_with(path).value(start) == value
    again = search_with(path)
    assert again.value(start) == value
    assert again.counters().nodes <= 1 < 600 < fresh.counters().nodes


def test_search_that_was_cut_off_is_not_lost(path):
    start = Position.after(ResponseTable.of(QUESTION.rules), ())
    fresh = search_with(None)
    value = fresh.value(start)
    cut = search_with(path)
    cut.value(start, budget=value.lower - 1, time_limit=1e9)
    rest = search_with(path)
    assert rest.value(start) == value
    assert rest.counters().nodes < fresh.counters().nodes


@pytest.mark.process
def test_table_survives_the_death_of_its_process(path):
    code = f"""
import os, signal
from pathlib import Path
from bullscows.jobs.worker import mapped_tables
keys, values = mapped_tables(Path({str(path)!r}), {BITS})
keys[5], values[7] = 11, 13
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    tables = mapped_tables(path, BITS)
    assert tables is not None
    assert (int(tables[0][5]), int(tables[1][7])) == (11, 13)
    path.write_bytes(b"short")  # a file of another size is made again
    tables = mapped_tables(path, BITS)
    assert tables is not None
    assert len(tables[0]) == 1 << BITS
    assert not tables[0].any()


@pytest.mark.parametrize("seed", range(3))
def test_flipped_bytes_are_misses(path, seed):
    start = Position.after(ResponseTable.of(QUESTION.rules), ())
    value = search_with(path).value(start)
    content = np.fromfile(path, dtype=np.uint8)
    used = np.flatnonzero(content)
    flips = np.random.default_rng(seed).choice(used, len(used) // 4, replace=False)
    content[flips] ^= 1 << seed
    content.tofile(path)
    assert search_with(path).value(start) == value


def test_full_disk_means_a_private_table(path, monkeypatch):
    def full(*_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    assert mapped_tables(path, BITS) is None
    assert os.listdir(path.parent) == []
    order = Order("p4c9n average 7", INFINITE - 1, 0.01, folder=str(path.parent))
    assert perform(order).sliced


def test_long_question_is_bounded_from_both_sides(tmp_path):
    question = "p4c9n average 7"
    order = Order(question, INFINITE - 1, 0.3, is_long=True, folder=str(tmp_path))
    first = perform(order)
    assert 0 < first.lower <= (first.upper or INFINITE) < INFINITE
    known = Order(
        question, INFINITE - 1, lower=first.lower, upper=first.upper, is_long=True, seconds=600.0
    )
    last = perform(known)
    assert last.lower == last.upper == known_total("p4c9n")
    assert first.lower <= last.lower <= (first.upper or INFINITE)


def test_games_objectives_and_turns_have_tables_of_their_own(tmp_path):
    texts = ("p4c8n average 7", "p4c8n average 8", "p4c8n last 7", "p4c8r average 7")
    paths = {path_of(tmp_path, Question.parse(text)) for text in texts}
    assert len(paths) == len(texts)
    moved = Question.parse("p4c8n average 7 0123:0.2")
    assert path_of(tmp_path, moved) in paths
