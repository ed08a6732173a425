"""A code for a friend: token in a link, never in an address or a log in clear."""

import logging

import pytest
from starlette.testclient import TestClient

from bullscows_web.duel.duel import MAX_TURNS
from tests.support.pages import get, one, text


def friend_link(client: TestClient, code: str = "412") -> str:
    """Write a code; return the path that the friend gets."""
    response = client.post("/duel/friend/p3c5n", data={"code": code})
    assert response.status_code == 303
    return str(one(get(client, response.headers["location"]), "#friend-link")["href"])


def test_code_stands_in_no_address_and_no_log(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    response = client.post("/duel/friend/p3c5n", data={"code": "4 1 2"})
    page = client.get(response.headers["location"]).text
    assert "412" not in response.headers["location"].split("/")
    assert "412" not in caplog.text
    assert ">412<" not in page
    assert response.headers["cache-control"] == "no-store"


def test_friend_finds_the_code_and_is_offered_a_link_back(client: TestClient) -> None:
    path = friend_link(client)
    assert "012" not in path
    for guess, answer in (("012", "2.0"), ("413", "2.0")):
        path = client.get(path, params={"guess": guess}).headers["location"]
        row = get(client, path).select("tr[data-guess]")[-1]
        assert (row["data-guess"], row["data-answer"]) == (guess, answer)
    path = client.get(path, params={"guess": "412"}).headers["location"]
    page = get(client, path)
    assert one(page, "[data-secret]")["data-secret"] == "412"
    assert one(page, "a.button.primary")["href"] == "/duel/friend/p3c5n"
    assert client.get(f"{path}?guess=034").headers["location"] == path
    assert client.get(f"{path}-034").headers["location"] == path
    rows = get(client, str(one(page, ".to-review")["href"])).select(".review > li")
    assert [row["data-guess"] for row in rows] == ["012", "413", "412"]


def test_pegs_of_a_code_may_be_chosen(client: TestClient) -> None:
    response = client.post("/duel/friend/p2c4r", data={"peg1": "3", "peg2": "1"})
    path = response.headers["location"].removesuffix("/link")
    assert client.get(path, params={"guess": "31"}).headers["location"].endswith("/31")
    page = get(client, f"{path}/31")
    assert one(page, "[data-secret]")["data-secret"] == "31"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"code": "41"}, "you wrote 2"),
        ({"code": "411"}, "appears twice"),
        ({"code": "419"}, "does not occur"),
        ({}, "goes here"),
        ({"code": "x" * 5000}, "does not occur"),
    ],
)
def test_text_that_is_no_code_is_reported(
    client: TestClient, data: dict[str, str], said: str
) -> None:
    response = client.post("/duel/friend/p3c5n", data=data)
    assert response.status_code == 422
    assert said in response.text


def test_body_that_is_no_form_is_reported(client: TestClient) -> None:
    for body in (b"\xff\xfe=\x00", b"a=1&" * 50, b"code"):
        assert client.post("/duel/friend/p3c5n", content=body).status_code == 422


def test_state_of_another_game_or_cut_is_refused(client: TestClient) -> None:
    path = friend_link(client)
    token = path.split("/")[-1]
    refused = {
        f"/duel/friend/p2c4r/{token}": 422,
        path[:-2]: 422,
        f"{path}/link/x": 404,
        f"/duel/p3c5n/{token}": 422,
    }
    for url, status in refused.items():
        assert "412" not in text(get(client, url, status)).replace(token, "")


def test_code_is_revealed_when_no_guess_is_left(client: TestClient) -> None:
    path = f"{friend_link(client)}/{'-'.join(['012'] * MAX_TURNS)}"
    page = get(client, path)
    assert one(page, "[data-secret]")["data-secret"] == "412"
    assert "No guesses left" in text(page)
    assert not get(client, path.removesuffix("-012")).select("[data-secret]")
