"""The threads of a search end together, whatever ends them."""

import signal
import threading
import time

import numpy as np
import pytest

from bullscows.kernels.arrays import workspace as ws
from bullscows.search.threads import run_together
from tests.support.processes import interruptible


@pytest.fixture
def words():
    return np.zeros(8, dtype=np.int64)


def until_stopped(words, value):
    """A kernel that finds a bound, and runs until it is stopped."""

    def run():
        deadline = time.monotonic() + 20
        while not words[ws.SIGNAL_STOP]:
            assert time.monotonic() < deadline
            time.sleep(0.001)
        return value

    return run


def test_first_result_ends_the_others(words):
    outcome = run_together([until_stopped(words, 9), lambda: 5], words, clock=time.monotonic)
    assert (outcome.value, outcome.stopped, outcome.interrupted) == (5, False, False)


def test_time_limit_leaves_the_best_bound(words):
    runs = [until_stopped(words, 3), until_stopped(words, 4)]
    outcome = run_together(runs, words, clock=time.monotonic, time_limit=0.01)
    assert (outcome.value, outcome.stopped, outcome.interrupted) == (4, True, False)


def test_interrupt_while_threads_start_ends_them(words):
    """It would have kept the threads running while the executor waited for them."""

    def interrupt():
        signal.raise_signal(signal.SIGINT)
        return until_stopped(words, 3)()

    with interruptible():
        outcome = run_together([interrupt, interrupt], words, clock=time.monotonic)
    assert (outcome.value, outcome.stopped, outcome.interrupted) == (3, True, True)


def test_interrupt_as_the_threads_end_is_reported(words):
    def end():
        signal.raise_signal(signal.SIGINT)
        return 3

    with interruptible():
        outcome = run_together([end], words, clock=time.monotonic)
    assert (outcome.value, outcome.stopped, outcome.interrupted) == (3, True, True)


def test_custom_handler_can_interrupt(words):
    def handler(*_):
        raise KeyboardInterrupt

    def interrupt():
        time.sleep(0.05)
        signal.raise_signal(signal.SIGINT)
        return until_stopped(words, 3)()

    before = signal.signal(signal.SIGINT, handler)
    outcome = run_together([interrupt], words, clock=time.monotonic)
    signal.signal(signal.SIGINT, before)
    assert (outcome.value, outcome.stopped, outcome.interrupted) == (3, True, True)


def test_threads_end_if_another_cannot_be_started(words, monkeypatch):
    def start(thread):
        if begun:
            raise RuntimeError("can't start new thread")
        begun.append(thread)
        real(thread)

    begun, real = [], threading.Thread.start
    monkeypatch.setattr(threading.Thread, "start", start)
    runs = [until_stopped(words, 3), until_stopped(words, 4)]
    with pytest.raises(RuntimeError, match="new thread"):
        run_together(runs, words, clock=time.monotonic)
    assert words[ws.SIGNAL_STOP]


def test_interrupt_from_the_progress_callback_ends_them(words):
    def show(_seconds):
        raise KeyboardInterrupt

    outcome = run_together([until_stopped(words, 3)], words, clock=time.monotonic, report=show)
    assert (outcome.stopped, outcome.interrupted) == (True, True)


def test_progress_to_a_closed_pipe_ends_them(words):
    def show(_seconds):
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        run_together([until_stopped(words, 3)], words, clock=time.monotonic, report=show)
    assert words[ws.SIGNAL_STOP]


def test_error_of_a_thread_is_the_callers(words):
    def fail():
        raise MemoryError

    with pytest.raises(MemoryError):
        run_together([fail, until_stopped(words, 3)], words, clock=time.monotonic)
