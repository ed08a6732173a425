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
from bullscows_web.trees.position import LISTED
from tests.conftest import SMALL_TREES

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


# -- trees -------------------------------------------------------------------------------------


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
    app = create_app(Settings(trees_dir=small_trees))
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
    waiting, seen = [""], 0
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


def test_large_nodes_count_their_candidates_only(client: TestClient):
    node = client.get(f"{API}/trees/small-bulls-cows/nodes").json()
    assert node["remaining"] <= LISTED
    assert len(node["candidates"]) == node["remaining"]


def test_no_node_lies_behind_the_winning_answer(client: TestClient):
    response = client.get(f"{API}/trees/small-bulls-cows/nodes?answers=3.0")
    assert response.status_code == 409
    assert response.json()["type"].endswith("game-over")


# -- sessions ----------------------------------------------------------------------------------


def test_new_session_says_what_to_ask(client: TestClient):
    response = client.post(f"{API}/sessions", json={"tree": "small-bulls-cows", "shuffle": False})
    session = response.json()
    assert response.headers["location"] == f"{API}/sessions/small-bulls-cows~0"
    assert session["id"] == "small-bulls-cows~0"
    assert (session["turn"], session["remaining"], session["finished"]) == (1, 60, False)
    assert (session["secret"], session["turns"], session["previous"]) == (None, [], None)
    assert sum(item["remaining"] for item in session["answers"]) == 60


def test_location_of_a_session_is_the_session(client: TestClient):
    response = client.post(f"{API}/sessions", json={"tree": "small-mastermind"})
    assert client.get(response.headers["location"]).json() == response.json()


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


def test_history_lists_the_game(client: TestClient):
    session = answer(client, answer(client, start(client)["id"], 0, 1)["id"], 1, 1)
    assert [(turn["turn"], turn["answer"]) for turn in session["turns"]] == [
        (1, "0.1"),
        (2, "1.1"),
    ]
    assert session["turns"][-1]["remaining"] == session["remaining"] == len(session["candidates"])


def test_an_earlier_id_is_undo(client: TestClient):
    first = start(client)
    second = answer(client, first["id"], 0, 1)
    assert second["previous"] == first["id"]
    assert client.get(f"{API}/sessions/{second['previous']}").json() == first


def test_only_possible_answers_are_offered(client: TestClient):
    session = start(client, "small-mastermind")
    offered = {(item["bulls"], item["cows"]) for item in session["answers"]}
    for bulls in range(3):
        for cows in range(3 - bulls):
            path = f"{API}/sessions/{session['id']}/answers"
            response = client.post(path, json={"bulls": bulls, "cows": cows})
            assert (response.status_code == 200) == ((bulls, cows) in offered)


def test_contradiction_names_the_answers_that_could_be_wrong(client: TestClient):
    session = "small-bulls-cows~0~0.1-1.1"
    path = f"{API}/sessions/{session}/answers"
    response = client.post(path, json={"bulls": 0, "cows": 0})
    assert response.status_code == 409
    found = response.json()["corrections"]
    assert found
    for correction in found:
        corrected = client.get(f"{API}/sessions/{correction['session']}").json()
        assert corrected["turns"][-1]["turn"] == correction["turn"]
        assert corrected["turns"][-1]["answer"] == correction["instead"]["answer"]


def test_finished_session_takes_no_answer(client: TestClient):
    path = f"{API}/sessions/small-bulls-cows~0~3.0/answers"
    response = client.post(path, json={"bulls": 0, "cows": 1})
    assert response.status_code == 409
    assert response.json()["type"].endswith("game-over")


@pytest.mark.parametrize("bulls_cows", [(2, 1), (4, 0)])
def test_impossible_answer_is_malformed(client: TestClient, bulls_cows: tuple[int, int]):
    bulls, cows = bulls_cows
    path = f"{API}/sessions/small-bulls-cows~0/answers"
    assert client.post(path, json={"bulls": bulls, "cows": cows}).status_code == 422


@pytest.mark.parametrize(
    "body",
    [{"bulls": 1}, {"bulls": "1", "cows": 1}, {"bulls": 10**400, "cows": 0}, [1, 1], None],
)
def test_malformed_answer_body_is_refused(client: TestClient, body: object):
    response = client.post(f"{API}/sessions/small-bulls-cows~0/answers", json=body)
    assert response.status_code == 422


@pytest.mark.parametrize(
    "session",
    ["small-bulls-cows", "small-bulls-cows~K3", "small-bulls-cows~0~9.9", "%3Cscript%3E~0"],
)
def test_malformed_session_is_refused(client: TestClient, session: str):
    assert client.get(f"{API}/sessions/{session}").status_code == 422


def test_session_of_an_unknown_tree_is_not_found(client: TestClient):
    assert client.get(f"{API}/sessions/none~0").status_code == 404
    assert client.post(f"{API}/sessions", json={"tree": "none"}).status_code == 404


# -- codes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "guess", "secret", "expected"),
    [("p4c10n", "0123", "0145", "2.0"), ("p8c16r", "01234567", "76543210", "0.8")],
)
def test_two_codes_are_compared(
    client: TestClient, rules: str, guess: str, secret: str, expected: str
):
    body = {"rules": rules, "guess": guess, "secret": secret}
    content = client.post(f"{API}/response", json=body).json()
    assert content["answer"] == expected
    assert f"{content['bulls']}.{content['cows']}" == expected


@pytest.mark.parametrize(
    ("rules", "guess", "secret"),
    [("p4c10n", "0012", "0123"), ("number:16", "7", "8"), ("p4c10", "0123", "0123")],
)
def test_what_is_no_code_is_not_compared(client: TestClient, rules: str, guess: str, secret: str):
    body = {"rules": rules, "guess": guess, "secret": secret}
    assert client.post(f"{API}/response", json=body).status_code == 422


# -- copies ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "trees",
        "trees/small-bulls-cows",
        "trees/small-bulls-cows/nodes?answers=0.1",
        "sessions/small-bulls-cows~0~0.1",
    ],
)
def test_known_copy_is_not_sent_again(client: TestClient, path: str):
    first = client.get(f"{API}/{path}")
    assert "max-age" in first.headers["cache-control"]
    tag = first.headers["etag"]
    for known in (tag, f'"other", {tag}', "*"):
        again = client.get(f"{API}/{path}", headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == tag
    assert client.get(f"{API}/{path}", headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        f"{API}/trees",
        f"{API}/trees/small-mastermind",
        "/statistics/small-mastermind.json",
        "/trees/small-mastermind.json",
    ],
)
def test_copy_is_out_of_date_when_only_the_claims_of_a_tree_change(
    client: TestClient, small_trees: Path, tmp_path: Path, path: str
):
    trees = Path(shutil.copytree(small_trees, tmp_path / "trees"))
    file = trees / "small-mastermind.json"
    record = json.loads(file.read_text()) | {"objective": "entropy"}
    file.write_text(json.dumps(record | {"digest": record_digest(record)}))
    tag = client.get(path).headers["etag"]
    with TestClient(create_app(Settings(trees_dir=trees))) as changed:
        response = changed.get(path, headers={"If-None-Match": tag})
    assert response.status_code == 200
    assert response.headers["etag"] != tag
