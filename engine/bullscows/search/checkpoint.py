"""Checkpoints: the proved bounds of a search in a file, from which another run continues.

A checkpoint states the question and, for each vector of weights that it was searched with, the
bounds of the whole and of the positions that took longest to search.  A position is written as its
history, so the file does not depend on the machine or the number of threads.

Reading is strict, but a digest is no proof: bounds from a file have to be trusted, or searched
again (`bullscows.search.from_checkpoint.recheck`; docs/proof.md, "Checkpoints").
"""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from bullscows.errors import EngineError
from bullscows.game.history import History
from bullscows.game.objective import INFINITE, Bounds, Weights
from bullscows.game.question import Question
from bullscows.game.rules import Rules, Turns
from bullscows.kernels import log
from bullscows.search.proven_bounds import (
    BoundsMemory,
    CheckpointError,
    ProvenBounds,
    bounds_of,
    row_of,
    turns_of,
)
from bullscows.tree import storage
from bullscows.tree.storage import RecordError

FORMAT = "bulls-cows-checkpoint/1"

PROVED_SINCE = "0.1.0"
"""The first version of the engine whose bounds are still valid.  A change that corrects a proof
sets it to the next release's version, so that older files are rejected."""

MAX_BYTES, BYTES_OF_NUMBERS = 5_000_000, 32
"""Limit on the positions in a file, and the approximate size of one in addition to its history."""

FIRST_SAVE, LAST_SAVE = 1.0, 300.0
"""Limits on the seconds between two saves, which are a tenth of the run so far."""

SAVING_SHARE = 0.008
"""Limit on the share of processor time for saves, unless saves would be rarer than `LAST_SAVE`.
Waiting for the disk does not block the threads of the search."""

_logger = logging.getLogger(__name__)

_Header = dict[str, str | int | None]
"""A question as the fields of a file."""


def _header(question: Question) -> _Header:
    """Return the fields that state a question."""
    guesses = "all" if question.mde is None else f"mde={question.mde}"
    return {
        "rules": str(question.rules),
        "objective": str(question.objective),
        "max_turns": question.turns_allowed,
        "history": str(question.history),
        "first": None if question.first is None else question.text(question.first),
        "guesses": "candidates" if question.candidates_only else guesses,
    }


def _words(header: _Header) -> str:
    """Return the question that fields state in words; they need not state one that exists."""
    words = [f"{header['rules']} {header['objective']}"]
    words += [] if header["max_turns"] is None else [f"at most {header['max_turns']} turns"]
    words += [f"after {header['history']}"] if header["history"] else []
    words += [] if header["first"] is None else [f"first guess {header['first']}"]
    if header["guesses"] == "candidates":
        words.append("candidates only")
    elif header["guesses"] != "all":
        words.append(str(header["guesses"]))
    return ", ".join(words)


class Checkpoint(BoundsMemory):
    """A file of proved bounds, with those that a search has added since.

    The first save creates it.  Raises `CheckpointError` if the file cannot state the question, is
    damaged, or is of another question or another engine; `OSError` if it can't be read.
    """

    def __init__(self, path: Path, question: Question) -> None:
        rules = question.history.game
        if question.secrets is not None:
            raise CheckpointError(
                "a checkpoint cannot state a list of secrets: leave one of them out"
            )
        if not isinstance(rules, Rules):
            raise CheckpointError("a game without rules has no histories for a checkpoint to state")
        self.path = path
        self.question = question
        self._rules = rules
        # Many positions share their turns: each is formatted, and parsed, once.
        self._word = cache(lambda turn: str(History(rules, (turn,))))
        self._turn = cache(lambda word: History.parse(rules, word)[0])
        self._before = question.history.turns
        super().__init__(question.turn)
        self._runs, self._seconds, self._processor_seconds = 1, 0, 0
        if path.exists():
            self._read()
        elif not os.access(path.absolute().parent, os.W_OK):
            raise CheckpointError(f"{path} can't be written: its folder is missing or read-only")
        self._started = time.monotonic()
        self._processor_started = time.process_time()
        self._saved = self._started
        self._took = 0.0

    def proven(self, weights: Weights) -> ProvenBounds:
        """Return what is proved with weights; bounds with other weights say nothing about these."""
        proven = super().proven(weights)
        proven.earlier_seconds = self._seconds
        return proven

    def turns(self, row: list[int]) -> Turns:
        """Return the turns from the start of the game that lead to the position of a row."""
        return self._before + turns_of(row, len(self._before) + 1)

    def text(self, row: list[int]) -> str:
        """Return the history of the position of a row as text."""
        return " ".join(map(self._word, self.turns(row)))

    def save_if_due(self) -> None:
        """Save if the last save is long enough ago."""
        now = time.monotonic()
        pause = max((now - self._started) / 10, self._took / SAVING_SHARE, FIRST_SAVE)
        if now - self._saved >= min(pause, LAST_SAVE):
            self._save_or_warn()

    @contextmanager
    def saved_at_end(self) -> Iterator[None]:
        """Save when the block ends or fails, except with a `CheckpointError`.

        Raises `OSError` if the block fails and the file can't be written.
        """
        try:
            yield
        except CheckpointError:
            raise
        except BaseException:
            self.save()
            raise
        self._save_or_warn()

    def _save_or_warn(self) -> None:
        """Save; if the file can't be written, the search and its result are worth more."""
        try:
            self.save()
        except OSError as error:
            self._saved = time.monotonic()
            _logger.warning(
                "the checkpoint %s can't be written: %s", self.path, error.strerror or error
            )

    def save(self) -> None:
        """Write the file atomically, or raise `OSError` and leave an older one."""
        began = time.thread_time()
        storage.write_whole(self.path, self._text())
        self._saved = time.monotonic()
        self._took = time.thread_time() - began

    def _text(self) -> str:
        """Return the content of the file, a position a line."""
        processor_seconds = round(time.process_time() - self._processor_started)
        stated = {
            "format": FORMAT,
            "engine_version": PROVED_SINCE,
            **_header(self.question),
            "runs": self._runs,
            "seconds": self._seconds + round(time.monotonic() - self._started),
            "processor_seconds": self._processor_seconds + processor_seconds,
            "proofs": self._stated(),
        }
        fields = [f"{json.dumps(name)}: {_lines(value)}" for name, value in stated.items()]
        fields.append(f'"{storage.DIGEST}": "{storage.record_digest(stated)}"')
        return "{\n" + ",\n".join(fields) + "\n}\n"

    def _read(self) -> None:
        try:
            stated, there = _checked(self.path)
            asked = _header(self.question)
            if there != asked:
                raise RecordError(f"it is one of {_words(there)}, not of {_words(asked)}")
            for proof in stated["proofs"]:
                proven = self._proven(proof)
                self.proofs[proven.weights, proven.capped] = proven
        except EngineError as error:
            raise CheckpointError(f"can't continue from {self.path}: {error}") from None
        self._runs = stated["runs"] + 1
        self._seconds = stated["seconds"]
        self._processor_seconds = stated["processor_seconds"]

    def _proven(self, proof: Any) -> ProvenBounds:
        """Read the proofs for one vector of weights; reject what no search can have proved."""
        if isinstance(proof, dict):
            proof = {"guess": None} | proof  # older files have none
        storage.check_fields(proof, _PROOF_FIELDS)
        if not all(type(weight) is int for weight in proof["weights"]):
            raise RecordError("its weights are not whole numbers")
        weights = Weights(tuple(proof["weights"]), proof["last_turn"] is not None)
        proven = ProvenBounds(weights.values, weights.capped, len(self._before) + 1)
        guess = None if proof["guess"] is None else self._rules.parse_code(proof["guess"])
        proven.learn(_bounds(proof["lower"], proof["upper"]), guess)
        proven.nodes = proof["nodes"]
        rows = [self._row(entry) for entry in proof["positions"]]
        if rows:
            proven.read = np.array(rows, dtype=np.int64)
        return proven

    def _row(self, entry: Any) -> list[int]:
        """Read the entry of a position; its row has no key yet."""
        kinds = [type(each) for each in entry] if isinstance(entry, list) else []
        if kinds[:2] != [str, int] or kinds[2:] not in _KINDS:
            raise RecordError(f"a position is not history, bounds, effort, guess: {entry!r:.60}")
        text, lower, upper, effort, *guess = entry
        turns = tuple(map(self._turn, text.split()))
        steps = turns[len(self._before) :]
        if turns[: len(self._before)] != self._before or not 0 < len(steps) <= log.DEPTH:
            raise RecordError(f"position {text[:60]!r} is not one of the question")
        if not 0 <= effort < INFINITE:
            raise RecordError(f"no search tries {effort} guesses")
        bounds = _bounds(lower, upper)
        attaining = self._rules.parse_code(guess[0]) if guess else None
        return row_of(len(turns) + 1, bounds, effort, attaining, steps)

    def _stated(self) -> list[dict[str, Any]]:
        """Return the proofs for each vector of weights, as far as there is space."""
        room = MAX_BYTES
        stated = []
        for proven in sorted(self.proofs.values(), key=lambda each: each.nodes, reverse=True):
            rows = proven.rows().tolist()
            entries = []
            if not rows and proven.nodes == 0 and proven.bounds == Bounds():
                continue
            for row in rows:
                text = self.text(row)
                guess = [self._rules.text(row[log.GUESS] - 1)] if row[log.GUESS] else []
                room -= len(text) + BYTES_OF_NUMBERS + sum(map(len, guess))
                if room < 0:
                    break
                entries.append([text, *bounds_of(row), row[log.EFFORT], *guess])
            stated.append(
                {
                    "weights": list(proven.weights),
                    "last_turn": len(proven.weights) if proven.capped else None,
                    **proven.bounds._asdict(),
                    "guess": None if proven.guess is None else self._rules.text(proven.guess),
                    "nodes": proven.nodes,
                    "positions": sorted(entries, key=lambda entry: entry[0]),
                }
            )
        return stated


_QUESTION_FIELDS: storage.Fields = {
    **dict.fromkeys(("rules", "objective", "history", "guesses"), str),
    "max_turns": int | None,
    "first": str | None,
}

_FIELDS: storage.Fields = {
    **dict.fromkeys(("format", "engine_version", storage.DIGEST), str),
    **_QUESTION_FIELDS,
    **dict.fromkeys(("runs", "seconds", "processor_seconds"), int),
    "proofs": list,
}

_PROOF_FIELDS: storage.Fields = {
    **dict.fromkeys(("weights", "positions"), list),
    **dict.fromkeys(("lower", "nodes"), int),
    **dict.fromkeys(("last_turn", "upper"), int | None),
    "guess": str | None,
}

_KINDS = [[type(None), int], [int, int], [int, int, str]]
"""The types of a position's upper bound, its effort, and its guess if that is known."""


def _lines(value: Any) -> str:
    """Return the JSON of a field, with each object and each row of a list on a line of its own."""
    if isinstance(value, list) and value and isinstance(value[0], list | dict):
        return "[\n" + ",\n".join(map(_lines, value)) + "\n]"
    if isinstance(value, dict):
        fields = [f"{json.dumps(name)}: {_lines(each)}" for name, each in value.items()]
        return "{" + ", ".join(fields) + "}"
    return json.dumps(value)


def total_bound(path: Path, rules: Rules) -> int:
    """Return the lower bound on the total turns of a game that a file states.

    The objective begins with ``average``, so the first weight is the cost of one turn.  Errors are
    those of `total_question`.
    """
    proofs = [proof for proof in _of_total(path, rules)["proofs"] if proof["last_turn"] is None]
    return max((proof["lower"] // proof["weights"][0] for proof in proofs), default=0)


def total_question(path: Path, rules: Rules) -> Question:
    """Return the question of a file on the total turns of a game, whatever it asks for after them.

    Raises `RecordError` if the file is damaged or of another question, `OSError` if it cannot be
    read.
    """
    return Question.of(rules, objective=_of_total(path, rules)["objective"])


def _of_total(path: Path, rules: Rules) -> dict[str, Any]:
    stated, header = _checked(path)
    whole = _header(Question.of(rules)) | {"objective": stated["objective"]}
    if header != whole or not stated["objective"].startswith("average"):
        raise RecordError(
            f"{path} has no bound on the total of {rules}, but is of {_words(header)}"
        )
    return stated


def _checked(path: Path) -> tuple[dict[str, Any], _Header]:
    """Read a file and its question; raise `RecordError` if it is damaged or from another engine."""
    stated = storage.load_record(path, most=2 * MAX_BYTES)
    storage.check_record(stated, _FIELDS, FORMAT, "start again without it")
    if stated["engine_version"] != PROVED_SINCE:
        raise RecordError(
            f"its bounds were proved by version {stated['engine_version'][:20]} of the "
            f"engine, and this one relies on bounds since version {PROVED_SINCE}"
        )
    return stated, {name: stated[name] for name in _QUESTION_FIELDS}


def _bounds(lower: int, upper: int | None) -> Bounds:
    """Return bounds; reject contradictory ones."""
    if not 0 <= lower <= (INFINITE if upper is None else upper) <= INFINITE:
        raise RecordError(f"no cost is at least {lower} and at most {upper}")
    return Bounds(lower, upper)
