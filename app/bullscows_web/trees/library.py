"""The trees of this server: read and verified at start, never changed afterwards.

A damaged file is rejected with an error in the log.  The other trees still play; a request for the
rejected one learns that it is unavailable, not that it does not exist.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from fastapi import Depends
from fastapi import Path as PathParameter

from bullscows.game.rules import Rules
from bullscows.tree.files import TreeRecord, read_tree
from bullscows.tree.proof_files import ProofFile, proof_files
from bullscows.tree.storage import NAME, PARETO, RecordError, current_name, tree_files
from bullscows.tree.strategy_tree import StrategyTree
from bullscows_web.web.dependencies import of_app
from bullscows_web.web.exceptions import NotFoundError, UnavailableError

logger = logging.getLogger(__name__)

PREFERRED = ("avg-bulls-cows", "avg-mastermind")
"""The trees to offer first, one per game; the others follow, proved ones before heuristic ones."""


@dataclass(frozen=True, eq=False)
class Entry:
    """A tree that can be played."""

    name: str
    """The name of its file without `.json`."""
    record: TreeRecord
    """The record of its file, recomputed at start."""
    tree: StrategyTree
    proofs: Sequence[ProofFile] = ()
    """Proofs that no strategy takes fewer turns, and that none serves its goal better."""

    @property
    def rules(self) -> Rules:
        """The rules of its game."""
        return self.tree.rules

    def proof_path(self, proof: ProofFile) -> str:
        """Return the path of a proof: of the game, or of this tree."""
        place = f"/atlas/{self.rules}" if proof.is_average else f"/trees/{self.name}"
        return f"{place}.proof.xz"

    @property
    def is_least_checked(self) -> bool:
        """Whether a proof file shows that no strategy takes fewer turns."""
        return any(proof.is_average for proof in self.proofs)

    @property
    def average(self) -> float:
        """The mean number of turns."""
        return self.record.total / self.rules.size


@dataclass(frozen=True)
class Game:
    """A game with the trees that play it."""

    rules: Rules
    entries: Sequence[Entry]
    """Its trees, the one to offer first at the front."""


class Library:
    """All trees of a folder, by name."""

    def __init__(self, entries: Iterable[Entry], failed: Mapping[str, str], folder: Path) -> None:
        self.entries: Mapping[str, Entry] = {one.name: one for one in sorted(entries, key=_rank)}
        """Playable trees by name, in the order in which to offer them."""
        self.failed = failed
        """Why each refused tree was refused, by name."""
        self.folder = folder
        """The folder, which has other files too: trees of Pareto fronts, and levels of the duel."""
        self._pareto = {path.stem: path for path in folder.glob(f"{PARETO}/{PARETO}-*.json")}
        self._read: dict[str, Entry] = {}

    @classmethod
    def open(cls, folder: Path) -> Library:
        """Read and verify every tree file of `folder`.

        A missing or empty folder makes an empty library: the log says so, and the server starts,
        so that its health pages can tell.
        """
        entries: list[Entry] = []
        failed: dict[str, str] = {}
        for path in tree_files(folder):
            try:
                file = read_tree(path)
            except (RecordError, OSError) as error:
                logger.error("refused tree file %s: %s", path, error)
                failed[ascii(path.stem)[1:-1]] = str(error)
            else:
                proofs = _proofs(path.stem, file.record, folder)
                entries.append(Entry(path.stem, file.record, file.tree, proofs))
        if not entries:
            logger.error("no playable tree in %s", folder)
        else:
            logger.info("added %d trees from %s", len(entries), folder)
        return cls(entries, failed, folder)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries.values())

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def is_ready(self) -> bool:
        """Whether there is something to play and no file was refused."""
        return bool(self.entries) and not self.failed

    @cached_property
    def games(self) -> Sequence[Game]:
        """The games of the trees, in the order in which to offer them."""
        entries = defaultdict[Rules, list[Entry]](list)
        for entry in self:
            entries[entry.rules].append(entry)
        return tuple(Game(rules, tuple(group)) for rules, group in entries.items())

    def of(self, rules: Rules | str) -> Sequence[Entry]:
        """Return the trees of a game, given its rules or their text, in the same order."""
        playing = (game.entries for game in self.games if rules in (game.rules, str(game.rules)))
        return next(playing, ())

    def others(self, entry: Entry) -> list[Entry]:
        """Return the other trees of a tree's game."""
        return [other for other in self.of(entry.rules) if other is not entry]

    @property
    def version(self) -> str:
        """A hash that changes with every tree and every refusal."""
        parts = [f"{entry.name} {entry.record.digest} {len(entry.proofs)}" for entry in self]
        return sha256("\n".join((*parts, *sorted(self.failed))).encode()).hexdigest()

    def tree(self, name: str) -> Entry:
        """Return a tree by its name, or by one that it had before.

        Trees of a Pareto front are not listed; their files are read at the first use. Raises
        `NotFoundError` if there is no such file. Raises `UnavailableError` if its file was refused.
        """
        if name not in self.entries:
            name = current_name(name)
        if entry := self.entries.get(name) or self._read.get(name):
            return entry
        if name in self.failed and NAME.fullmatch(name):
            raise UnavailableError(_damaged(name))
        if name not in self._pareto:
            raise NotFoundError("unknown-tree", name)
        try:
            file = read_tree(self._pareto[name])
        except (RecordError, OSError) as error:
            logger.error("refused tree file %s: %s", self._pareto[name], error)
            raise UnavailableError(_damaged(name)) from error
        return self._read.setdefault(name, Entry(name, file.record, file.tree))


def _proofs(name: str, record: TreeRecord, folder: Path) -> list[ProofFile]:
    """Return the proofs whose claims a tree attains; without them, it plays all the same."""
    try:
        found = proof_files(name, record.rules, folder)
    except (RecordError, OSError) as error:
        logger.error("refused a proof about tree %s: %s", name, error)
        return []
    return [proof for proof in found if proof.is_attained(record.distribution)]


def _damaged(name: str) -> str:
    return f"the file of tree {name!r} is damaged, so this tree can't be played"


def _rank(entry: Entry) -> tuple[int, bool, str]:
    preference = PREFERRED.index(entry.name) if entry.name in PREFERRED else len(PREFERRED)
    return preference, entry.record.proof == "heuristic", entry.name


# -- dependencies of routes ----------------------------------------------------------------------


LibraryDep = Annotated[Library, of_app("library")]
TreePath = Annotated[str, PathParameter(max_length=100, description="Name of a tree.")]


async def get_entry(library: LibraryDep, tree: TreePath) -> Entry:
    """Return the tree that the URL names."""
    return library.tree(tree)


EntryDep = Annotated[Entry, Depends(get_entry)]
