"""What matches keep: secrets from the wrong people, and moves through kills and failures."""

import json
import os
import random
import re
import signal
import subprocess
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from http.client import HTTPException
from pathlib import Path
from threading import Event
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import sqlalchemy as sa
from fastapi import FastAPI
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from bullscows_web.match.rules import BUSY_SECONDS, LockedError
from bullscows_web.match.store import Store
from tests import ROOT
from tests.app.match.conftest import listening, serving_matches, statements
from tests.app.match.test_matches import API, Party, draw, slug
from tests.support.examples import examples
from tests.support.pages import get, one
from tests.support.programs import program
from tests.support.servers.postgres import execute
from tests.support.servers.processes import end_group
from tests.support.servers.serving import reserved_port, running, wait_until

CODES = {"creator": "9801", "guest": "8910"}
"""Digits that are in no id of a match."""
WHO = ("creator", "guest", "stranger", "")
CALLS = st.tuples(
    st.sampled_from(WHO),
    st.sampled_from(["join", "miss", "hit", "bad", "again", "skip", "resign", "rematch"]),
)


def call(party: Party, who: str, what: str) -> Any:
    hit = CODES["creator" if party.kind == "race" or who == "guest" else "guest"]
    match what:
        case "join":
            return party.join(CODES["guest"])
        case "resign" | "rematch":
            return party.send(who, what)
    guess, turn = {"hit": (hit, None), "bad": ("9999", None), "skip": ("1234", 9)}.get(
        what, ("1234", 1 if what == "again" else None)
    )
    return party.guess(who, guess, turn)


def may_know(party: Party, who: str, view: dict[str, Any]) -> set[str]:
    """Return the codes that a viewer may read: their own, those they found, and all at the end."""
    if view["finished"]:
        return set(CODES.values())
    you = view["you"]
    own = {you["secret"]} if you and you["secret"] else set()
    assert own <= ({CODES.get(who)} if party.kind == "match" else set()), (
        "nobody has another's code"
    )
    return own | ({turn["guess"] for turn in you["turns"] if turn["bulls"] == 4} if you else set())


@pytest.mark.parametrize("kind", ["match", "race"])
@examples(25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(calls=st.lists(CALLS, max_size=12))
@example(calls=[("guest", "join"), ("creator", "hit"), ("", "hit"), ("guest", "miss")])
def test_no_calls_show_a_code_before_the_end(
    client: TestClient, kind: str, calls: list[Any], monkeypatch: pytest.MonkeyPatch
):
    draw(monkeypatch, "p4c10n", CODES["creator"])
    party = Party(client, kind=kind, **({"secret": CODES["creator"]} if kind == "match" else {}))
    for who, what in calls:
        answers = {who if what != "join" else "guest": call(party, who, what)}
        for viewer in WHO:
            for response in (party.view(viewer), answers.get(viewer)):
                if response is None or response.status_code >= 400:
                    assert response is None or not re.search("9801|8910", response.text)
                elif what != "rematch":
                    known = may_know(party, viewer, response.json())
                    assert set(re.findall("9801|8910", response.text)) <= known


# -- failures of the database ------------------------------------------------------------------


def failures(client: TestClient) -> float:
    return float(
        re.findall(r'match_events_total\{event="failed"\} (\S+)', client.get("/metrics").text)[0]
    )


@pytest.mark.parametrize("url", ["sqlite:////proc/none/m.sqlite", "postgresql://u@/x?host=/none"])
def test_without_a_database_only_matches_fail(
    match_app: FastAPI, url: str, caplog: pytest.LogCaptureFixture
):
    with serving_matches(match_app, url) as client:
        before = failures(client)
        for path in (f"{API}/{'a' * 29}", "/api/v1/daily/p3c5n/2026-01-01/results"):
            refused = client.get(path)
            assert slug(refused) == (503, "matches-unavailable")
            assert refused.headers["retry-after"]
        page = f"/match/{'a' * 29}"
        assert "not available" in one(get(client, page, 503), "h1").text
        assert "недоступны" in one(get(client, f"/ru{page}", 503), "h1").text
        assert failures(client) == before + 4
        assert "the database of matches failed" in caplog.text
        for path in (
            "/",
            "/match",
            "/daily",
            "/play/small-bulls-cows/0",
            "/api/v1/daily",
            "/readyz",
        ):
            assert client.get(path).status_code == 200


@pytest.mark.large
def test_full_disk_refuses_moves_and_keeps_those_made(match_app: FastAPI, tmp_path: Path):
    def limit(connection: Any, _: object) -> None:
        connection.execute("PRAGMA max_page_count = 24")

    url = f"sqlite:///{tmp_path / 'm.sqlite'}"
    with listening("connect", limit), serving_matches(match_app, url) as client:
        party = Party(client)
        party.join()
        party.guess("creator", "1234", 1)
        made = [client.post(API, json={"rules": "p4c10n"}) for _ in range(300)]
        assert {slug(one) for one in made if one.status_code != 201} == {(503, "matches-full")}
        refused = [party.guess("creator" if n % 2 else "guest", "1234") for n in range(95)]
        assert (503, "matches-full") in [slug(one) for one in refused if one.status_code >= 400]
        turns = [len(player["turns"]) for player in party.view().json()["players"]]
        assert sum(turns) == 1 + sum(one.status_code == 200 for one in refused)
        assert client.get("/").status_code == 200
        assert failures(client) > 0


@contextmanager
def locked(database: str) -> Iterator[None]:
    """Hold the locks that every change needs."""
    is_file = database.startswith("sqlite")
    url = database.replace("postgresql:", "postgresql+psycopg:")
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    with engine.connect() as other:
        other.exec_driver_sql("BEGIN IMMEDIATE" if is_file else "SELECT * FROM matches FOR UPDATE")
        yield
        other.rollback()


@contextmanager
def allowed_waits() -> Iterator[list[int]]:
    """Collect how long each change meanwhile may wait for locks, in milliseconds."""
    latest: dict[int, int] = {}
    changes: list[int] = []

    def note(connection: sa.Connection, _cursor: Any, statement: str, *_: Any) -> None:
        if found := re.fullmatch(r".*_timeout = (\d+)", statement):
            latest[id(connection)] = int(found[1])
        if statement == "BEGIN IMMEDIATE" or "FOR UPDATE" in statement:
            changes.append(latest[id(connection)])

    with listening("before_cursor_execute", note):
        yield changes


@pytest.mark.large
def test_locked_match_refuses_changes_and_stops_no_reader(match_app: FastAPI, database: str):
    with serving_matches(match_app, database) as client:
        party = Party(client)
        party.join()
    with serving_matches(match_app, database) as client, ThreadPoolExecutor(12) as pool:
        party.client = client
        with locked(database), allowed_waits() as waits:
            moves = [pool.submit(party.guess, "creator", "1234", 1) for _ in range(12)]
            for _ in range(5):
                assert party.view("guest").status_code == 200
                assert party.view().status_code == 200
                cookie = {"Cookie": f"match_{party.id}={party.tokens['creator']}"}
                assert party.id in client.get("/match", headers=cookie).text
            refused = [move.result() for move in moves]
            assert {slug(one) for one in refused} == {(503, "matches-unavailable")}
            assert {int(one.headers["retry-after"]) > 0 for one in refused} == {True}
            assert party.view("guest").status_code == 200
        assert 0 < sum(waits) < 12 * 1000 * BUSY_SECONDS, "they do not wait one after the other"
        assert party.guess("creator", "1234", 1).status_code == 200


def test_change_waits_for_a_lock_until_its_deadline_only(match_app: FastAPI, database: str):
    with serving_matches(match_app, database) as client:
        party = Party(client)
    store = Store(database)
    late = store.transaction(0.0, writes=True, until=time.monotonic() - 1)
    with locked(database), allowed_waits() as waits, pytest.raises(LockedError), late as db:
        db.load(party.id)
    store.close()
    assert waits == [1]


@pytest.mark.process
def test_read_waits_for_a_table_until_its_deadline_only(match_app: FastAPI, postgres: str):
    with serving_matches(match_app, postgres) as client:
        party = Party(client)
    store = Store(postgres)
    engine = sa.create_engine(postgres.replace("postgresql:", "postgresql+psycopg:"))
    late = store.transaction(0.0, writes=False, until=time.monotonic() - 1)
    with engine.connect() as other:
        other.exec_driver_sql("LOCK TABLE matches IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(LockedError), late as db:
            db.load(party.id)
    engine.dispose()
    store.close()


def test_time_before_a_transaction_is_part_of_its_wait(
    match_app: FastAPI, database: str, monkeypatch: pytest.MonkeyPatch
):
    with serving_matches(match_app, database) as client:
        party = Party(client)
        party.join()
        matches = match_app.state.matches

        def opened_late(opened: Callable[[], Store]) -> Store:
            time.sleep(0.2)
            return opened()

        monkeypatch.setattr(matches, "_open", partial(opened_late, matches._open))
        with allowed_waits() as waits:
            assert party.guess("creator", "1234", 1).status_code == 200
    assert 0 < max(waits) <= 1000 * (BUSY_SECONDS - 0.2)


@pytest.mark.process
def test_options_of_the_address_of_a_database_are_kept(match_app: FastAPI, postgres: str):
    execute(postgres, "DROP SCHEMA IF EXISTS other CASCADE", "CREATE SCHEMA other")
    with serving_matches(match_app, f"{postgres}&options=-c%20search_path%3Dother") as client:
        Party(client)
    assert execute(postgres, "SELECT count(*) FROM other.matches") == [(1,)]


def test_list_of_matches_takes_as_many_queries_for_any_number_of_cookies(
    match_app: FastAPI, tmp_path: Path
):
    counted = {}
    with serving_matches(match_app, f"sqlite:///{tmp_path / 'm.sqlite'}") as client:
        parties = [Party(client) for _ in range(40)]
        cookies = {f"match_{party.id}": party.tokens["creator"] for party in parties}
        unknown = {f"match_{number:a>29}": "x" * 22 for number in range(1500 - len(cookies))}
        for wanted in (dict([*cookies.items()][:2]), cookies | unknown):
            header = "; ".join(f"{name}={token}" for name, token in wanted.items())
            with statements() as executed:
                page = client.get("/match", headers={"Cookie": header})
            assert page.status_code == 200
            reads = [one for one in executed if re.search("FROM (matches|players|turns)", one)]
            counted[len(wanted)] = len(reads)
    assert page.text.count('href="/match/') >= 30
    assert len(page.headers.get_list("set-cookie")) <= 60
    assert counted[1500] == counted[2] > 0


# -- backup, restore, upgrade ------------------------------------------------------------------


def documented(command: str, folder: Path, programs: Path, **words: str) -> None:
    """Run a command of the document for operators in a folder, with the programs of another."""
    text = (ROOT / "docs" / "operations" / "matches.md").read_text(encoding="utf-8")
    found = next(line for line in text.splitlines() if line.startswith(f"    {command}"))
    for old, new in words.items():
        found = found.replace(old, new)
    given = os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(found, shell=True, check=True, cwd=folder, env=given)


COMMANDS = {
    "sqlite": ('sqlite3 matches.sqlite ".backup', 'sqlite3 matches.sqlite "PRAGMA', "cp matches-b"),
    "postgresql": ("pg_dump", "psql", "pg_restore"),
}


@pytest.mark.process
def test_backup_is_restored_and_a_match_is_deleted(
    match_app: FastAPI, tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
):
    kind = database.partition(":")[0]
    backup, delete, restore = COMMANDS[kind]
    programs = Path(program("sqlite3" if kind == "sqlite" else "postgres")).parent
    monkeypatch.setenv("BULLSCOWS_DATABASE_URL", database)
    with serving_matches(match_app, database) as client:
        party = Party(client)
        documented(backup, tmp_path, programs)
        party.join()
        documented(delete, tmp_path, programs, ID=party.id)
        assert slug(party.view()) == (404, "unknown-match")
    documented(restore, tmp_path, programs)
    with serving_matches(match_app, database) as client:
        party.client = client
        assert party.view("creator").json()["you"]["secret"] == "0123"
        assert party.join().status_code == 200


def test_older_database_is_upgraded_and_a_newer_one_refused(match_app: FastAPI, database: str):
    with serving_matches(match_app, database) as client:
        party = Party(client)
    older = "UPDATE alembic_version SET version_num = '0001'"
    execute(database, "DROP TABLE results", "DROP TABLE requests", "DROP TABLE clock", older)
    with serving_matches(match_app, database) as client:
        party.client = client
        assert party.join().status_code == 200
        assert client.get("/api/v1/daily/p3c5n/2026-01-01/results").status_code == 200
    execute(database, older.replace("0001", "9999"))
    with serving_matches(match_app, database) as client:
        assert slug(client.get(f"{API}/{party.id}")) == (503, "matches-unavailable")


# -- two processes, and kills ------------------------------------------------------------------


KEY = {"BULLSCOWS_SECRET_KEY": "0" * 32}


def ask(address: str, path: str, token: str = "", **body: Any) -> tuple[int, Any]:
    """Send a request until a server that is not busy answers it, for two minutes."""
    deadline = time.monotonic() + 120
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    sent = Request(f"{address}{API}{path}", json.dumps(body).encode() if body else None, headers)
    while True:
        try:
            with urlopen(sent, timeout=20) as response:
                return response.status, json.load(response)
        except HTTPError as error:
            if error.code != 503:
                return error.code, json.load(error)
        except (OSError, HTTPException):
            pass
        assert time.monotonic() < deadline, "no server answers"
        time.sleep(0.02)


def play(
    address: str, ended: Event, accepted: list[str], seed: int
) -> dict[str, dict[str, list[str]]]:
    """Play matches, repeating each move until it is accepted; return the moves."""
    played: dict[str, dict[str, list[str]]] = defaultdict(lambda: {"creator": [], "guest": []})
    draw = random.Random(seed)
    while not ended.is_set():
        _, made = ask(address, "", rules="p4c10n", secret="9801")
        status, joined = ask(address, f"/{made['id']}/join", secret="8910")
        if status == 409:  # it was accepted, and its response lost
            continue
        tokens = {"creator": made["player"], "guest": joined["player"]}
        for turn in range(1, 21):
            for who in tokens if not ended.is_set() else ():
                guess = "".join(draw.sample("1234567", 4))
                move = {"guess": guess, "turn": turn}
                status, answer = ask(address, f"/{made['id']}/guesses", tokens[who], **move)
                assert status == 200, answer
                played[made["id"]][who].append(guess)
                accepted.append(guess)
    return played


def wait_for_moves(accepted: list[str], more: int) -> None:
    wanted = len(accepted) + more
    wait_until(lambda: len(accepted) >= wanted)


@pytest.mark.process
@pytest.mark.parametrize(
    ("database", "kills"),
    [
        ("sqlite", 2),
        pytest.param("sqlite", 100, marks=pytest.mark.slow),
        pytest.param("postgres", 100, marks=pytest.mark.slow),
    ],
    indirect=["database"],
)
def test_kills_lose_and_double_no_accepted_move(
    small_trees: Path, tmp_path: Path, database: str, kills: int
):
    port = str(reserved_port())
    ended = Event()
    draw = random.Random(kills)
    accepted: list[str] = []
    address = f"http://127.0.0.1:{port}"

    def server() -> Any:
        options = {"BULLSCOWS_DATABASE_URL": database, "port": port} | KEY
        return servers.enter_context(
            running(small_trees, tmp_path / "log", "--workers", "2", **options)
        )

    with ThreadPoolExecutor() as pool, ExitStack() as servers:
        servers.callback(ended.set)
        serving = server()
        games = [pool.submit(play, address, ended, accepted, seed) for seed in range(3)]
        for kill in range(kills):
            wait_for_moves(accepted, draw.randrange(1, 12))
            time.sleep(draw.uniform(0, 0.1))
            if kill % 2:
                end_group(serving.process)
                serving = server()
            else:
                with suppress(ProcessLookupError, IndexError):
                    os.kill(draw.choice(sorted(serving.workers())), signal.SIGKILL)
        wait_for_moves(accepted, 3)
        ended.set()
        played = [one for game in games for one in game.result(120).items()]
        for id, sides in played:
            _, view = ask(address, f"/{id}", "")
            found = {one["player"]: [t["guess"] for t in one["turns"]] for one in view["players"]}
            assert found == sides


@pytest.mark.process
def test_one_seat_is_taken_once_in_two_processes(
    match_app: FastAPI, small_trees: Path, tmp_path: Path, database: str
):
    options = {"BULLSCOWS_DATABASE_URL": database} | KEY
    with (
        running(small_trees, tmp_path / "log", **options) as server,
        serving_matches(match_app, database) as client,
        ThreadPoolExecutor(8) as pool,
    ):
        _, made = ask(server.address, "", rules="p4c10n")
        path = f"/{made['id']}/join"
        there = [pool.submit(ask, server.address, path, name="x") for _ in range(4)]
        here = [pool.submit(client.post, API + path, json={"name": "x"}) for _ in range(4)]
        statuses = [join.result()[0] for join in there]
        statuses += [join.result().status_code for join in here]
        assert sorted(statuses) == [200] + [409] * 7
