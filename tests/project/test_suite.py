"""The suite itself: what `make quick` leaves out."""

from tests import ROOT
from tests.conftest import LARGE


def test_what_the_quick_tests_leave_out_exists():
    tests = ROOT / "tests"
    missing = [name for name in LARGE if not any(tests.glob(f"{name}*"))]
    assert missing == [], "rename them in tests/conftest.py as well"
