"""The suite itself: what `make quick` leaves out, and how processes are interrupted and ended."""

import os
import select
import signal
import subprocess
import sys

import pytest

from tests import ROOT
from tests.conftest import LARGE
from tests.support.processes import background, ending, interruptible, start

PRINT_HANDLER = [sys.executable, "-c", "import signal; print(signal.getsignal(signal.SIGINT).name)"]
PRINT_HANDLER_DEFAULT = [
    sys.executable,
    "-c",
    "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)",
]


def test_what_the_quick_tests_leave_out_exists():
    tests = ROOT / "tests"
    missing = [name for name in LARGE if not any(tests.glob(f"{name}*"))]
    assert missing == [], "rename them in tests/conftest.py as well"


@pytest.mark.process
def test_a_process_started_in_the_background_is_interruptible():
    with background():
        assert subprocess.check_output(PRINT_HANDLER, text=True) == "SIG_IGN\n"
        output, _ = start(PRINT_HANDLER_DEFAULT, stdout=subprocess.PIPE).communicate()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    assert output == "True\n"


def fail_with_a_child_at_work(reader: int, writer: int) -> None:
    parent = "import subprocess; subprocess.run(['sh', '-c', 'echo at work; sleep 60'])"
    with ending():
        start([sys.executable, "-c", parent], stdout=writer)
        os.close(writer)
        raise RuntimeError(os.read(reader, 100))


@pytest.mark.process
def test_a_process_and_its_children_end_with_the_test():
    reader, writer = os.pipe()
    with pytest.raises(RuntimeError, match="at work"):
        fail_with_a_child_at_work(reader, writer)
    assert select.select([reader], [], [], 20)[0], "somebody holds the other end"
    assert os.read(reader, 100) == b""
    os.close(reader)


def test_a_block_in_the_background_is_interruptible():
    with background():
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt), interruptible():
            signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
