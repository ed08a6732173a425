"""The time of matches through jumps of the system's clock and through restarts."""

from dataclasses import dataclass

import pytest

from bullscows_web.match.clock import GAP, JUMP, Clock

DAY = 86_400.0


@dataclass
class Machine:
    """The clocks of a machine."""

    system: float = 20_000 * DAY
    steady: float = 0.0

    def clock(self) -> Clock:
        return Clock(lambda: self.system, lambda: self.steady)

    def wait(self, seconds: float) -> None:
        self.system += seconds
        self.steady += seconds


def test_small_steps_are_followed_and_large_ones_are_not():
    machine = Machine()
    clock = machine.clock()
    machine.wait(5)
    machine.system += JUMP - 1
    assert clock() == machine.system
    for jump in (JUMP, -JUMP, 100 * DAY, -300 * DAY):
        before = clock()
        machine.system += jump
        machine.wait(7)
        assert clock() == before + 7
    assert clock.behind == machine.system - clock()


@pytest.mark.parametrize(
    ("passed", "counted"),
    [(0, 0), (1, 1), (GAP - 1, GAP - 1), (GAP, 0), (8 * DAY, 0), (-1, 0), (-8 * DAY, 0)],
)
@pytest.mark.parametrize("behind", [0.0, 3 * DAY, -3 * DAY])
def test_start_counts_less_than_an_hour_since_the_latest_time(
    passed: float, counted: float, behind: float
):
    machine = Machine()
    latest = machine.system - behind
    machine.wait(passed)
    clock = machine.clock()
    clock.go_on(latest, behind)
    assert clock() == latest + counted
    machine.wait(30)
    assert clock() == latest + counted + 30
    assert clock.behind == machine.system - clock()
