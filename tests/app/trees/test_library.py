import json
import logging
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bullscows.tree.files import string_hash
from bullscows.tree.storage import record_digest
from bullscows_web.trees.library import PREFERRED, Library
from bullscows_web.web.errors import NotFoundError, UnavailableError
from tests.conftest import SMALL_TREES, write_small_tree

Damage = Callable[[Path], None]


def truncate(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])


def empty(file: Path) -> None:
    file.write_bytes(b"")


def change_string(file: Path) -> None:
    record = json.loads(file.read_text())
    first = record["string"][0]
    record["string"] = ("$" if first == "#" else "#") + record["string"][1:]
    file.write_text(json.dumps(record))


def shorten_string_and_hash(file: Path) -> None:
    record = json.loads(file.read_text())
    record["string"] = record["string"][:-2]
    record["sha256"] = string_hash(record["string"])
    record["digest"] = record_digest(record)
    file.write_text(json.dumps(record))


def claim_fewer_turns(file: Path) -> None:
    record = json.loads(file.read_text())
    record["total"] -= 1
    record["digest"] = record_digest(record)
    file.write_text(json.dumps(record))


def raise_the_cap(file: Path) -> None:
    record = json.loads(file.read_text())
    file.write_text(json.dumps(record | {"max_turns": 9}))


def change_rules(file: Path) -> None:
    file.write_text(file.read_text().replace("p3c5n", "p3c6n"))


def put_a_folder_there(file: Path) -> None:
    file.unlink()
    file.mkdir()


def put_null_there(file: Path) -> None:
    file.write_text("null")


DAMAGES = [
    truncate,
    empty,
    change_string,
    shorten_string_and_hash,
    claim_fewer_turns,
    raise_the_cap,
    change_rules,
    put_a_folder_there,
    put_null_there,
]


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


def test_turns_of_each_node_agree_with_the_tree(library):
    for entry in library:
        for node in entry.tree.nodes:
            assert entry.turns(node) == entry.tree.distribution_at(node)


def test_texts_are_those_of_the_codes(library):
    for entry in library:
        assert list(entry.texts) == [*map(entry.rules.text, range(entry.rules.size))]
        with pytest.raises(IndexError):
            entry.texts[entry.rules.size]


def test_average_is_total_over_secrets(library):
    entry = library.tree("small-mastermind")
    assert entry.average == entry.tree.total / 16


@pytest.mark.parametrize("damage", DAMAGES)
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


def test_every_single_byte_of_the_string_is_guarded(trees: Path):
    file = trees / "small-bulls-cows.json"
    record = json.loads(file.read_text())
    text = record["string"]
    for place in range(len(text)):
        for character in ("\\", "\x7f", "é", ""):
            record["string"] = text[:place] + character + text[place + 1 :]
            file.write_text(json.dumps(record))
            assert "small-bulls-cows" in Library.open(trees).failed


def test_two_swapped_files_are_both_sound_trees(trees: Path):
    # A file's name is not part of its claim, so this is a renaming, not damage.
    first, second = sorted(trees.glob("*.json"))
    first_text, second_text = first.read_text(), second.read_text()
    first.write_text(second_text)
    second.write_text(first_text)
    assert Library.open(trees).is_ready


def test_file_with_a_bad_name_is_refused_as_unknown(trees: Path):
    shutil.copy(trees / "small-mastermind.json", trees / "Not A Name.json")
    library = Library.open(trees)
    assert list(library.failed) == ["Not A Name"]
    with pytest.raises(NotFoundError):
        library.tree("Not A Name")


def test_unfinished_temporary_file_is_not_a_tree(trees: Path):
    (trees / ".small-mastermind.json.x8d7f6").write_text("{")
    assert Library.open(trees).is_ready


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
