"""Tree files, ``trees/NAME.json``: a tree's string and the figures that follow from it.

Reading is strict: the digest guards every field against accidents, and all that follows from the
string is recomputed and compared. docs/reference/format.md says what each check proves.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from bullscows.game import arguments
from bullscows.game.objective import Objective, ObjectiveError
from bullscows.game.rules import Rules, RulesError
from bullscows.tree import storage
from bullscows.tree.codec import CodecError, decode, encode, stored_nodes
from bullscows.tree.storage import RecordError
from bullscows.tree.strategy_tree import StrategyTree, TreeError
from bullscows.tree.verifier import verify

FORMAT = "bulls-cows-tree/3"

_RULE_NAME = re.compile(r"[a-z0-9-]{1,40}")

Proof = Literal["exact", "heuristic"]
"""Whether a search proved a tree optimal, or a rule made it."""

POSSIBLES_ONLY = "possibles-only"
"""The objective of a tree with the fewest turns among those that guess candidates only; that none
of these takes fewer is its proof, while others may."""


@dataclass(frozen=True)
class TreeRecord:
    """The fields of a tree file, in file order; the last one there is `digest`."""

    format: str
    """The name and version of the format."""
    rules: str
    """The game, for example ``p4c10n``."""
    objective: str
    """The criteria that the tree minimises, or the name of the rule that it follows."""
    max_turns: int | None
    """The cap on turns of the objective, if any."""
    string: str
    """The tree in base 92."""
    total: int
    """Turns over all secrets."""
    lower: int | None
    """Lower bound on the total of any strategy, without a cap, that a search proved; None: no bound
    is known.  It equals `total` if the tree is exact and no strategy has a smaller total."""
    depth: int
    """The last turn."""
    distribution: list[int]
    """Secrets found at turn 1, 2, ..."""
    nodes: int
    """The number of nodes."""
    stored: int
    """Nodes that the string stores; the others are special."""
    proof: Proof
    """``exact`` if an exhaustive search proved the tree optimal, among those that guess candidates
    only if that is its objective; else ``heuristic``."""
    engine_version: str
    """The version since which the engine writes this very file."""
    sha256: str
    """SHA-256 of the string, as ASCII bytes, in hexadecimal."""

    @property
    def is_least(self) -> bool:
        """Whether no strategy at all has a smaller total, as a search has proved."""
        return self.lower == self.total

    @property
    def is_optimal(self) -> bool:
        """Whether no strategy at all serves the objective better, as a search has proved."""
        return self.proof == "exact" and self.objective != POSSIBLES_ONLY

    @property
    def digest(self) -> str:
        """The `record_digest` of all fields."""
        return storage.record_digest(asdict(self))

    @classmethod
    def of(
        cls,
        tree: StrategyTree,
        *,
        objective: str,
        max_turns: int | None = None,
        proof: Proof = "heuristic",
        lower: int | None = None,
    ) -> TreeRecord:
        """Describe `tree`, a tree of a whole game; every figure comes from a replay.

        By default nothing is claimed of it but these figures.

        Raises
        ------
        RecordError
            If the replay finds the tree unsound.
        """
        arguments.instance("tree", tree, StrategyTree, "a StrategyTree")
        arguments.text("objective", objective, "average")
        arguments.choice("proof", proof, get_args(Proof))
        for name, value in (("max_turns", max_turns), ("lower", lower)):
            if value is not None:
                arguments.whole(name, value, "an integer, or None")
        figures = _figures(tree)
        text = encode(tree)
        return cls(
            format=FORMAT,
            rules=str(tree.rules),
            objective=objective,
            max_turns=max_turns,
            string=text,
            lower=lower,
            **figures,
            stored=stored_nodes(tree.rules, text),
            proof=proof,
            engine_version=storage.ENGINE_VERSION,
            sha256=string_hash(text),
        )


_TYPES: storage.Fields = {
    name: {list: list, Literal: str}.get(get_origin(hint), hint)
    for name, hint in (*get_type_hints(TreeRecord).items(), (storage.DIGEST, str))
}


@dataclass(frozen=True)
class TreeFile:
    """A tree file that has been read and checked."""

    name: str
    """The name of the tree."""
    record: TreeRecord
    """The fields of the file."""
    tree: StrategyTree
    """The decoded tree."""


def string_hash(text: str) -> str:
    """Return the SHA-256 of a tree's string in hexadecimal."""
    return sha256(text.encode("ascii")).hexdigest()


def dump(record: TreeRecord) -> str:
    """Return the text of the file: JSON in which DEL, base-92 digit 91, is escaped."""
    return storage.dump_record(asdict(record))


def write_tree(path: Path | str, record: TreeRecord) -> None:
    """Write a tree file atomically.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> tree = decode("p2c3n", "##")
    >>> mine = TreeRecord.of(tree, objective="mine", max_turns=None, proof="heuristic")
    >>> with TemporaryDirectory() as folder:
    ...     write_tree(f"{folder}/mine.json", mine)
    ...     read_tree(f"{folder}/mine.json").tree == tree
    True

    Parameters
    ----------
    path
        The file to write.
    record
        Its fields.

    Raises
    ------
    OSError
        If the file can't be written; an older file is then unchanged.
    """
    arguments.instance("record", record, TreeRecord, "a TreeRecord")
    storage.write_whole(arguments.path("path", path), dump(record))


def read_tree(tree: Path | str) -> TreeFile:
    """Read a tree file, compare its digest, decode and replay its tree, and compare its figures.

    Reading does not prove `objective`, `max_turns`, `proof` and `lower`.

    Examples
    --------
    >>> print(read_tree("avg-mastermind-3x6").tree)
    p3c6r: first guess 012, 216 secrets, total 854, turns 1/5/35/137/38

    Parameters
    ----------
    tree
        A file, or the name of a shipped tree.

    Returns
    -------
    TreeFile
        The tree with the fields of its file.

    Raises
    ------
    UnknownTreeError
        If a text names no tree and no file.
    RecordError
        If anything is wrong; the message names the file and the field.
    OSError
        If the file can't be read.
    """
    path = arguments.path("tree", tree)
    if not isinstance(tree, Path):
        path = storage.tree_path(tree, storage.default_folder())
    record = read_record(path)
    try:
        return TreeFile(path.stem, record, _check(record))
    except RecordError as error:
        raise RecordError(f"{path.name}: {error}") from error.__cause__


def read_record(path: Path) -> TreeRecord:
    """Read the fields of a tree file and compare its digest, without a replay of its tree.

    Raises
    ------
    RecordError
        If the file or a field is damaged; the message names both.
    OSError
        If the file can't be read.
    """
    try:
        if storage.NAME.fullmatch(path.stem) is None:
            raise RecordError("a tree's name has small letters, digits and single hyphens only")
        return _parse(storage.load_record(path), path.stem)
    except RecordError as error:
        raise RecordError(f"{path.name}: {error}") from error.__cause__


def _parse(value: Any, name: str) -> TreeRecord:
    storage.check_record(
        value, _TYPES, FORMAT, f"make the file again with `bullscows build {name}`"
    )
    if any(type(count) is not int for count in value["distribution"]):
        raise RecordError("field 'distribution' holds something else than whole numbers")
    del value[storage.DIGEST]
    if value["proof"] not in get_args(Proof):
        raise RecordError(f"proof must be one of {', '.join(get_args(Proof))}")
    record = TreeRecord(**value)
    _check_objective(record)
    _check_lower(record)
    return record


def _check_objective(record: TreeRecord) -> None:
    """Refuse an objective that a search does not know, or a rule that has no plain name."""
    if record.is_optimal:
        try:
            Objective.parse(record.objective)
        except ObjectiveError as error:
            raise RecordError(str(error)) from error
    elif _RULE_NAME.fullmatch(record.objective) is None:
        raise RecordError(f"field 'objective' names no rule: {record.objective[:40]!r}")


def _check_lower(record: TreeRecord) -> None:
    """Refuse a bound that cannot be, or one that the proof does not support."""
    if record.lower is None:
        return
    if record.proof == "exact":
        if not record.is_least or record.objective.partition(",")[0] != "average":
            raise RecordError("field 'lower' of an exact tree is its total, or null")
    elif not 0 < record.lower < record.total:
        raise RecordError(f"field 'lower' says {record.lower}, the tree takes {record.total}")


def _check(record: TreeRecord) -> StrategyTree:
    """Recompute the record from its string; return the tree."""
    if string_hash(record.string) != record.sha256:
        raise RecordError("the string does not have the SHA-256 that the file states")
    try:
        tree = decode(Rules.parse(record.rules), record.string)
    except (RulesError, CodecError, TreeError) as error:
        raise RecordError(str(error)) from error
    actual = _figures(tree) | {"stored": stored_nodes(tree.rules, record.string)}
    for field, value in actual.items():
        if getattr(record, field) != value:
            raise RecordError(
                f"field {field!r} says {getattr(record, field)}, the tree has {value}"
            )
    _check_guesses(record, tree)
    if record.max_turns is not None and record.depth > record.max_turns:
        raise RecordError(f"the tree takes {record.depth} turns, not {record.max_turns}")
    return tree


def _check_guesses(record: TreeRecord, tree: StrategyTree) -> None:
    """Refuse a tree of candidates only that guesses something else."""
    if record.objective != POSSIBLES_ONLY:
        return
    other = next((node for node in tree.nodes if not node.is_candidate_guess), None)
    if other is not None:
        raise RecordError(
            f"the tree guesses {tree.rules.text(other.guess)} at turn {other.turn}, which is no "
            f"candidate there, but its objective is {POSSIBLES_ONLY}"
        )


def _figures(tree: StrategyTree) -> dict[str, Any]:
    """Replay a tree and return the fields of its record that follow, or raise `RecordError`."""
    checked = verify(tree)
    if not checked.ok:
        raise RecordError(f"the tree is unsound: {checked.problems[0]}")
    return {
        "total": checked.total,
        "depth": checked.depth,
        "distribution": list(checked.distribution),
        "nodes": checked.nodes,
    }
