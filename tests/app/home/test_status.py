"""The pages of the server and of its jobs: what is so now; the store is read and never written."""

import platform
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from starlette.testclient import TestClient
from typer.testing import CliRunner

from bullscows import __version__
from bullscows.cli.main import commands
from bullscows.jobs.store.lines import Line
from bullscows.jobs.store.store import Result, Store, Task
from bullscows.tree.files import FORMAT
from bullscows_web.main import create_app
from bullscows_web.server.settings import Settings
from tests.support.pages import HTMX, get, one, text


def shown(page: BeautifulSoup) -> dict[str, str]:
    """The figures of the page by their names."""
    return {text(one(each, "dt")): text(one(each, "dd")) for each in page.select(".figures > div")}


def number(page: BeautifulSoup, name: str) -> float:
    return float(shown(page)[name].replace(",", ""))


def test_versions_and_trees_are_those_of_the_server(client: TestClient):
    figures = shown(get(client, "/status"))
    assert figures["This software"] == __version__
    assert figures["Format of tree files"] == FORMAT
    assert figures["Python"] == platform.python_version()
    assert (figures["Verified and played"], figures["Rejected"]) == ("2", "0")


def test_requests_and_refusals_are_counted_on(client: TestClient):
    before = get(client, "/status")
    client.get("/about?" + "x" * 5000)
    after = get(client, "/status")
    assert number(after, "Answered") == number(before, "Answered") + 2
    assert number(after, "Rejected or timed out") == number(before, "Rejected or timed out") + 1


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_status_is_not_cached(client: TestClient, headers: dict[str, str]):
    response = client.get("/ru/status", headers=headers)
    assert response.headers["cache-control"] == "no-store"
    assert "etag" not in response.headers
    again = client.get("/ru/status", headers=headers | {"If-None-Match": "*"})
    assert (again.status_code, bool(again.text)) == (200, True)


def test_searches_are_counted_by_their_end(proving: TestClient):
    before = get(proving, "/status")
    proving.get("/api/v1/trees")
    question = {"rules": "p3c8n", "turns": [{"guess": "076", "bulls": 0, "cows": 0}]}
    assert proving.post("/api/v1/guess", json=question).status_code == 200  # asked by no other test
    after = get(proving, "/status")
    assert number(after, "In progress") == 0
    assert number(after, "Ended without a proof") == number(before, "Ended without a proof")
    assert number(after, "Proved") == number(before, "Proved") + 1
    assert number(after, "Seconds of search") >= number(before, "Seconds of search")
    assert "This server searches positions." in after.get_text()


def test_server_without_a_search_says_so(guessing: TestClient):
    assert "a rule guesses" in get(guessing, "/status").get_text()


def test_about_leads_there_and_no_list_of_jobs_is_shown_unasked(client: TestClient):
    assert get(client, "/ru/about").select("main a[href='/ru/status']")
    assert not get(client, "/status").select("a[href='/status/jobs']")
    assert client.get("/status/jobs").status_code == 404


LINES = (
    "solve 012(0,1) 7 4 8 rules=p3c6n # first",
    "solve start - 4 - rules=p3c5n objective=average",
    "solve start - 4 - rules=p3c4n objective=average",
)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that the server looks at."""
    return tmp_path_factory.mktemp("jobs") / "jobs.sqlite"


@pytest.fixture
def store(file: Path) -> Path:
    """A new list of three jobs: one is done, one has bounds, one is not started."""
    file.unlink(missing_ok=True)
    with Store.open(file) as opened:
        for line in map(Line.parse, LINES):
            opened.add_job(str(line.question), line.budget, line.text())
        first, second, _ = map(Line.parse, LINES)
        for line, size in ((first, 30), (second, 60)):
            opened.ask([Task(line.question.key, str(line.question), line.budget, size)])
        opened.finish(first.question.key, Result(3, 3, seconds=1.5))
        opened.finish(second.question.key, Result(200, 260, sliced=True, seconds=4.5))
        opened.ask([Task("another", "p3c6n", 1, 90)])
    return file


@pytest.fixture(scope="module")
def watching(small_trees: Path, file: Path) -> Iterator[TestClient]:
    app = create_app(Settings(trees_dir=small_trees, status_jobs=file))
    with TestClient(app) as client:
        yield client


def test_page_says_what_the_command_does(watching: TestClient, store: Path):
    page = get(watching, "/status/jobs")
    output = CliRunner().invoke(commands, ["jobs", "status", "--store", str(store)]).stdout
    assert "2 waiting, 0 taken, 2 done, 0 failed" in output
    assert "6.0 seconds of processor time stored, 20.0 tasks per minute of processor time" in output
    assert "about 6 seconds of known work left" in output
    assert "at least 200, at most 260" in output
    assert "rules=p3c4n objective=average #: not started" in output
    assert shown(page) == {
        **{"Waiting": "2", "In progress": "0", "Failed": "0", "Seconds of work done": "6.0"},
        **{"Tasks per minute of processor time": "20.0", "Seconds of known work left": "6"},
    }
    assert "2 of 4 known tasks are done: 50%" in text(one(page, ".lead"))
    rows = [[text(cell) for cell in row.select("th, td")] for row in page.select("tbody tr")]
    assert rows == [
        ["012(0,1) 7 4 8 rules=p3c6n # first", "done 3", "–", "–"],
        ["start - 4 - rules=p3c5n objective=average", "taken", "200", "260"],
        ["start - 4 - rules=p3c4n objective=average", "solve", "–", "–"],
    ]


def test_bounds_are_those_of_the_first_criterion_as_the_command_has_them(
    watching: TestClient, store: Path
):
    """The store has those of the combined cost, where a turn more counts as 5041."""
    asked = "solve 0123(0,1) 7 4 - objective=average,last"
    line = Line.parse(asked)
    with Store.open(store) as opened:
        opened.add_job(str(line.question), line.budget, asked)
        count = len(line.question.candidates)
        opened.ask([Task(line.question.key, str(line.question), line.budget, count)])
        scaled = Result(7100 * 5041 + 3, 7200 * 5041 + 5, sliced=True, seconds=1.0)
        opened.finish(line.question.key, scaled)
    row = get(watching, "/status/jobs").select("tbody tr")[-1]
    assert [text(cell) for cell in row.select("td")] == ["taken", "7,100", "7,200"]
    output = CliRunner().invoke(commands, ["jobs", "status", "--store", str(store)]).stdout
    assert "objective=average,last #: at least 7100, at most 7200" in output


def test_page_follows_the_work_and_is_not_cached(watching: TestClient, store: Path):
    assert get(watching, "/ru/status").select("a[href='/ru/status/jobs']")
    with Store.open(store) as opened:  # somebody is at it
        opened.finish("another", Result(7, 7))
        response = watching.get("/status/jobs")
    assert "3 of 4 known tasks are done: 75%" in response.text
    assert response.headers["cache-control"] == "no-store"


def test_store_is_only_read(watching: TestClient, store: Path):
    """Reading leaves no log next to the store."""
    before = store.read_bytes()
    store.chmod(stat.S_IRUSR)
    get(watching, "/status/jobs")
    assert store.read_bytes() == before
    assert [file.name for file in store.parent.iterdir()] == [store.name]


@pytest.mark.parametrize("damage", ["missing", "another", "row"])
def test_unreadable_store_is_reported_in_a_sentence(
    watching: TestClient, store: Path, damage: str, caplog: pytest.LogCaptureFixture
):
    if damage == "missing":
        store.unlink()
    elif damage == "another":
        store.write_bytes(b"something else, longer than the header of a store" * 100)
    else:
        content = store.read_bytes()
        assert content.count(b"another") >= 1
        store.write_bytes(content.replace(b"another", b"anothes"))
    response = watching.get("/status/jobs", headers={"Accept": "text/html"})
    assert response.status_code == 503
    assert response.headers["retry-after"] == "60"
    assert "is not available now" in response.text
    assert str(store) not in response.text
    assert str(store) in caplog.text
