"""Every game of every shipped tree, played through the JSON API."""

import asyncio
from collections import Counter
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from bullscows.game.rules import Rules
from bullscows.tree.files import read_tree
from bullscows.tree.storage import tree_files
from bullscows_web.trees.library import PREFERRED
from tests import ROOT

pytestmark = pytest.mark.large

Session = dict[str, Any]

SAMPLE = 12
"""Without the slow tests every twelfth secret of the two games that everybody knows is played."""


def shipped() -> list[Any]:
    """Return the names of the shipped trees, each with the step from secret to secret, marked."""
    trees = [path.stem for path in tree_files(ROOT / "trees")]
    return [
        *(pytest.param(name, SAMPLE) for name in ("avg-bulls-cows", "avg-mastermind")),
        *(pytest.param(name, 1, marks=pytest.mark.slow) for name in trees),
    ]


async def play_all(app: FastAPI, tree: str, step: int) -> Counter[int]:
    """Play every secret, or one in `step`; return how many are guessed at which turn.

    A session's id is its state, and secrets that gave the same answers share it, so each state is
    requested once: secrets travel together until their answers differ.  A game ends when the guess
    is the only candidate left; the trees offered first are also checked to name it as the secret.
    """
    transport = httpx.ASGITransport(app)  # without a server, a socket or a thread
    client = httpx.AsyncClient(transport=transport, base_url="http://testserver")
    begun = {"tree": tree, "shuffle": step == 1}
    response = await client.post("/api/v1/sessions", json=begun)
    assert response.status_code == 201
    session = response.json()
    rules = Rules.parse(session["rules"])
    turns: Counter[int] = Counter()
    waiting: list[tuple[Session, list[int]]] = [(session, list(range(0, rules.size, step)))]
    while waiting:
        session, secrets = waiting.pop()
        parts = rules.partition(rules.parse_code(session["guess"]), secrets)
        offered = {item["answer"] for item in session["answers"]}
        assert offered >= {str(rules.answers[answer]) for answer in parts}
        if step == 1:
            assert session["remaining"] == len(secrets)
            assert len(offered) == len(parts)
        if session["remaining"] == 1 and tree not in PREFERRED:
            assert session["guess"] == rules.text(secrets[0])
            turns[session["turn"]] += 1
            continue
        for answer, part in parts.items():
            bulls, cows = rules.answers[answer]
            path = f"/api/v1/sessions/{session['id']}/answers"
            response = await client.post(path, json={"bulls": bulls, "cows": cows})
            assert response.status_code == 200
            after = response.json()
            if answer == rules.win:
                assert [rules.text(secret) for secret in part] == [after["secret"]]
                turns[after["turn"]] += 1
            else:
                assert after["turn"] == session["turn"] + 1
                waiting.append((after, part))
    await client.aclose()
    return turns


@pytest.mark.parametrize(("tree", "step"), shipped())
def test_every_secret_is_guessed_when_the_tree_says(
    shipped_app: FastAPI, shipped_client: TestClient, tree: str, step: int
):
    turns = asyncio.run(play_all(shipped_app, tree, step))
    tree_record = shipped_client.get(f"/api/v1/trees/{tree}").json()
    if step > 1:
        strategy = read_tree(ROOT / "trees" / f"{tree}.json").tree
        secrets = range(0, strategy.rules.size, step)
        assert turns == Counter(len(strategy.play(secret)) for secret in secrets)
        return
    assert [turns[turn] for turn in range(1, tree_record["depth"] + 1)] == tree_record[
        "distribution"
    ]
    assert sum(turn * count for turn, count in turns.items()) == tree_record["total"]
