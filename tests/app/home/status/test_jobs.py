"""The page of a list of jobs: what the store says, read and never written, and off unless named."""

import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from bullscows.cli.main import commands
from bullscows.jobs.store.lines import Line
from bullscows.jobs.store.store import Result, Store, Task
from bullscows_web.home.status import MAX_JOBS, JobsPage
from bullscows_web.main import create_app
from bullscows_web.server.settings import Settings
from tests.support.pages import get, one, text

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
    path = file
    path.unlink(missing_ok=True)
    with Store.open(path) as opened:
        for line in map(Line.parse, LINES):
            opened.add_job(str(line.question), line.budget, line.text())
        first, second, _ = map(Line.parse, LINES)
        for line, size in ((first, 30), (second, 60)):
            opened.ask([Task(line.question.key, str(line.question), line.budget, size)])
        opened.finish(first.question.key, Result(3, 3, seconds=1.5))
        opened.finish(second.question.key, Result(200, 260, sliced=True, seconds=4.5))
        opened.ask([Task("another", "p3c6n", 1, 90)])
    return path


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
    figures = {text(one(e, "dt")): text(one(e, "dd")) for e in page.select(".figures > div")}
    assert figures == {
        "Waiting": "2",
        "In progress": "0",
        "Failed": "0",
        "Seconds of work done": "6.0",
        "Tasks per minute of processor time": "20.0",
        "Seconds of known work left": "6",
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


def test_list_that_is_very_long_is_cut(watching: TestClient, store: Path):
    with Store.open(store) as opened:
        for number in range(MAX_JOBS):
            line = Line.parse(f"solve start - 4 {number + 1} rules=p3c4n objective=average")
            opened.add_job(str(line.question), line.budget, line.text())
    page = get(watching, "/status/jobs")
    assert len(page.select("tbody tr")) == MAX_JOBS
    assert "3 more jobs are on the list." in page.get_text()


def test_empty_list_is_empty(watching: TestClient, store: Path):
    store.unlink()
    Store.open(store).close()
    assert "The list is empty." in get(watching, "/status/jobs").get_text()


@pytest.mark.process
def test_jobs_are_watched_without_the_search(store: Path):
    code = (
        "import sys; from pathlib import Path; from bullscows_web.home.status import JobsPage;"
        "assert JobsPage.read(Path(sys.argv[1])).tasks == 4;"
        "assert not {'numba', 'distributed'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code, str(store)], check=True)


def test_share_of_nothing_is_nothing(tmp_path: Path):
    Store.open(tmp_path / "jobs.sqlite").close()
    assert JobsPage.read(tmp_path / "jobs.sqlite").share == 0
