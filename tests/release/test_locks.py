"""Locks of dependencies: they name no package index, and agree with each other."""

import re

import pytest

from tests import ROOT

LARGEST = "requirements-dev.lock"
LOCKS = (LARGEST, "requirements.lock", "requirements-cluster.lock")


def text_of(lock: str) -> str:
    return (ROOT / lock).read_text(encoding="utf-8")


def versions(lock: str) -> set[str]:
    """Return what a lock pins, such as `numpy==2.5.1`; some packages twice, for other Pythons."""
    return set(re.findall(r"^[a-z0-9-]+==[^ ]+", text_of(lock), re.M))


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_names_no_package_index(lock: str) -> None:
    """`make lock` may run where a local index is set, which others cannot reach."""
    assert not re.search(r"://|--(extra-)?index-url|--find-links", text_of(lock))


@pytest.mark.parametrize("lock", LOCKS)
def test_every_version_has_hashes(lock: str) -> None:
    entries = re.split(r"^(?=\S)", text_of(lock), flags=re.M)
    named = [entry for entry in entries if "==" in entry]
    assert {entry.split()[0] for entry in named} == versions(lock)
    assert len(named) > 20
    assert [entry.split()[0] for entry in named if "--hash=sha256:" not in entry] == []


@pytest.mark.parametrize("lock", LOCKS[1:])
def test_smaller_locks_have_the_versions_of_the_largest(lock: str) -> None:
    assert versions(lock) <= versions(LARGEST)
