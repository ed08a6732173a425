"""``bullscows duel``: what it prints."""

import pytest

from tests.engine.cli.test_commands import run, run_json

pytestmark = pytest.mark.large


def test_reply_to_the_champion_gains_nothing() -> None:
    found = run_json("duel", "reply", "duel-bulls-cows-3-digits")
    assert found["reply"]["net"] == 0
    assert found["reply"]["distribution"] == [1, 4, 18, 141, 394, 152, 10]
    assert run_json("duel", "reply", "avg-bulls-cows-3-digits")["reply"]["net"] > 0


def test_table_says_what_its_figures_are() -> None:
    first = run("duel", "table", "p2c3n").stdout.splitlines()[0]
    assert first == "p2c3n: wins minus losses in 1000 games against the player of each place"


@pytest.mark.parametrize("rules", ["p3c6n", "p3c6z"])
def test_table_lets_every_player_meet_every_other(rules: str) -> None:
    players = run_json("duel", "table", rules)["players"]
    nets = {one["name"]: one["against"] for one in players}
    assert len(players) > 10
    for name, against in nets.items():
        assert list(against) == list(nets)
        assert against[name]["net"] == 0
        for other, score in against.items():
            assert score["net"] == -nets[other][name]["net"]
