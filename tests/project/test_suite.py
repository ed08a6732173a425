"""The suite itself: what it leaves out of the inner loop, and what it interrupts."""

import os
import select
import signal
import subprocess
import sys

import pytest

from tests import ROOT
from tests.conftest import LARGE_MODULES
from tests.support.processes import background, ending, interruptible, start

TELL = [sys.executable, "-c", "import signal; print(signal.getsignal(signal.SIGINT).name)"]
TELL_DEFAULT = [
    sys.executable,
    "-c",
    "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)",
]


def test_modules_left_out_of_the_inner_loop_exist():
    missing = {name for name in LARGE_MODULES if not (ROOT / "tests" / f"{name}.py").is_file()}
    assert missing == set(), "rename them in tests/conftest.py as well"


@pytest.mark.process
def test_a_process_started_in_the_background_is_interruptible():
    with background():
        assert subprocess.check_output(TELL, text=True) == "SIG_IGN\n"
        output, _ = start(TELL_DEFAULT, stdout=subprocess.PIPE).communicate()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    assert output == "True\n"


def fail_with_a_child_at_work(told: int, tells: int) -> None:
    parent = "import subprocess; subprocess.run(['sh', '-c', 'echo at work; sleep 60'])"
    with ending():
        start([sys.executable, "-c", parent], stdout=tells)
        os.close(tells)
        raise RuntimeError(os.read(told, 100))


@pytest.mark.process
def test_a_process_ends_with_its_test_and_so_does_what_it_has_started():
    told, tells = os.pipe()
    with pytest.raises(RuntimeError, match="at work"):
        fail_with_a_child_at_work(told, tells)
    assert select.select([told], [], [], 20)[0], "somebody holds the other end"
    assert os.read(told, 100) == b""
    os.close(told)


def test_a_block_in_the_background_is_interruptible():
    with background():
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt), interruptible():
            signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
