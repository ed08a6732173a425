"""Proof files next to the trees: what they claim, and which of them concern a tree.

The first line of a file states the claim; `bullscows.tree.proof_checker` checks that it is proved.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bullscows.errors import EngineError
from bullscows.game.question import Question
from bullscows.tree.storage import RecordError, proof_path

_MOST_BYTES = 100_000
"""The longest first line."""


@dataclass(frozen=True)
class ProofFile:
    """The claim of a proof: no strategy costs less."""

    path: Path
    question: Question
    claim: int

    @property
    def is_average(self) -> bool:
        """Whether it is about the turns over all codes, without a limit."""
        return str(self.question.objective) == "average" and self.question.max_turns is None

    def is_attained(self, distribution: Sequence[int]) -> bool:
        """Whether a tree with this distribution is optimal, if the claim is true."""
        return self.question.weights().cost(distribution) == self.claim

    def statement(self, distribution: Sequence[int]) -> str:
        """Return what the claim says about a tree with this distribution."""
        goal = self.question.objective
        if self.is_attained(distribution):
            better = "takes fewer turns" if self.is_average else f"does better by {goal}"
        elif self.is_average:
            better = f"takes fewer than {self.claim} turns"
        else:
            better = f"costs less than {self.claim} by {goal}"
        return f"no strategy {better}"


def proof_files(tree: str, rules: str, folder: Path) -> list[ProofFile]:
    """Read the claims about the fewest turns of a game, and about the goal of a tree.

    Raises `RecordError` if a file is damaged, or about another game; `OSError`.
    """
    paths = [proof_path(name, folder) for name in (rules, tree)]
    return [read_claim(path, rules) for path in paths if path.is_file()]


def read_claim(path: Path, rules: str | None = None) -> ProofFile:
    """Read the claim of a proof, of a game if `rules` names it.

    Raises `RecordError` if the file is damaged, or its weights are not those of its objective.
    """
    try:
        with lzma.open(path) as file:
            header: Any = json.loads(file.readline(_MOST_BYTES))
        question = Question.of(header["rules"], (), header["objective"], header["max_turns"])
        weights = header["weights"]
        claim = int(header["claim"])
    except (EngineError, lzma.LZMAError, EOFError, ValueError, KeyError, TypeError) as error:
        raise RecordError(f"{path.name} is no proof: {error!r}") from None
    proof = ProofFile(path, question, claim)
    if rules not in (None, header["rules"]):
        raise RecordError(f"{path.name} is about {header['rules']}, not about {rules}")
    own = question.weights().values
    is_named = (
        weights is None if proof.is_average else weights and tuple(weights[: len(own)]) == own
    )
    if not is_named:
        raise RecordError(f"{path.name}: the weights are not those of {question.objective}")
    return proof
