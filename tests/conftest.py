"""Shared fixtures: a folder of small trees, and servers that play them.

The small trees follow a greedy rule and are grown here, so that tests of the server need neither
the search nor the shipped trees.
"""

import atexit
import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from bullscows.game.rules import CodeIndex, Rules, Turns
from bullscows.tree.files import TreeRecord, write_tree
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import StrategyTree, special_guess
from bullscows_web.duel.levels import computed, write_levels
from bullscows_web.main import create_app
from bullscows_web.search.searcher import Tablebase
from bullscows_web.server.settings import LOCAL_HOSTS, Settings
from bullscows_web.trees.library import Library
from tests import ROOT
from tests.support import examples
from tests.support.programs import not_tested
from tests.support.results import write_results
from tests.support.searching import ThreadExecutor
from tests.support.servers.serving import searching, serving, wait_until_it_searches

examples.register()
gc.disable()  # until all tests are collected: there is no garbage before

# The host name of test clients, and those of servers in their own processes.
os.environ["BULLSCOWS_ALLOWED_HOSTS"] = ",".join(("testserver", *LOCAL_HOSTS))

os.environ["BULLSCOWS_SEARCH_PROCESSES"] = "1"

# The database of matches.
STATE = TemporaryDirectory(prefix="bullscows-state-")
atexit.register(STATE.cleanup)
os.environ["BULLSCOWS_STATE_DIR"] = STATE.name
os.environ["BULLSCOWS_MATCHES_PER_HOUR"] = "1000000"

# The key of encrypted URLs.
os.environ["BULLSCOWS_SECRET_KEY"] = "no secret at all: the key of tests"

WARM = "from bullscows.analysis.analyst import Analyst; Analyst().load(('p3c6n', 'p3c4r'))"
"""Compiles the kernels of the search."""

LARGE_FIXTURES = {
    "proving",
    "shipped_app",
    "shipped_client",
    "shipped_tablebase",
    "shipped_library",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    text = "only fast tests: no browsers, processes, searches or whole games"
    parser.addoption("--quick", action="store_true", help=text)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Start one more worker than processors: tests with processes and browsers often wait."""
    is_set = config.option.quick or "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ
    return None if is_set else (os.cpu_count() or 1) + 1


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the kernels once, before each worker would do so."""
    options = session.config.option
    if getattr(options, "numprocesses", None) and not (options.collectonly or options.quick):
        subprocess.run([sys.executable, "-c", WARM], cwd=session.config.rootpath, check=True)


SECOND = ("browser/guess", "browser/play", "browser/web/test_links", "release", "project")
"""The second worker starts with these tests, the first with the other browser tests.

The third starts with tests of the engine and the application. Each worker gets the same number of
tests, and idle workers take tests from the end of another's queue, so short tests are the last.
"""


@pytest.hookimpl(trylast=True)  # after the slow ones are left out
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Arrange the tests for several workers; leave out single tests in quick runs."""
    places = {item: item.path.relative_to(ROOT / "tests").as_posix() for item in items}
    second = [item for item in items if places[item].startswith(SECOND)]
    first = [item for item in items if places[item].startswith("browser") and item not in second]
    others = [item for item in items if not places[item].startswith(("browser", *SECOND))]
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    room = max(0, len(items) // workers - len(first))
    items[:] = first + others[:room] + second + others[room:]
    if not config.option.quick:
        return
    left_out = {
        item
        for item in items
        if {mark.name for mark in item.iter_markers()} & {"browser", "process", "large"}
        or LARGE_FIXTURES & {*getattr(item, "fixturenames", ())}
    }
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)


def pytest_collection_finish() -> None:
    """Collect garbage from now on, but rarely and not among what is imported.

    By default a sixth of the time of the tests of pages would be spent on it.
    """
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)
    gc.enable()


@pytest.hookimpl(wrapper=True, tryfirst=True)  # prints after the summary of all others
def pytest_sessionfinish(session: pytest.Session) -> Iterator[None]:
    """Say last what was not tested for want of programs."""
    yield
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None:  # in a worker
        return
    kinds = ("skipped", "failed", "error")
    reports = [report for kind in kinds for report in reporter.stats.get(kind, [])]
    if line := not_tested(str(report.longrepr) for report in reports):
        reporter.write_line(line)


@pytest.fixture(scope="module", autouse=True)
def own_priority() -> Iterator[None]:
    """Fail if a module lowers the priority of this process, which no later test can raise again."""
    before = niceness()
    yield
    assert niceness() == before


def niceness() -> int:
    """Return the niceness of this process; 0 if the platform has none."""
    return os.nice(0) if hasattr(os, "nice") else 0


SMALL_TREES = {"small-bulls-cows": "p3c5n", "small-mastermind": "p2c4r"}


def grow_greedily(rules: Rules) -> StrategyTree:
    """Return the tree that always guesses the candidate with the most parts."""

    def choose(candidates: Candidates, _: Turns) -> CodeIndex:
        implied = special_guess(rules, candidates)
        if implied is not None:
            return implied
        return max(candidates, key=lambda code: len(rules.partition(code, candidates)))

    return StrategyTree.grow(rules, choose)


def write_small_tree(folder: Path, name: str, rules: str) -> Path:
    tree = grow_greedily(Rules.parse(rules))
    path = folder / f"{name}.json"
    record = TreeRecord.of(tree, objective="parts", max_turns=None, proof="heuristic")
    write_tree(path, record)
    return path


@pytest.fixture(scope="session")
def small_trees(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with trees and levels of 3 of 5 digits and of 2 pegs in 4 colours."""
    folder = tmp_path_factory.mktemp("trees")
    for name, rules in SMALL_TREES.items():
        write_small_tree(folder, name, rules)
        write_levels(folder, Rules.parse(rules), computed(Rules.parse(rules)))
    write_results(folder)
    return folder


@pytest.fixture(scope="session")
def library(small_trees: Path) -> Library:
    return Library.open(small_trees)


@pytest.fixture(scope="session")
def client(small_trees: Path) -> Iterator[TestClient]:
    """A server that plays the small trees, shared by all tests; rules guess."""
    settings = Settings(trees_dir=small_trees, metrics=True)
    app = create_app(settings, ThreadExecutor(small_trees))
    with TestClient(app, follow_redirects=False) as client:
        yield client


@pytest.fixture(scope="session")
def proving(small_trees: Path) -> Iterator[TestClient]:
    """A server with a loaded search that ends with a proof, however long that takes."""
    settings = Settings(trees_dir=small_trees, search_timeout=60)
    app = create_app(settings, ThreadExecutor(small_trees, 3600, loaded=True))
    with TestClient(app, follow_redirects=False) as client:
        yield client


@pytest.fixture(scope="session")
def shipped_trees() -> Path:
    return ROOT / "trees"


@pytest.fixture(scope="session")
def real_server(shipped_trees: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server process with the shipped trees and a loaded search."""
    log = tmp_path_factory.mktemp("real") / "server.log"
    with serving(shipped_trees, log, **searching()) as address:
        wait_until_it_searches(address)
        yield address


@pytest.fixture(scope="session")
def shipped_tablebase(shipped_trees: Path) -> Tablebase:
    """What ships, opened once for all searchers of a test process."""
    return Tablebase.open(shipped_trees)


@pytest.fixture(scope="session")
def shipped_client(shipped_trees: Path, shipped_tablebase: Tablebase) -> Iterator[TestClient]:
    app = create_app(Settings(trees_dir=shipped_trees), ThreadExecutor(shipped_tablebase))
    with TestClient(app, follow_redirects=False) as client:
        yield client


@pytest.fixture(scope="session")
def shipped_app(shipped_client: TestClient) -> FastAPI:
    """The application of the server, which has started."""
    return cast(FastAPI, shipped_client.app)


@pytest.fixture(scope="session")
def shipped_library(shipped_app: FastAPI) -> Library:
    """The shipped trees, verified once by the server."""
    return cast(Library, shipped_app.state.library)
