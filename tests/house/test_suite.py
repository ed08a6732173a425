"""The suite in the background: what it interrupts is interruptible all the same."""

import signal
import subprocess
import sys

import pytest

from tests.support.processes import background, interruptible, start

pytestmark = pytest.mark.process

TELL = [sys.executable, "-c", "import signal; print(signal.getsignal(signal.SIGINT).name)"]
TELL_DEFAULT = [
    sys.executable,
    "-c",
    "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)",
]


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
