"""The threads of a search end together, whatever ends them."""

import signal
import threading
import time

import numpy as np
import pytest

from bullscows.game.timer import Timer
from bullscows.kernels import workspace as ws
from bullscows.search.threads import PATIENCE, deferred_interrupts, run_together
from tests.support.servers.processes import background, interruptible
from tests.support.servers.serving import wait_until

pytestmark = pytest.mark.large


@pytest.fixture
def words():
    return np.zeros(8, dtype=np.int64)


def until_stopped(words, value):
    """A kernel that finds a bound, and runs until it is stopped."""

    def run():
        wait_until(lambda: words[ws.SIGNAL_STOP])
        return value

    return run


def test_first_result_ends_the_others(words):
    outcome = run_together([until_stopped(words, 9), lambda: 5], words)
    assert outcome == (5, False, False)


def test_time_limit_leaves_the_best_bound(words):
    runs = [until_stopped(words, 3), until_stopped(words, 4)]
    outcome = run_together(runs, words, timer=Timer(0.01))
    assert outcome == (4, True, False)


def test_interrupt_while_threads_start_ends_them(words):
    """It would have kept the threads running while the executor waited for them."""

    def interrupt():
        signal.raise_signal(signal.SIGINT)
        return until_stopped(words, 3)()

    with interruptible():
        outcome = run_together([interrupt, interrupt], words)
    assert outcome == (3, True, True)


def test_interrupt_as_the_threads_end_is_reported(words):
    def end():
        signal.raise_signal(signal.SIGINT)
        return 3

    with interruptible():
        outcome = run_together([end], words)
    assert outcome == (3, True, True)


@pytest.mark.parametrize("error", [BrokenPipeError, KeyboardInterrupt])
def test_error_of_the_progress_callback_ends_them(words, error):
    def show(_seconds):
        raise error

    try:
        runs = [until_stopped(words, 3)]
        outcome = run_together(runs, words, report=show)
        assert outcome[1:] == (True, True)
    except BrokenPipeError:
        assert error is BrokenPipeError
    assert words[ws.SIGNAL_STOP]


def test_error_of_a_thread_is_the_callers(words):
    def fail():
        raise MemoryError

    with pytest.raises(MemoryError):
        run_together([fail, until_stopped(words, 3)], words)


@pytest.fixture
def sigterm_interrupts():
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    yield
    signal.signal(signal.SIGTERM, before)


def test_interrupt_waits_until_it_is_asked_for():
    with interruptible(), deferred_interrupts() as interrupts:
        assert not interrupts.take()
        signal.raise_signal(signal.SIGINT)
        assert interrupts.take()
        assert not interrupts.take()
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            interrupts.check()
        interrupts.check()


def test_error_of_the_block_is_not_hidden_by_an_interrupt():
    def fail():
        with deferred_interrupts():
            signal.raise_signal(signal.SIGINT)
            raise OSError("the disk is full")

    with interruptible(), pytest.raises(OSError, match="full"):
        fail()


@pytest.mark.usefixtures("sigterm_interrupts")
def test_signals_mean_afterwards_what_they_meant():
    with interruptible():
        with deferred_interrupts():
            pass
        for which in (signal.SIGINT, signal.SIGTERM):
            assert signal.getsignal(which) is signal.default_int_handler


def test_block_within_a_block_hears_the_same():
    with interruptible(), deferred_interrupts() as outer, deferred_interrupts() as inner:
        signal.raise_signal(signal.SIGINT)
        assert inner.take()
        assert not outer.take()


def test_another_interrupt_is_raised_at_once_if_unhandled():
    with interruptible(), deferred_interrupts() as interrupts:
        signal.raise_signal(signal.SIGINT)
        time.sleep(PATIENCE + 0.01)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        assert interrupts.take()


def test_what_is_ignored_stays_so():
    with background(), deferred_interrupts() as interrupts:
        signal.raise_signal(signal.SIGINT)
        assert not interrupts.take()


def test_other_threads_hear_nothing_and_change_nothing():
    def listen():
        with deferred_interrupts():
            found.append(signal.getsignal(signal.SIGINT))

    found: list[object] = []
    with interruptible():
        thread = threading.Thread(target=listen)
        thread.start()
        thread.join()
    assert found == [signal.default_int_handler]
