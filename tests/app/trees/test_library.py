import logging
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bullscows.tree.storage import proof_path
from bullscows_web.trees.library import PREFERRED, Library
from bullscows_web.web.exceptions import NotFoundError, UnavailableError
from tests.conftest import SMALL_TREES, write_small_tree

Damage = Callable[[Path], None]


def truncate(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])


def put_a_folder_there(file: Path) -> None:
    file.unlink()
    file.mkdir()


@pytest.fixture
def trees(small_trees: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(small_trees, tmp_path / "trees"))


def test_opens_every_tree_of_the_folder(library):
    assert {entry.name: str(entry.rules) for entry in library} == SMALL_TREES
    assert library.is_ready


def test_unknown_tree_is_a_lookup_error(library):
    for name in ("", "none", "small-bulls-cows.json", "../trees/small-bulls-cows", "\0"):
        with pytest.raises(NotFoundError):
            library.tree(name)


@pytest.mark.parametrize("damage", [truncate, put_a_folder_there])
def test_damaged_tree_is_refused_and_the_others_play(
    trees: Path, damage: Damage, caplog: pytest.LogCaptureFixture
):
    damage(trees / "small-bulls-cows.json")
    with caplog.at_level(logging.ERROR):
        library = Library.open(trees)
    assert [entry.name for entry in library] == ["small-mastermind"]
    assert not library.is_ready
    assert "refused tree file" in caplog.text
    assert "small-bulls-cows.json" in caplog.text
    with pytest.raises(UnavailableError, match="small-bulls-cows"):
        library.tree("small-bulls-cows")


def test_file_with_a_bad_name_is_refused_as_unknown(trees: Path):
    shutil.copy(trees / "small-mastermind.json", trees / "Not A Name.json")
    library = Library.open(trees)
    assert list(library.failed) == ["Not A Name"]
    with pytest.raises(NotFoundError):
        library.tree("Not A Name")


@pytest.mark.parametrize("folder", ["empty", "missing"])
def test_no_trees_make_an_empty_library_that_is_not_ready(tmp_path: Path, folder: str):
    (tmp_path / "empty").mkdir()
    library = Library.open(tmp_path / folder)
    assert len(library) == 0
    assert not library.is_ready


def test_preferred_trees_come_first(tmp_path: Path):
    for name in ("aaa", *reversed(PREFERRED)):
        write_small_tree(tmp_path, name, "p2c4r")
    assert [entry.name for entry in Library.open(tmp_path)] == [*PREFERRED, "aaa"]


def test_version_changes_when_a_tree_does(trees: Path):
    before = Library.open(trees).version
    write_small_tree(trees, "another", "p2c3r")
    assert Library.open(trees).version != before


def test_a_damaged_proof_is_left_out_and_the_tree_plays(
    trees: Path, caplog: pytest.LogCaptureFixture
):
    path = proof_path("p3c5n", trees)
    path.parent.mkdir()
    path.write_bytes(b"no proof")
    with caplog.at_level(logging.ERROR):
        library = Library.open(trees)
    assert library.is_ready
    assert library.tree("small-bulls-cows").proofs == []
    assert "refused a proof about tree small-bulls-cows" in caplog.text
