"""``bullscows duel``: what it prints, and what it says of bad input."""

import json

import pytest
from typer.testing import CliRunner, Result

from bullscows.cli.main import commands

pytestmark = pytest.mark.large


def run(*words: str) -> Result:
    return CliRunner().invoke(commands, ["duel", *words])


def test_reply_to_the_champion_gains_nothing() -> None:
    found = json.loads(run("reply", "duel-bulls-cows-3-digits", "--json").stdout)
    assert found["reply"]["net"] == 0
    assert found["reply"]["distribution"] == [1, 4, 18, 141, 394, 152, 10]
    assert json.loads(run("reply", "avg-bulls-cows-3-digits", "--json").stdout)["reply"]["net"] > 0


@pytest.mark.parametrize("rules", ["p3c6n", "p3c6z"])
def test_table_lets_every_player_meet_every_other(rules: str) -> None:
    players = json.loads(run("table", rules, "--json").stdout)["players"]
    nets = {one["name"]: one["against"] for one in players}
    assert len(players) > 10
    for name, against in nets.items():
        assert list(against) == list(nets)
        assert against[name]["net"] == 0
        for other, score in against.items():
            assert score["net"] == -nets[other][name]["net"]
