"""Tree files: strict reading, atomic writing, every damage refused."""

import json
import os
import resource
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from bullscows.game.rules import Rules
from bullscows.tree import files, storage
from bullscows.tree.files import TreeRecord
from bullscows.tree.storage import RecordError, default_folder, tree_files, write_whole
from tests.engine.tree.test_codec import first_splitting
from tests.engine.tree.test_verifier import damaged, without_a_branch

pytestmark = pytest.mark.large

RULES = Rules.parse("p2c4r")
RECORD = TreeRecord.of(first_splitting(RULES), objective="first", max_turns=9, proof="heuristic")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "small-tree.json"
    files.write_tree(place, RECORD)
    return place


def test_reading_returns_what_was_written(path: Path) -> None:
    found = files.read_tree(path)
    assert found.name == "small-tree"
    assert found.record == RECORD
    assert found.tree == first_splitting(RULES)


def test_the_file_is_printable_ascii() -> None:
    """Digit 91 is DEL, which tools may strip: it is escaped in the file."""
    text = files.dump(replace(RECORD, string="#\x7f"))
    assert "\\u007f" in text
    assert text.replace("\n", "").isprintable()
    assert json.loads(text)["string"] == "#\x7f"


GONE = "gone"
"""Stands for a field that is taken out."""

OLD = "bulls-cows-tree/2"

EDITS: list[tuple[str, Any, str]] = [
    ("total", RECORD.total + 1, "total"),
    ("depth", RECORD.depth - 1, "depth"),
    ("distribution", [*RECORD.distribution, 0], "distribution"),
    ("distribution", [True, *RECORD.distribution[1:]], "whole numbers"),
    ("distribution", [[[]]], "whole numbers"),
    ("nodes", 0, "nodes"),
    ("stored", 1, "stored"),
    ("sha256", "0" * 64, "SHA-256"),
    ("string", RECORD.string[:-1], "SHA-256"),
    ("string", "é" + RECORD.string[1:], "ASCII"),
    ("engine_version", "é", "ASCII"),
    ("rules", "p2c5r", "SHA-256|ends|complete|parts|no code|together|says"),
    ("rules", "p2c99r", "symbols"),
    ("format", "other/1", "format"),
    ("format", OLD, "bullscows build small-tree"),
    ("format", [], "type"),
    ("proof", "certain", "proof"),
    ("max_turns", 2, "turns"),
    ("total", "12", "type"),
    ("objective", "<script>", "names no rule"),
    ("objective", "", "names no rule"),
    ("proof", "exact", "unknown objective"),
    ("nodes", True, "type"),
    ("extra", 1, "unknown"),
    ("lower", "1", "type"),
    ("lower", 0, "lower"),
    ("lower", RECORD.total, "lower"),
    ("lower", GONE, "missing"),
    ("proof", GONE, "missing"),
]
"""A field, what it is made to say, and what the error then names."""


def edit(path: Path, **others: Any) -> None:
    stated = json.loads(path.read_text()) | others
    path.write_text(json.dumps({name: value for name, value in stated.items() if value != GONE}))


def digest_of(path: Path) -> str:
    """The digest as docs/reference/format.md defines it, in its own three lines."""
    record = json.loads(path.read_text())
    record.pop("digest", None)
    text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(("name", "value", "message"), EDITS, ids=lambda value: repr(value)[:20])
def test_an_edited_field_is_refused(path: Path, name: str, value: Any, message: str) -> None:
    """The digest matches the edited file, so only the check of the field can refuse it."""
    edit(path, **{name: value})
    edit(path, digest=digest_of(path))
    with pytest.raises(RecordError, match=message):
        files.read_tree(path)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_turns", 8),
        ("max_turns", None),
        ("objective", "second"),
        ("engine_version", "1.0.1"),
        ("lower", RECORD.total - 1),
    ],
)
def test_what_no_replay_shows_is_guarded_by_the_digest(path: Path, name: str, value: Any) -> None:
    edit(path, **{name: value})
    with pytest.raises(RecordError, match=r"changed after.*`bullscows build small-tree`"):
        files.read_tree(path)
    edit(path, digest=digest_of(path))
    assert getattr(files.read_tree(path).record, name) == value


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        ({"digest": GONE}, "missing"),
        ({"digest": ""}, "digest"),
        ({"digest": 0}, "type"),
        (
            {"format": OLD, "turns": RECORD.distribution, "distribution": GONE},
            r"bulls-cows-tree/3.*`bullscows build small-tree`",
        ),
    ],
)
def test_no_digest_and_an_older_format_are_refused(path, stated, message):
    edit(path, **stated)
    with pytest.raises(RecordError, match=message):
        files.read_tree(path)


def test_the_digest_is_the_one_that_others_compute(path: Path, shipped_trees: Path) -> None:
    assert digest_of(path) == RECORD.digest == json.loads(path.read_text())["digest"]
    for shipped in tree_files(shipped_trees):
        assert digest_of(shipped) == json.loads(shipped.read_text())["digest"]


@pytest.mark.parametrize(
    "content",
    [
        *(b"[]", b"null", b"\xff", b"[" * 100_000, b'{"format":1,"format":1}', b"NaN"),
        files.dump(RECORD).encode() + b" " * storage.MAX_FILE_BYTES,
    ],
    ids=range(7),
)
def test_what_is_no_tree_file_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(RecordError, match=r"small-tree\.json"):
        files.read_tree(path)


def test_every_truncation_of_the_file_is_refused(path: Path) -> None:
    content = path.read_bytes()
    for length in range(len(content) - 1):
        path.write_bytes(content[:length])
        with pytest.raises(RecordError):
            files.read_tree(path)


def claims(source: Path, path: Path) -> Iterator[TreeRecord | None]:
    """Yield what a copy of a file says with each one of its bits changed, None where refused."""
    content = source.read_bytes()
    path.write_bytes(content)
    with path.open("r+b", buffering=0) as file:
        for place, byte in enumerate(content):
            for bit in range(8):
                os.pwrite(file.fileno(), bytes([byte ^ 1 << bit]), place)
                try:
                    yield files.read_tree(path).record
                except RecordError:
                    yield None
            os.pwrite(file.fileno(), bytes([byte]), place)


SHIPPED = [path.stem for path in tree_files(default_folder())]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name == "avg-mastermind-5" else pytest.mark.slow)
        for name in SHIPPED
    ],
)
def test_a_flipped_bit_never_changes_a_claim(path: Path, shipped_trees: Path, name: str) -> None:
    """Refused, or the same: the last digit of DEL's escape may as well be a capital."""
    source = shipped_trees / f"{name}.json"
    before = files.read_tree(source).record
    accepted = [record for record in claims(source, path) if record is not None]
    assert all(record == before for record in accepted)
    assert len(accepted) == before.string.count("\x7f")


@pytest.mark.parametrize("name", ["Big", "a--b", "-a", "a_b", "é"])
def test_a_bad_name_is_refused(path: Path, name: str) -> None:
    with pytest.raises(RecordError, match="name"):
        files.read_tree(path.rename(path.with_stem(name)))


@pytest.mark.parametrize(
    ("stated", "is_least"),
    [
        ({"lower": None}, False),
        ({"max_turns": None}, True),
        ({"objective": "average,last"}, True),
        ({"proof": "heuristic", "objective": "first", "lower": RECORD.total - 1}, False),
        ({"lower": RECORD.total - 1}, None),
        ({"objective": "movers"}, None),
    ],
)
def test_exact_tree_has_no_other_bound_than_its_total_and_is_least_with_it(path, stated, is_least):
    claimed: dict[str, Any] = {"proof": "exact", "objective": "average", "lower": RECORD.total}
    files.write_tree(path, replace(RECORD, **claimed | stated))
    if is_least is None:
        with pytest.raises(RecordError, match="its total, or null"):
            files.read_tree(path)
    else:
        assert files.read_tree(path).record.is_least is is_least


def test_an_unsound_tree_gets_no_record() -> None:
    unsound = damaged(without_a_branch, first_splitting(RULES))
    with pytest.raises(RecordError, match="unsound"):
        TreeRecord.of(unsound, objective="x", max_turns=None, proof="heuristic")


def test_a_failed_write_leaves_the_old_file(path: Path) -> None:
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        with pytest.raises(OSError, match=f"File too large.*{path.name}'$"):
            files.write_tree(path, RECORD)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_an_error_names_the_file_rather_than_its_temporary_one(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 250 + ".json")
    with pytest.raises(OSError, match="File name too long") as raised:
        write_whole(path, "")
    assert raised.value.filename == str(path)


def test_tree_of_candidates_only_guesses_nothing_else(path: Path) -> None:
    """The optimal tree of Mastermind asks what it knows to be wrong, to learn more from it."""
    possibles = files.read_tree("possibles-mastermind").record
    assert (possibles.proof, possibles.is_optimal, possibles.is_least) == ("exact", False, False)
    optimal = files.read_tree("avg-mastermind").record
    made_up = replace(optimal, objective="possibles-only", max_turns=None, lower=None)
    files.write_tree(path, made_up)
    with pytest.raises(RecordError, match="no candidate there, but its objective is possibles"):
        files.read_tree(path)


def test_tree_of_a_pareto_front_is_read_by_its_name_and_its_old_one() -> None:
    name = "pareto-p4c10n-26274-69"
    for text in (name, "front-p4c10n-26274-69"):
        found = files.read_tree(text)
        assert (found.name, found.record.total, found.record.distribution[6]) == (name, 26274, 69)


def test_a_file_that_cannot_be_replaced_is_named_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(OSError, match="Is a directory") as caught:
        write_whole(tmp_path / "taken", "x")
    assert caught.value.filename == str(tmp_path / "taken")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
