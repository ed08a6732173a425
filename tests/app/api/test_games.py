"""Every game of every shipped tree, played through the JSON API."""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import pytest
from fastapi import FastAPI

from bullscows.game.rules import Rules
from bullscows.tree.files import read_tree
from bullscows.tree.storage import tree_files
from bullscows_web.trees.library import PREFERRED
from tests import ROOT
from tests.support.servers.asgi import call

Session = dict[str, Any]
Ask = Callable[[str, str, object], Coroutine[Any, Any, tuple[int, Session]]]
"""Sends a request; returns the status and the JSON of the answer."""

SAMPLE = 12
"""Without the slow tests every twelfth secret of the two games that everybody knows is played."""


def shipped() -> list[Any]:
    """Return the names of the shipped trees, each with the step from secret to secret, marked."""
    trees = [path.stem for path in tree_files(ROOT / "trees")]
    return [
        *(pytest.param(name, SAMPLE) for name in ("avg-bulls-cows", "avg-mastermind")),
        *(pytest.param(name, 1, marks=pytest.mark.slow) for name in trees),
    ]


async def play_all(ask: Ask, tree: str, step: int) -> Counter[int]:
    """Play every secret, or one in `step`; return how many are guessed at which turn.

    A session's id is its state, and secrets that gave the same answers share it, so each state is
    requested once: secrets travel together until their answers differ.  A game ends when the guess
    is the only candidate left; the trees offered first are also checked to name it as the secret.
    """
    status, session = await ask("POST", "/api/v1/sessions", {"tree": tree, "shuffle": step == 1})
    assert status == 201
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
            status, after = await ask(
                "POST", f"/api/v1/sessions/{session['id']}/answers", {"bulls": bulls, "cows": cows}
            )
            assert status == 200
            if answer == rules.win:
                assert [rules.text(secret) for secret in part] == [after["secret"]]
                turns[after["turn"]] += 1
            else:
                assert after["turn"] == session["turn"] + 1
                waiting.append((after, part))
    return turns


@pytest.mark.usefixtures("shipped_client")  # it has opened the library
@pytest.mark.parametrize(("tree", "step"), shipped())
def test_every_secret_is_guessed_when_the_tree_says(shipped_app: FastAPI, tree: str, step: int):
    turns = asyncio.run(play_all(partial(call, shipped_app), tree, step))
    _, tree_record = asyncio.run(call(shipped_app, "GET", f"/api/v1/trees/{tree}"))
    if step > 1:
        strategy = read_tree(ROOT / "trees" / f"{tree}.json").tree
        secrets = range(0, strategy.rules.size, step)
        assert turns == Counter(len(strategy.play(secret)) for secret in secrets)
        return
    assert [turns[turn] for turn in range(1, tree_record["depth"] + 1)] == tree_record[
        "distribution"
    ]
    assert sum(turn * count for turn, count in turns.items()) == tree_record["total"]
