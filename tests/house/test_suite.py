"""The suite itself: what it leaves out of the inner loop, and what it interrupts."""

import signal
import subprocess
import sys

import pytest

from tests import ROOT
from tests.conftest import LARGE_MODULES
from tests.support.processes import background, interruptible, start

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


def test_a_block_in_the_background_is_interruptible():
    with background():
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt), interruptible():
            signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
