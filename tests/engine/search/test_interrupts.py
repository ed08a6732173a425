"""Ctrl-C between steps: it is heard where somebody asks."""

import signal
import threading

import pytest

from bullscows.search import interrupts as interrupts_module
from bullscows.search.interrupts import deferred_interrupts
from tests.support.processes import background, interruptible


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


def test_unhandled_interrupt_is_raised_at_the_end():
    steps = []

    def work():
        with deferred_interrupts():
            signal.raise_signal(signal.SIGINT)
            steps.append("after")

    with interruptible(), pytest.raises(KeyboardInterrupt):
        work()
    assert steps == ["after"]


def test_error_of_the_block_is_not_hidden_by_an_interrupt():
    def fail():
        with deferred_interrupts():
            signal.raise_signal(signal.SIGINT)
            raise OSError("the disk is full")

    with interruptible(), pytest.raises(OSError, match="full"):
        fail()


@pytest.mark.usefixtures("sigterm_interrupts")
def test_termination_is_heard_where_it_means_ctrl_c():
    with deferred_interrupts() as interrupts:
        signal.raise_signal(signal.SIGTERM)
        assert interrupts.take()


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


@pytest.mark.usefixtures("sigterm_interrupts")
def test_block_within_a_block_hears_termination_where_ctrl_c_is_ignored():
    with background(), deferred_interrupts(), deferred_interrupts() as inner:
        signal.raise_signal(signal.SIGTERM)
        assert inner.take()


def test_another_interrupt_is_raised_at_once_if_unhandled(monkeypatch):
    monkeypatch.setattr(interrupts_module, "PATIENCE", -1.0)
    with interruptible(), deferred_interrupts() as interrupts:
        signal.raise_signal(signal.SIGINT)
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
