"""A real Dask scheduler: the answers are those of threads, whichever worker dies."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bullscows.library import solve
from bullscows.search.executor import Cluster, ClusterError
from bullscows.search.position import Progress
from bullscows.shipping.catalogue import build_record, tree_spec
from bullscows.shipping.named_trees import BuildOptions
from bullscows.tree.files import dump
from bullscows.tree.storage import default_folder, tree_path
from tests.support.servers import cluster as servers
from tests.support.servers.serving import wait_until

pytest.importorskip("distributed")
pytestmark = [pytest.mark.large, pytest.mark.process]

TREE = "avg-bulls-cows-4-of-8"
SHIPPED = tree_path(TREE, default_folder()).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], servers.Cluster]]:
    """Gives the scheduler that the last test has left alive, or else starts one."""
    every: list[servers.Cluster] = []

    def alive() -> servers.Cluster:
        if not every or every[-1].scheduler.poll() is not None:
            every.append(servers.Cluster(tmp_path_factory.mktemp("cluster")))
        return every[-1]

    yield alive
    for cluster in every:
        cluster.stop()


@pytest.fixture
def processes(started: Callable[[], servers.Cluster]) -> servers.Cluster:
    """A scheduler with two workers."""
    cluster = started()
    cluster.employ(2)
    return cluster


@pytest.fixture
def cluster(processes: servers.Cluster) -> Iterator[Cluster]:
    with Cluster(processes.address) as connected:
        wait_until(lambda: connected.slots == 2)
        yield connected


def test_build_that_loses_a_worker_gives_the_shipped_file(processes, cluster):
    def kill_one(_: Progress) -> None:
        if processes.workers[0].poll() is None:
            processes.workers[0].kill()
            processes.workers[0].wait()

    record = build_record(tree_spec(TREE), BuildOptions(cluster=cluster, progress=kill_one))
    assert dump(record) == SHIPPED
    wait_until(lambda: cluster.slots == 1)


def test_work_survives_the_scheduler(processes, cluster, tmp_path: Path):
    def kill_scheduler(_: Progress) -> None:
        processes.scheduler.kill()
        processes.scheduler.wait()

    options = BuildOptions(1, tmp_path, kill_scheduler, cluster)
    with pytest.raises(ClusterError, match="went away: what was finished is kept"):
        build_record(tree_spec(TREE), options)
    assert (tmp_path / "checkpoint.json").exists()
    assert dump(build_record(tree_spec(TREE), BuildOptions(1, tmp_path))) == SHIPPED


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("p4c8n", {"history": "0123:0.2"}),
        ("p4c6r", {"candidates_only": True}),
        ("p4c6r", {"objective": "worst,average"}),
        ("p4c7n", {"objective": "average,last", "max_turns": 7, "first": "0123"}),
    ],
    ids=str,
)
def test_every_kind_of_question_is_answered_as_by_threads(
    cluster: Cluster, game: str, options: dict[str, Any]
) -> None:
    here = solve(game, **options)
    there = solve(game, cluster=cluster, **options)
    assert (there.value, there.guess, there.distribution) == (
        here.value,
        here.guess,
        here.distribution,
    )
    assert there.tree() == here.tree()


def test_time_limit_leaves_bounds(cluster: Cluster) -> None:
    found = solve("p5c9n", cluster=cluster, time_limit=3.0)
    assert found.bounds.lower <= 81847
    assert found.bounds.upper is None or found.bounds.upper >= 81847
    assert not found.optimal


@pytest.mark.parametrize("address", ["foo", "tcp://foo", "foo:99999999", "", "http://a/b:1"])
def test_address_of_a_cluster_names_a_port(address: str) -> None:
    with pytest.raises(ClusterError, match="is no address of a scheduler"):
        Cluster(address)
