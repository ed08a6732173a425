"""The pages of matches: everything by forms, as browsers without scripts send them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from fastapi import FastAPI
from starlette.testclient import TestClient

from tests.app.match.conftest import new_app, serving_matches, statements, stopped_clock
from tests.support.pages import HTMX, get, one, parse, text
from tests.support.servers.serving import wait_until

HTTP = "http://testserver"


class Browser:
    """A browser with cookies of its own."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.cookies: dict[str, str] = {}

    def send(
        self, method: str, path: str, headers: dict[str, str] | None = None, **fields: Any
    ) -> Any:
        self.client.cookies.clear()
        sent = {"Cookie": "; ".join(f"{n}={v}" for n, v in self.cookies.items())} | (headers or {})
        response = self.client.request(
            method, path, headers=sent, data=fields or None, follow_redirects=False
        )
        for line in response.headers.get_list("set-cookie"):
            name, value = line.split(";")[0].split("=", 1)
            self.cookies[name] = value
        return response

    def post(self, path: str, status: int = 303, **fields: Any) -> str:
        """Send a form; return where it leads."""
        response = self.send("POST", path, **fields)
        assert response.status_code == status, response.text
        return str(response.headers.get("location", ""))

    def see(self, path: str) -> BeautifulSoup:
        response = self.send("GET", path)
        assert response.status_code == 200
        assert response.headers["cache-control"] == "no-store"
        return parse(response)

    def guess(self, path: str, code: str, status: int = 303) -> BeautifulSoup:
        turn = one(self.see(path), ".fill [name=turn]")["value"]
        self.post(f"{path}/guess", status, guess=code, turn=turn)
        return self.see(path)


@pytest.fixture(scope="module")
def server(match_app: FastAPI, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server with matches in a file; tests of the API ask the other database the same."""
    file = tmp_path_factory.mktemp("matches") / "matches.sqlite"
    with serving_matches(match_app, f"sqlite:///{file}") as client:
        yield client


@pytest.fixture
def browsers(server: TestClient) -> list[Browser]:
    return [Browser(server) for _ in range(4)]


def begin(ada: Browser, **fields: Any) -> str:
    new: dict[str, Any] = {
        "rules": "p4c10n",
        "kind": "match",
        "code": "7039",
        "begins": "creator",
        "name": "Ada",
    }
    return ada.post("/match", **(new | fields))


def paired(ada: Browser, bob: Browser) -> str:
    path = begin(ada)
    bob.see(path)
    assert bob.post(f"{path}/join", code="8264", name="Bob") == path
    return path


def rows(page: BeautifulSoup, seat: int) -> list[tuple[str, str]]:
    found = page.select(f"[aria-labelledby=side-{seat}] tr[data-guess]")
    return [(str(row["data-guess"]), str(row["data-answer"])) for row in found]


def shows(page: BeautifulSoup, code: str) -> bool:
    return code in str(page) or " ".join(code) in str(page)


def test_match_is_played_to_its_end_by_forms(browsers: list[Browser]):
    ada, bob, eve, _ = browsers
    path = begin(ada)
    waiting = ada.see(path)
    assert one(waiting, "#invite")["href"] == HTTP + path
    assert shows(waiting, "7039")
    assert waiting.select("noscript meta[http-equiv=refresh]")
    assert "Ada invites you to a game" in text(one(bob.see(path), "h1"))
    bob.post(f"{path}/join", code="8264", name="Bob")
    assert text(one(bob.see(path), "h1")) == "Ada’s turn"
    ada.guess(path, "8246")
    assert rows(bob.see(path), 0) == [("8246", "2.2")]
    bob.guess(path, "0123")
    ada.guess(path, "8264")
    assert "Last guess" in one(bob.see(path), "h1").text
    bob.guess(path, "4567")
    for browser, heading in ((ada, "You"), (bob, "Ada"), (eve, "Ada")):
        end = browser.see(path)
        assert text(one(end, "h1")) == f"{heading} won in 2 turns"
        assert {code["data-secret"] for code in end.select("[data-secret]")} == {"7039", "8264"}
    review = [a["href"] for a in ada.see(path).select("a[href^='/review/']")]
    assert get(ada.client, str(review[0])).select(".reviewed h2")[1].text == "Your friend’s guesses"


def test_codes_are_shown_to_their_owners_only(browsers: list[Browser]):
    ada, bob, eve, _ = browsers
    path = paired(ada, bob)
    assert not shows(ada.see(path), "8264")
    assert not shows(bob.see(path), "7039")
    ada.guess(path, "8264")
    page = eve.see(path)
    assert not shows(page, "7039")
    assert not shows(page, "8264")
    assert rows(page, 0) == [("????", "4.0")]  # the guess is the code
    assert not page.select("form.fill")


def test_polls_read_no_match_and_are_304_until_something_happens(browsers: list[Browser]):
    ada, bob, *_ = browsers
    with stopped_clock(ada.client):  # a poll some seconds later says that its sender was seen
        path = paired(ada, bob)
        with statements() as executed:
            first = ada.send("GET", f"{path}/presence")
            assert (first.json()["version"], len(first.json()["seen"])) == (2, 2)
            known = {"If-None-Match": first.headers["etag"]}
            assert ada.send("GET", f"{path}/presence", known).status_code == 304
    assert executed
    assert not any("turns" in statement for statement in executed)
    ada.post(f"{path}/guess", guess="0123", turn="1")
    assert ada.send("GET", f"{path}/presence", known).json()["version"] == 3
    assert ada.send("GET", f"/match/{'a' * 29}/presence").status_code == 410


def test_move_sent_twice_counts_once(browsers: list[Browser]):
    ada, bob, *_ = browsers
    path = paired(ada, bob)
    for _ in range(2):
        assert ada.post(f"{path}/guess", guess="0123", turn="1") == path
    bob.guess(path, "4567")
    assert ada.post(f"{path}/guess", guess="0123", turn="1") == path
    assert ada.post(f"{path}/guess", guess="0456", turn="1") == path
    assert rows(ada.see(path), 0) == [("0123", "0.1")]


def test_form_sent_twice_creates_one_match(browsers: list[Browser]):
    ada, bob, *_ = browsers
    token = one(ada.see("/match"), "[name=token]")["value"]
    path = begin(ada, code="", token=token)
    assert begin(ada, code="", token=token) == path
    assert begin(ada, code="", token=token, begins="guest") != path
    assert len(ada.see("/match").select(".match-list a")) == 2
    bob.see(path)
    bob.post(f"{path}/join")
    assert begin(ada, code="", token=token) != path


def test_third_who_joins_too_late_watches(browsers: list[Browser]):
    ada, bob, eve, _ = browsers
    path = begin(ada)
    assert eve.see(path).select(".match-join")
    bob.post(f"{path}/join", name="Bob")
    assert eve.post(f"{path}/join", name="Eve") == path
    page = eve.see(path)
    assert "You are watching" in one(page, ".match-watch").text
    assert "Eve" not in str(page)


def test_joining_twice_takes_one_seat(browsers: list[Browser]):
    ada, bob, eve, _ = browsers
    path = begin(ada, kind="race", players="4")
    bob.see(path)
    for _ in range(2):
        assert bob.post(f"{path}/join", name="Bob") == path
    assert "Player 3" not in str(eve.see(path))
    assert len(ada.see(path).select("#presence span")) == 1


def test_unusable_code_is_explained_and_creates_nothing(browsers: list[Browser]):
    ada, bob, *_ = browsers
    response = ada.send("POST", "/match", rules="p4c10n", code="7733", name="Ada")
    assert response.status_code == 422
    page = parse(response)
    assert "7 appears twice" in one(page, "#code-error").text
    assert one(page, "#name")["value"] == "Ada"
    path = begin(ada)
    bob.see(path)
    assert "No" not in bob.post(f"{path}/join", 422, code="123")
    bob.post(f"{path}/join", code="8264")
    bob_page = parse(ada.send("POST", f"{path}/guess", guess="11", turn="1"))
    assert "you wrote 2" in one(bob_page, "#guess-error").text


@pytest.mark.parametrize("number", ["9" * 5_000, "-1", "1e3", "\u00b2", "\u0663"])
def test_field_that_is_no_small_number_counts_as_the_least(browsers: list[Browser], number: str):
    ada, bob, *_ = browsers
    path = begin(ada, kind="race", players=number)
    bob.see(path)
    bob.post(f"{path}/join", name="Bob")
    for _ in range(2):
        ada.post(f"{path}/guess", guess="0123", turn=number)
    assert text(one(ada.see(path), "title")).startswith("Race: guess 2 ")


def test_only_players_move(browsers: list[Browser]):
    ada, bob, eve, _ = browsers
    path = paired(ada, bob)
    eve.cookies = dict.fromkeys(ada.cookies, "x" * 22)
    for move in ("guess", "resign", "rematch", "key"):
        eve.post(f"{path}/{move}", 401, guess="0123")
    assert eve.see(path).select(".match-watch")
    forged = ada.send("POST", f"{path}/resign", headers={"Sec-Fetch-Site": "cross-site"}, x="1")
    assert forged.status_code == 403
    assert "data-over" not in one(ada.see(path), "#board").attrs
    ada.post(f"{path}/resign")
    assert text(one(bob.see(path), "h1")) == "You won in 0 turns"


def test_cookie_is_out_of_reach_of_scripts_and_other_sites(browsers: list[Browser]):
    ada = browsers[0]
    response = ada.send("POST", "/match", rules="p4c10n")
    cookies = response.headers.get_list("set-cookie")
    assert [re.findall(r"Path=([^;]+)", cookie)[0] for cookie in cookies] == ["/match", "/ru/match"]
    assert all("HttpOnly" in cookie and "SameSite=lax" in cookie for cookie in cookies)
    assert not any("Secure" in cookie for cookie in cookies)
    response = ada.send("POST", "https://testserver/match", rules="p4c10n")
    assert all("Secure" in cookie for cookie in response.headers.get_list("set-cookie"))


def test_private_link_opens_the_match_elsewhere_and_is_on_no_other_page(browsers: list[Browser]):
    ada, bob, phone, _ = browsers
    path = paired(ada, bob)
    token = next(iter(ada.cookies.values()))
    assert token not in str(ada.see(path)) + str(ada.see("/match"))
    key = parse(ada.send("POST", f"{path}/key"))
    link = str(one(key, "#key")["href"])
    assert link == f"{HTTP}{path}#{token}"
    assert phone.post("/match/open", link=link) == path
    assert shows(phone.see(path), "7039")
    phone.post("/match/open", 404, link="https://example.org/")
    phone.post("/match/open", 401, link=f"{path}#{'x' * 22}")


def test_race_hides_the_guesses_of_others_until_its_end(browsers: list[Browser]):
    ada, bob, eve, _ = browsers
    path = begin(ada, kind="race", rules="p2c3n", code="", players="2")
    assert ada.see(path).select("#invite")
    assert ada.see(f"{path}?start=on").select("form.fill")
    bob.post(f"{path}/join", name="Bob")
    codes = ["01", "02", "10", "12", "20", "21"]
    for turn, code in enumerate(codes, start=1):
        ada.post(f"{path}/guess", guess=code, turn=str(turn))
    assert not ada.see(path).select("form.fill")
    assert "turn" in one(bob.see(path), "#presence").text
    assert not bob.see(path).select("tr[data-guess]")
    assert {guess for guess, _ in rows(eve.see(path), 0)} == {"??"}
    for turn, code in enumerate(reversed(codes), start=1):
        bob.post(f"{path}/guess", guess=code, turn=str(turn))
    end = bob.see(path)
    assert one(end, "[data-secret]")["data-secret"] == rows(end, 0)[-1][0] == rows(end, 1)[-1][0]


def test_creator_of_a_one_sided_match_sees_the_guesses(browsers: list[Browser]):
    ada, bob, *_ = browsers
    path = begin(ada, kind="set")
    assert shows(ada.see(path), "7039")
    bob.see(path)
    bob.post(f"{path}/join", name="Bob")
    page = bob.guess(path, "0123")
    assert not shows(page, "7039")
    assert rows(ada.see(path), 1) == [("0123", "0.2")]
    bob.guess(path, "7039")
    assert text(one(ada.see(path), "h1")) == "Bob won in 2 turns"


def test_rematch_keeps_both_players_and_the_other_begins(browsers: list[Browser]):
    ada, bob, *_ = browsers
    path = paired(ada, bob)
    ada.post(f"{path}/resign")
    offer = ada.post(f"{path}/rematch", code="0123")
    assert "shows your offer" in ada.see(offer).text
    following = offer.partition("?")[0]
    assert "wants a rematch" in one(bob.see(path), ".match-rematch summary").text
    assert bob.post(f"{path}/rematch", code="4567") == offer
    assert bob.see(following).select("form.fill")
    assert text(one(ada.see(following), "h1")) == "Bob’s turn"
    listed = [a["href"] for a in ada.see("/match").select(".match-list a")]
    assert listed == [following, path]


@pytest.mark.large
@pytest.mark.process
def test_losses_of_both_are_found_by_a_search_process(small_trees: Path, tmp_path: Path):
    database = f"sqlite:///{tmp_path / 'matches.sqlite'}"
    with serving_matches(new_app(small_trees), database, has_processes=True) as server:
        wait_until(lambda: server.get("/readyz").json()["search"] == "ready")
        ada = Browser(server)
        bob = Browser(server)
        path = begin(ada, rules="p2c3n", code="01")
        bob.post(f"{path}/join", code="12")
        assert ada.send("GET", f"{path}/losses", headers=HTMX).status_code == 303
        for code in ("01", "12"):
            ada.guess(path, code)
            if code == "01":
                bob.guess(path, "10")
        bob.guess(path, "21")
        losses = parse(ada.send("GET", f"{path}/losses", headers=HTMX))
    assert [cell["data-lost"] for cell in losses.select("[data-lost]")] == ["0.0", "1.0"]
    assert one(losses, "p").text == "You guessed better."


@pytest.mark.large
def test_losses_that_cost_too_much_are_left_out(server: TestClient):
    """Each of eight players of a large race can still be reviewed alone."""
    api = "/api/v1/matches"
    created = server.post(api, json={"rules": "p8c10n", "kind": "race", "players": 8}).json()
    match = created["id"]
    joined = [server.post(f"{api}/{match}/join", json={}).json() for _ in range(7)]
    for one_of_them in (created, *joined):
        headers = {"Authorization": f"Bearer {one_of_them['player']}"}
        for code in ("01234567", "98765432", "20314567"):
            made = server.post(f"{api}/{match}/guesses", json={"guess": code}, headers=headers)
            assert made.status_code == 200
        server.post(f"{api}/{match}/resign", json={}, headers=headers)
    end = get(server, f"/match/{match}")
    assert not end.select("[hx-get$='/losses']")
    assert len(end.select("a[href^='/review/p8c10n']")) == 8
    asked = server.get(f"/match/{match}/losses", headers=HTMX, follow_redirects=False)
    assert asked.status_code == 303
