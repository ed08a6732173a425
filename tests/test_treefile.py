"""Tree files: strict reading, atomic writing, every damage refused."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import treefile
from engine.rules import Rules
from engine.tree import StrategyTree
from engine.treefile import TreeFileError, TreeRecord
from tests.test_codec import first_splitting
from tests.test_verify import without_a_branch

RULES = Rules.parse("p2c4r")
RECORD = TreeRecord.of(first_splitting(RULES), objective="first", max_turns=9, proof="heuristic")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "small-tree.json"
    treefile.write(place, RECORD)
    return place


def test_reading_returns_what_was_written(path: Path) -> None:
    found = treefile.read(path)
    assert found.name == "small-tree"
    assert found.record == RECORD
    assert found.tree == first_splitting(RULES)


def test_the_file_is_printable_ascii() -> None:
    """Digit 91 is DEL, which tools may strip: it is escaped in the file."""
    record = TreeRecord(**{**RECORD.__dict__, "string": "#\x7f"})
    text = treefile.dump(record)
    assert "\\u007f" in text
    assert text.replace("\n", "").isprintable()
    assert json.loads(text)["string"] == "#\x7f"


GONE = "gone"
"""Stands for a field that is taken out."""


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("total", RECORD.total + 1, "total"),
        ("depth", RECORD.depth - 1, "depth"),
        ("turns", [*RECORD.turns, 0], "turns"),
        ("nodes", 0, "nodes"),
        ("stored", 1, "stored"),
        ("sha256", "0" * 64, "SHA-256"),
        ("string", RECORD.string[:-1], "SHA-256"),
        ("string", "é" + RECORD.string[1:], "SHA-256"),
        ("rules", "p2c5r", "SHA-256|ends|complete|parts|no code|together|says"),
        ("rules", "p2c99r", "symbols"),
        ("format", "other/1", "format"),
        ("proof", "certain", "proof"),
        ("max_turns", 2, "turns"),
        ("total", "12", "type"),
        ("objective", "<script>", "names no rule"),
        ("objective", "", "names no rule"),
        ("proof", "exact", "unknown objective"),
        ("nodes", True, "type"),
        ("extra", 1, "unknown"),
        ("lower", None, "type"),
        ("lower", 0, "lower"),
        ("lower", RECORD.total, "lower"),
        ("proof", GONE, "missing"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_an_edited_field_is_refused(path: Path, name: str, value: Any, message: str) -> None:
    fields = json.loads(path.read_text())
    if value == GONE:
        del fields[name]
    else:
        fields[name] = value
    path.write_text(json.dumps(fields))
    with pytest.raises(TreeFileError, match=message):
        treefile.read(path)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000, b'{"format":1,"format":1}', b"NaN"],
)
def test_what_is_no_tree_file_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(TreeFileError, match=r"small-tree\.json"):
        treefile.read(path)


def test_a_file_too_large_is_refused(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b" " * treefile.MAX_FILE_BYTES)
    with pytest.raises(TreeFileError, match="larger"):
        treefile.read(path)


def test_every_truncation_of_the_file_is_refused(path: Path) -> None:
    content = path.read_bytes()
    for length in range(len(content) - 1):
        path.write_bytes(content[:length])
        with pytest.raises(TreeFileError):
            treefile.read(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.integers(0, 10_000), byte=st.integers(0, 255))
def test_a_changed_byte_never_gives_another_tree(path: Path, place: int, byte: int) -> None:
    content = bytearray(treefile.dump(RECORD).encode())
    content[place % len(content)] = byte
    path.write_bytes(content)
    try:
        found = treefile.read(path)
    except TreeFileError:
        return
    assert found.tree == first_splitting(RULES)


@pytest.mark.parametrize("name", ["Big", "a--b", "-a", "a_b", "é"])
def test_a_bad_name_is_refused(path: Path, name: str) -> None:
    with pytest.raises(TreeFileError, match="name"):
        treefile.read(path.rename(path.with_stem(name)))


def test_a_best_known_tree_keeps_its_bound(path: Path) -> None:
    """A file without the field has no bound; a proved tree needs none."""
    assert "lower" not in json.loads(path.read_text())
    treefile.write(path, replace(RECORD, lower=RECORD.total - 1))
    assert treefile.read(path).record.lower == RECORD.total - 1
    exact = replace(RECORD, lower=1, proof="exact", objective="average")
    path.write_text(treefile.dump(exact))
    with pytest.raises(TreeFileError, match="not proved optimal"):
        treefile.read(path)


def test_an_unsound_tree_gets_no_record() -> None:
    tree = first_splitting(RULES)
    damaged = StrategyTree(RULES, [without_a_branch(tree.root), *tree.nodes[1:]])
    with pytest.raises(TreeFileError, match="unsound"):
        TreeRecord.of(damaged, objective="x", max_turns=None, proof="heuristic")


def test_a_failed_write_leaves_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()

    def full_disk(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OSError, match="No space"):
        treefile.write(path, RECORD)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]
