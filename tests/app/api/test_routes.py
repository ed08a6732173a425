import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from bullscows.game.rules import SYMBOLS, Rules
from bullscows.game.rules import respond as score
from bullscows.tree.codec import decode
from bullscows.tree.storage import record_digest
from bullscows_web.main import create_app
from bullscows_web.server.settings import Settings
from tests.conftest import SMALL_TREES
from tests.support.searching import IdleExecutor

API = "/api/v1"


def start(client: TestClient, tree: str = "small-bulls-cows", shuffle: bool = False) -> Any:
    response = client.post(f"{API}/sessions", json={"tree": tree, "shuffle": shuffle})
    assert response.status_code == 201
    return response.json()


def answer(client: TestClient, session: str, bulls: int, cows: int) -> Any:
    path = f"{API}/sessions/{session}/answers"
    response = client.post(path, json={"bulls": bulls, "cows": cows})
    assert response.status_code == 200
    assert response.headers["location"] == f"{API}/sessions/{response.json()['id']}"
    return response.json()


def test_trees_are_listed_with_their_figures(client: TestClient):
    content = client.get(f"{API}/trees").json()
    assert {tree["name"]: tree["rules"] for tree in content["trees"]} == SMALL_TREES
    assert content["unavailable"] == []
    for tree in content["trees"]:
        counts = tree["distribution"]
        assert tree["secrets"] == sum(counts)
        assert tree["total"] == sum(turn * count for turn, count in enumerate(counts, start=1))
        assert tree["mean"] == pytest.approx(tree["total"] / tree["secrets"])


def test_string_of_a_tree_decodes_to_it(client: TestClient, library):
    for entry in library:
        content = client.get(f"{API}/trees/{entry.name}").json()
        assert decode(Rules.parse(content["rules"]), content["string"]) == entry.tree
        assert content["digest"] == entry.record.digest


def test_digit_91_travels_escaped(small_trees: Path):
    """The server is a new one: others answer from their response cache."""
    app = create_app(Settings(trees_dir=small_trees), IdleExecutor())
    with TestClient(app) as client:
        entry = app.state.library.tree("small-mastermind")
        vars(entry.record)["string"] = "#\x7f"
        content = client.get(f"{API}/trees/small-mastermind")
    assert "\x7f" not in content.text
    assert content.json()["string"] == "#\x7f"


def test_root_node_is_the_tree(client: TestClient):
    tree = client.get(f"{API}/trees/small-bulls-cows").json()
    node = client.get(f"{API}/trees/small-bulls-cows/nodes").json()
    assert node["answers"] == ""
    assert node["turns"] == []
    assert node["remaining"] == tree["secrets"]
    assert node["distribution"] == tree["distribution"]
    assert node["total"] == tree["total"]


def test_every_node_is_the_sum_of_its_children(client: TestClient):
    waiting = [""]
    seen = 0
    while waiting:
        answers = waiting.pop()
        path = f"{API}/trees/small-bulls-cows/nodes"
        node = client.get(path, params={"answers": answers}).json()
        seen += 1
        assert node["answers"] == answers
        assert node["remaining"] == sum(child["remaining"] for child in node["children"])
        assert node["total"] == sum(child["total"] for child in node["children"])
        assert node["is_candidate"] == (node["guess"] in node["candidates"])
        waiting += [child["answers"] for child in node["children"] if child["guess"]]
    assert seen == client.get(f"{API}/trees/small-bulls-cows").json()["nodes"]


def test_new_session_says_what_to_ask(client: TestClient):
    response = client.post(f"{API}/sessions", json={"tree": "small-bulls-cows", "shuffle": False})
    session = response.json()
    assert response.headers["location"] == f"{API}/sessions/small-bulls-cows~0"
    assert session["id"] == "small-bulls-cows~0"
    assert client.get(response.headers["location"]).json() == session
    assert (session["turn"], session["remaining"], session["finished"]) == (1, 60, False)
    assert (session["secret"], session["turns"], session["previous"]) == (None, [], None)
    assert sum(item["remaining"] for item in session["answers"]) == 60


def test_sessions_are_shuffled_by_default(client: TestClient):
    def new() -> str:
        return str(client.post(f"{API}/sessions", json={"tree": "small-bulls-cows"}).json()["id"])

    assert len({new() for _ in range(20)}) > 1
    assert len({start(client)["id"] for _ in range(3)}) == 1


@pytest.mark.parametrize("tree", SMALL_TREES)
def test_every_secret_is_guessed_under_any_relabelling(client: TestClient, tree: str):
    rules = Rules.parse(SMALL_TREES[tree])
    for number in range(rules.size):
        session = start(client, tree, shuffle=True)
        while not session["finished"]:
            guess = [SYMBOLS.index(symbol) for symbol in session["guess"]]
            session = answer(client, session["id"], *score(guess, rules.code(number)))
        assert session["secret"] == rules.text(number)
        assert session["answers"] == []
        assert session["turn"] == len(session["turns"])


def test_an_earlier_id_is_undo(client: TestClient):
    first = start(client)
    second = answer(client, first["id"], 0, 1)
    assert second["previous"] == first["id"]
    assert client.get(f"{API}/sessions/{second['previous']}").json() == first


def test_contradiction_names_the_answers_that_could_be_wrong(client: TestClient):
    session = "small-bulls-cows~0~0.1-1.1"
    path = f"{API}/sessions/{session}/answers"
    response = client.post(path, json={"bulls": 0, "cows": 0})
    assert response.status_code == 409
    found = response.json()["corrections"]
    assert found
    for correction in found:
        keys = {"turn", "guess", "given", "instead", "mistake", "remaining", "session"}
        assert set(correction) == keys
        corrected = client.get(f"{API}/sessions/{correction['session']}").json()
        assert corrected["turns"][-1]["turn"] == correction["turn"]
        assert corrected["turns"][-1]["answer"] == correction["instead"]["answer"]


@pytest.mark.parametrize(
    "body",
    [
        *({"bulls": 1}, {"bulls": "1", "cows": 1}, {"bulls": 10**400, "cows": 0}, [1, 1], None),
        *({"bulls": 2, "cows": 1}, {"bulls": 4, "cows": 0}),  # no game has these answers
    ],
)
def test_malformed_answer_body_is_refused(client: TestClient, body: object):
    response = client.post(f"{API}/sessions/small-bulls-cows~0/answers", json=body)
    assert response.status_code == 422


@pytest.mark.parametrize(
    ("rules", "guess", "secret", "expected"),
    [
        ("p4c10n", "0123", "0145", "2.0"),
        ("p8c16r", "01234567", "76543210", "0.8"),
        ("p4c6rb", "1234", "4231", "2.0"),
    ],
)
def test_two_codes_are_compared(
    client: TestClient, rules: str, guess: str, secret: str, expected: str
):
    body = {"rules": rules, "guess": guess, "secret": secret}
    content = client.post(f"{API}/response", json=body).json()
    assert content["answer"] == expected
    assert f"{content['bulls']}.{content['cows']}" == expected


def test_copy_is_out_of_date_when_only_the_claims_of_a_tree_change(
    client: TestClient, small_trees: Path, tmp_path: Path
):
    trees = Path(shutil.copytree(small_trees, tmp_path / "trees"))
    file = trees / "small-mastermind.json"
    record = json.loads(file.read_text()) | {"objective": "entropy"}
    file.write_text(json.dumps(record | {"digest": record_digest(record)}))
    name = "small-mastermind"
    files = (f"/statistics/{name}.json", f"/trees/{name}.json")
    with TestClient(create_app(Settings(trees_dir=trees), IdleExecutor())) as changed:
        for path in (f"{API}/trees", f"{API}/trees/{name}", *files):
            tag = client.get(path).headers["etag"]
            response = changed.get(path, headers={"If-None-Match": tag})
            assert response.status_code == 200, path
            assert response.headers["etag"] != tag
