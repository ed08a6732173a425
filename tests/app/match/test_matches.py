"""Matches over HTTP, on both databases."""

import secrets
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from itertools import product
from pathlib import Path
from typing import Any, cast

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from bullscows.game.rules import Rules
from bullscows_web.match.clock import GAP, Clock
from bullscows_web.match.rules import ABANDONED, KEPT
from tests.app.match.conftest import serving_matches, statements
from tests.support.servers.postgres import execute

API = "/api/v1/matches"


class Party:
    """A match between two clients that keep their tokens."""

    def __init__(self, client: TestClient, **new: Any) -> None:
        self.client = client
        self.kind = new.get("kind", "match")
        secret = {} if self.kind == "race" and new.get("plays", True) else {"secret": "0123"}
        made = client.post(API, json={"rules": "p4c10n"} | secret | new)
        assert made.status_code == 201, made.text
        self.id = made.json()["id"]
        self.tokens = {"creator": made.json()["player"]}

    def join(self, secret: str | None = "4567") -> Any:
        joined = self.client.post(f"{API}/{self.id}/join", json={"secret": secret})
        if joined.status_code == 200:
            self.tokens[joined.json()["you"]["player"]] = joined.json()["player"]
        return joined

    def headers(self, who: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens.get(who, who)}"} if who else {}

    def send(self, who: str, what: str, **body: Any) -> Any:
        return self.client.post(f"{API}/{self.id}/{what}", json=body, headers=self.headers(who))

    def guess(self, who: str, guess: str, turn: int | None = None) -> Any:
        return self.send(who, "guesses", guess=guess, turn=turn)

    def view(self, who: str = "", **headers: str) -> Any:
        return self.client.get(f"{API}/{self.id}", headers=self.headers(who) | headers)


def draw(monkeypatch: pytest.MonkeyPatch, rules: str, code: str) -> None:
    """Let the server draw this code."""
    number = Rules.parse(rules).parse_code(code)
    monkeypatch.setattr(secrets, "randbelow", lambda most: number % most)


def slug(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["type"].rpartition("/")[2]


def test_match_is_played_to_the_last_guess(table: TestClient):
    party = Party(table)
    assert slug(party.guess("creator", "4567")) == (409, "match-not-started")
    assert party.join().json()["to_move"] == "creator"
    assert slug(party.join()) == (409, "match-full")
    assert slug(party.guess("guest", "0123")) == (409, "not-your-turn")
    first = party.guess("creator", "4576", 1).json()
    assert [(t["guess"], t["bulls"], t["cows"]) for t in first["you"]["turns"]] == [("4576", 2, 2)]
    party.guess("guest", "0132", 1)
    assert not party.guess("creator", "4567").json()["finished"]
    last = party.guess("guest", "0321").json()
    assert (last["finished"], last["winner"], last["reason"]) == (True, "creator", "found")
    assert last["secrets"] == {"creator": "0123", "guest": "4567"}
    assert party.view().json()["secrets"] == last["secrets"]
    assert slug(party.guess("creator", "4567")) == (409, "match-finished")


def test_repeated_move_changes_nothing_and_another_guess_is_refused(table: TestClient):
    party = Party(table)
    party.join()
    once = party.guess("creator", "4576", 1)
    assert party.guess("creator", "4576", 1).json() == once.json()
    assert slug(party.guess("creator", "4578", 1)) == (409, "turn-played")
    assert slug(party.guess("creator", "4578", 3)) == (409, "not-your-turn")
    assert len(party.view().json()["players"][0]["turns"]) == 1


def test_each_viewer_sees_their_own_code_only(table: TestClient):
    party = Party(table)
    party.join()
    party.guess("creator", "4567")
    for who, secret, other in (("creator", "0123", "4567"), ("guest", "4567", "0123")):
        view = party.view(who).json()
        assert (view["you"]["secret"], view["opponent"]["secret"]) == (secret, None)
        assert view["you"]["player"] == who
        assert (other in party.view(who).text) == (who == "creator")  # the creator has found it
    assert "4567" not in party.view().text
    assert "0123" not in party.view().text


def test_race_hides_guesses_and_code_until_all_have_finished(
    table: TestClient, monkeypatch: pytest.MonkeyPatch
):
    draw(monkeypatch, "p3c5n", "012")
    party = Party(table, kind="race", players=3, rules="p3c5n")
    party.join(), party.join()
    party.guess("guest", "012")
    assert slug(party.guess("guest", "013")) == (409, "match-finished")
    for who in ("creator", "guest2", ""):
        assert "012" not in party.view(who).text
        assert party.view(who).json()["players"][1]["turns"][0]["bulls"] == 3
    party.guess("creator", "123"), party.send("creator", "resign")
    party.guess("guest2", "123")
    end = party.guess("guest2", "012").json()
    assert (end["winner"], end["secrets"]["guest"]) == ("guest", "012")
    assert end["players"][0]["turns"][0]["guess"] == "123"


def test_strangers_cannot_move(table: TestClient):
    party = Party(table)
    party.join()
    moves: dict[str, Any] = {"guesses": {"guess": "4567"}, "resign": {}, "rematch": {}}
    for who, what in product(("", "stranger", "Ünicode"), moves):
        headers = [(k.encode(), v.encode()) for k, v in party.headers(who).items()]
        refused = table.post(f"{API}/{party.id}/{what}", json=moves[what], headers=headers)
        assert slug(refused) == (401, "not-a-player")
        assert refused.headers["www-authenticate"] == "Bearer"
    assert party.view(party.tokens["guest"]).status_code == 200


KEY = {"Idempotency-Key": "8e03978e-40d5-43dd-bc93-6894a57f9324"}


def test_seat_is_taken_once_by_requests_with_a_key(table: TestClient):
    new = {"rules": "p4c10n", "kind": "race", "players": 4}
    made = [table.post(API, json=new, headers=KEY) for _ in range(2)]
    assert [one.status_code for one in made] == [201, 201]
    assert made[0].json() == made[1].json()
    other = table.post(API, json=new | {"players": 3}, headers=KEY)
    assert slug(other) == (422, "key-reused")
    path = f"{API}/{made[0].json()['id']}/join"
    assert slug(table.post(path, json={"name": "Bob"}, headers=KEY)) == (422, "key-reused")
    another = {"Idempotency-Key": "0" * 16}
    joined = [table.post(path, json={"name": "Bob"}, headers=another) for _ in range(2)]
    assert joined[0].status_code == 200
    assert joined[0].json() == joined[1].json()
    assert slug(table.post(path, json={"name": "Eve"}, headers=another)) == (422, "key-reused")
    assert len(table.post(path, json={"name": "Eve"}).json()["players"]) == 3


def test_requests_with_one_key_at_once_create_one_match(table: TestClient):
    def create(_: int) -> Any:
        return table.post(API, json={"rules": "p4c10n"}, headers=KEY).json()

    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(create, range(8)))
    assert len({(one["id"], one["player"]) for one in made}) == 1


def test_key_is_forgotten_with_its_match(table: TestClient):
    at(table, 20_000 * 86_400.0)
    made = table.post(API, json={"rules": "p4c10n"}, headers=KEY).json()
    at(table, 20_000 * 86_400.0 + KEPT + 1)
    again = table.post(API, json={"rules": "p4c10n"}, headers=KEY)
    assert again.status_code == 201
    assert again.json()["id"] != made["id"]
    assert again.json()["player"] != made["player"]


@pytest.mark.parametrize("key", ["", "short", "x" * 65, "with a space in it", "\u00fcber" * 4])
def test_key_that_can_be_guessed_or_is_none_is_refused(client: TestClient, key: str):
    headers = {b"Idempotency-Key": key.encode("latin-1")}
    refused = client.post(API, json={"rules": "p4c10n"}, headers=cast(Any, headers))
    assert slug(refused) == (422, "invalid-request")
    assert "draw a UUID" in refused.json()["detail"]


def test_sender_of_a_code_watches_and_sees_all(table: TestClient):
    party = Party(table, kind="race", plays=False)
    party.join()
    party.guess("guest", "4567")
    view = party.view("creator").json()
    assert (view["you"]["secret"], view["players"][1]["turns"][0]["guess"]) == ("0123", "4567")
    assert slug(party.guess("creator", "0123")) == (409, "match-finished")
    assert party.guess("guest", "0123").json()["winner"] == "guest"


def test_rematch_swaps_who_begins_and_keeps_the_tokens(table: TestClient):
    party = Party(table)
    party.join()
    assert slug(party.send("creator", "rematch")) == (409, "match-unfinished")
    assert party.send("guest", "resign").json()["winner"] == "creator"
    offered = party.send("creator", "rematch", secret="9876").json()
    assert offered["begins"] == "guest"
    again = party.send("creator", "rematch", secret="1111")
    assert (again.status_code, again.json()["id"]) == (200, offered["id"])
    assert party.view().json()["rematch"] is None
    assert party.view("guest").json()["rematch"] == offered["id"]
    taken = party.send("guest", "rematch", secret="5678").json()
    assert (taken["id"], taken["player"]) == (offered["id"], party.tokens["guest"])
    assert (taken["you"]["player"], taken["to_move"]) == ("guest", "guest")


@pytest.mark.parametrize(
    ("limit", "refusal"),
    [("matches_per_hour", (429, "too-many-created")), ("max_matches", (503, "matches-full"))],
)
def test_rematches_have_the_limits_of_matches(
    match_app: FastAPI, tmp_path: Path, limit: str, refusal: tuple[int, str]
):
    """Else a player who resigns and asks for a rematch, in turn, would fill the database."""
    url = f"sqlite:///{tmp_path / 'limited.sqlite'}"
    limits: Any = {limit: 1}
    with serving_matches(match_app, url, **limits) as client:
        party = Party(client)
        party.send("creator", "resign")
        assert slug(party.send("creator", "rematch")) == refusal


def test_only_who_creates_a_rematch_uses_the_limit_of_matches(match_app: FastAPI, tmp_path: Path):
    """Else some friends at one address could not join the rematches of their own races."""
    url = f"sqlite:///{tmp_path / 'limited.sqlite'}"
    with serving_matches(match_app, url, matches_per_hour=2) as client:
        party = Party(client)
        party.join()
        for _ in range(2):
            assert slug(party.send("creator", "rematch")) == (409, "match-unfinished")
        party.send("creator", "resign")
        following = party.send("creator", "rematch").json()
        for who in ("guest", "creator"):
            assert party.send(who, "rematch").json()["id"] == following["id"]
        assert slug(client.post(API, json={"rules": "p4c10n"})) == (429, "too-many-created")


def test_a_match_with_an_invalid_code_does_not_use_the_limit(match_app: FastAPI, tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'limited.sqlite'}"
    with serving_matches(match_app, url, matches_per_hour=1) as client:
        game = {"rules": "p4c10n"}
        assert client.post(API, json=game | {"secret": "1123"}).status_code == 422
        assert client.post(API, json=game | {"secret": "1234"}).status_code == 201


def test_view_is_sent_again_only_after_a_change(table: TestClient):
    party = Party(table)
    known = party.view("creator")
    tag = {"If-None-Match": known.headers["etag"]}
    assert known.headers["cache-control"] == "private, no-cache"
    with statements() as executed:
        assert party.view("creator", **tag).status_code == 304
    assert executed
    assert not any("turns" in statement for statement in executed), "the match is not read"
    assert party.view("", **tag).status_code == 200
    assert (
        party.view("x" * 22, **{"If-None-Match": party.view().headers["etag"]}).status_code == 401
    )
    party.join()
    assert party.view("creator", **tag).status_code == 200


def at(client: TestClient, seconds: float) -> None:
    """Set the clock of a server."""
    app: Any = client.app
    app.state.matches.clock = Clock(lambda: seconds, lambda: 0.0)


def keep(client: TestClient) -> None:
    """Let a server delete expired matches, as it does now and then."""
    cast(Any, client).portal.call(cast(Any, client.app).state.matches.keep)


def test_week_without_a_move_abandons_and_a_month_deletes(table: TestClient, database: str):
    at(table, 20_000 * 86_400.0)
    party = Party(table)
    at(table, 20_000 * 86_400.0 + ABANDONED + 1)
    view = party.view().json()
    assert (view["reason"], view["winner"], view["secrets"]) == (
        *("abandoned", None),
        {"creator": "0123"},
    )
    assert slug(party.join()) == (409, "match-finished")
    at(table, 20_001 * 86_400.0 + KEPT + 1)
    assert slug(party.view()) == (410, "expired-match")
    keep(table)
    assert slug(party.view()) == (410, "expired-match")
    assert execute(database, "SELECT * FROM players") == []
    at(table, 20_001 * 86_400.0)
    assert slug(party.view()) == (404, "unknown-match")


@pytest.mark.large
@pytest.mark.parametrize("days", [-300, -8, 8, 40])
def test_restart_under_a_wrong_clock_ends_and_shows_nothing(
    match_app: FastAPI, database: str, days: int
):
    now = 20_000 * 86_400.0
    with serving_matches(match_app, database) as client:
        at(client, now)
        party = Party(client)
        party.join()
        at(client, now + 6 * 86_400)
        party.guess("creator", "4576")
    for system in (now + (6 + days) * 86_400, now + 6 * 86_400 + 60):
        with serving_matches(match_app, database) as client:
            party.client = client
            at(client, system)
            view = party.view().json()
            assert (view["finished"], view["secrets"]) == (False, None)
            assert "0123" not in party.view("guest").text
            expires = datetime.fromisoformat(view["expires"]).timestamp()
            assert expires - system == pytest.approx(KEPT, abs=GAP)
    with serving_matches(match_app, database) as client:
        party.client = client
        at(client, now + 6 * 86_400 + 120)
        assert not party.view().json()["finished"]
        at(client, now + 6 * 86_400 + 120 + ABANDONED)
        assert party.view().json()["reason"] == "abandoned"


def test_clock_of_another_machine_that_is_behind_loses_nothing(table: TestClient):
    at(table, 20_000 * 86_400.0)
    party = Party(table)
    at(table, 19_000 * 86_400.0)
    assert party.join().status_code == 200
    assert party.guess("creator", "4567", 1).status_code == 200
    assert party.view().json()["version"] == 3
    assert not party.view().json()["players"][0]["connected"]


@pytest.mark.parametrize(
    ("new", "said"),
    [
        ({"kind": "match", "players": 3}, "only a race has other numbers of players"),
        ({"plays": False}, "a creator who watches"),
        ({"kind": "race", "secret": "0123"}, "leave out secret to have it drawn"),
        ({"kind": "race", "players": 9}, "players"),
        ({"secret": "0122"}, "0122"),
        ({"secret": "0"}, "secret"),
        ({"name": "x" * 21}, "name"),
        ({"rules": "p4c3n"}, "at least 4 symbols"),
        ({"kind": "duel"}, "kind"),
    ],
)
def test_match_that_cannot_be_is_refused_with_the_reason(
    client: TestClient, new: dict[str, Any], said: str
):
    response = client.post(API, json={"rules": "p4c10n"} | new)
    assert response.status_code == 422
    assert said in response.text


@pytest.mark.parametrize(
    "body",
    [
        '{"guess": "0123", "turn": ' + "9" * 5_000 + "}",
        *('{"guess": "0123", "turn": 1e400}', '{"guess": "0123", "turn": NaN}'),
        *('{"guess": "0123", "turn": "1' + "0" * 5_000 + '"}', "[" * 5_000, '{"turn": 1'),
    ],
)
def test_number_of_any_length_in_a_body_is_refused(client: TestClient, body: str):
    party = Party(client, kind="race")
    headers = party.headers("creator") | {"Content-Type": "application/json"}
    refused = client.post(f"{API}/{party.id}/guesses", content=body, headers=headers)
    assert refused.status_code in (400, 422)
    assert len(refused.text) < 1_000


def test_name_has_no_invisible_characters(client: TestClient):
    made = client.post(API, json={"rules": "p4c10n", "name": " Ann\u202e \x07 B "}).json()
    assert made["you"]["name"] == "Ann B"
