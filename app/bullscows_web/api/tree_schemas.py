"""Request and response models of trees and sessions.

Requests are strict and bounded.  Within `/api/v1` fields can be added, but none is renamed, removed
or given another meaning.
"""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field

from bullscows.game.objective import total_turns
from bullscows.tree.files import Proof
from bullscows.tree.proof_files import ProofFile
from bullscows_web.errors.responses import Outcome
from bullscows_web.trees.library import Entry
from bullscows_web.trees.position import LISTED, Choice, GamePosition, PastTurn
from bullscows_web.web import text_patterns

TreeName = Annotated[
    str,
    Field(
        pattern=text_patterns.TREE.pattern,
        max_length=64,
        description="Name of a tree from `GET /trees`.",
        examples=["avg-bulls-cows"],
    ),
]
RulesText = Annotated[
    str,
    Field(
        pattern=text_patterns.RULES.pattern,
        description="p and the positions, c and the symbols, then n (no repeats), r (repeats) or z "
        "(no repeats, no leading 0), then b for bulls only.",
        examples=["p4c10n"],
    ),
]
CodeText = Annotated[
    str,
    Field(
        pattern=text_patterns.CODE.pattern, description="Symbols 0-9 and a-f.", examples=["0123"]
    ),
]
Bulls = Annotated[
    int, Field(ge=0, le=8, description="Right symbols in the right place.", examples=[1])
]
Cows = Annotated[
    int, Field(ge=0, le=8, description="Right symbols in a wrong place.", examples=[2])
]


class Strict(BaseModel):
    """Request body: unknown fields and wrong types are rejected."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewSession(Strict):
    """A game to start."""

    tree: TreeName
    shuffle: bool = Field(default=True, description="Whether to relabel the codes at random.")


class AnswerRequest(Strict):
    """Answer to the guess of a session."""

    bulls: Bulls
    cows: Cows


class ResponseRequest(Strict):
    """Two codes to compare."""

    rules: RulesText
    guess: CodeText
    secret: CodeText


class PossibleAnswer(Outcome):
    """A possible answer to a guess."""

    remaining: int = Field(description="Candidates after this answer.")


class PlayedTurn(Outcome):
    """A guess that has been answered."""

    turn: int
    guess: str
    remaining: int = Field(description="Candidates after this turn.")

    @classmethod
    def of_turn(cls, turn: PastTurn) -> PlayedTurn:
        """Return the model of a turn."""
        return cls.of(turn.answer, turn=turn.number, guess=turn.guess, remaining=turn.remaining)


class TreeProof(BaseModel):
    """A proof that no strategy does better than a tree, which anyone can check."""

    objective: str = Field(
        description="Objective that no strategy serves better.", examples=["average"]
    )
    max_turns: int | None = Field(description="Last allowed turn; null without a limit.")
    claim: int = Field(description="No strategy costs less, summed over all secrets.")
    path: str = Field(description="Path of the file.", examples=["/atlas/p4c10n.proof.xz"])

    @classmethod
    def of(cls, entry: Entry, proof: ProofFile) -> Self:
        """Return the model of a proof."""
        return cls(
            objective=str(proof.question.objective),
            max_turns=proof.question.max_turns,
            claim=proof.claim,
            path=entry.proof_path(proof),
        )


class TreeSummary(BaseModel):
    """A strategy tree without its string."""

    name: TreeName
    rules: str = Field(examples=["p4c10n"])
    secrets: int = Field(description="Number of codes of the game.")
    objective: str = Field(description="Objective of the tree, or the name of its rule.")
    max_turns: int | None = Field(description="Last allowed turn; null without a limit.")
    proof: Proof = Field(description="`exact` if an exhaustive search proved the tree optimal.")
    proofs: list[TreeProof] = Field(
        description="Proof files; empty if optimality can't be checked without a search."
    )
    lower: int | None = Field(
        description="Proven lower bound on the total of any tree, without a limit on turns; null "
        "if none is known."
    )
    total: int = Field(description="Turns summed over all secrets.")
    mean: float = Field(description="Turns per secret: `total` / `secrets`.")
    depth: int = Field(description="Last turn at which a secret is found.")
    distribution: list[int] = Field(description="Secrets found at turn 1, 2, ...")
    nodes: int = Field(description="Nodes of the tree.")
    stored: int = Field(description="Nodes that the string stores.")
    sha256: str = Field(description="SHA-256 of the string.")
    digest: str = Field(description="SHA-256 of all fields of the tree's file.")

    @classmethod
    def of(cls, entry: Entry) -> Self:
        """Return the model of a tree."""
        record = entry.record
        others = {"name": entry.name, "secrets": entry.rules.size, "mean": entry.average}
        proofs = [TreeProof.of(entry, proof) for proof in entry.proofs]
        return cls.model_validate(
            vars(record) | others | {"digest": record.digest, "proofs": proofs}
        )


class TreeDetail(TreeSummary):
    """A strategy tree with its string."""

    format: str
    string: str = Field(description="The whole tree in base 92.")
    engine_version: str


class TreeList(BaseModel):
    """All trees that can be played, in display order."""

    trees: list[TreeSummary]
    unavailable: list[str] = Field(description="Trees whose files were rejected at start.")


class Child(Outcome):
    """The node below one answer."""

    remaining: int = Field(description="Candidates after this answer.")
    guess: str | None = Field(description="The next guess; null if the answer ends the game.")
    total: int = Field(
        description="Turns summed over these candidates, counted from the first turn of the game."
    )
    answers: str = Field(description="The answers that lead to the child, for the next request.")


class NodeDetail(BaseModel):
    """One node of a tree, not relabelled."""

    tree: TreeName
    answers: str = Field(description="The answers that lead here.", examples=["0.1-1.1"])
    turns: list[PlayedTurn] = Field(description="The turns that lead here.")
    turn: int = Field(description="Turn of the guess.")
    guess: str
    is_candidate: bool = Field(description="Whether the guess can be the secret.")
    remaining: int = Field(description="Candidates at this node.")
    distribution: list[int] = Field(description="Candidates found at turn 1, 2, ... of the game.")
    total: int = Field(
        description="Turns summed over these candidates, counted from the first turn of the game."
    )
    mean: float = Field(description="Turns per candidate: `total` / `remaining`.")
    children: list[Child] = Field(description="In ascending order of answers.")
    candidates: list[str] | None = Field(
        description=f"The candidates; null if there are more than {LISTED}."
    )

    @classmethod
    def of(cls, position: GamePosition) -> NodeDetail:
        """Return the model of the node of an unfinished game."""
        entry = position.entry
        node = position.node
        distribution = entry.tree.distribution_at(node)
        total = total_turns(distribution)
        return cls(
            tree=entry.name,
            answers=position.answers_text,
            turns=[PlayedTurn.of_turn(turn) for turn in position.turns],
            turn=node.turn,
            guess=position.guess,
            is_candidate=node.is_candidate_guess,
            remaining=position.remaining,
            distribution=list(distribution),
            total=total,
            mean=total / position.remaining,
            children=list(map(_child, position.choices)),
            candidates=position.listed,
        )


def _child(choice: Choice) -> Child:
    after = choice.position
    total = after.turn if after.is_finished else after.node.nodes.totals.item(after.node.number)
    return Child.of(
        choice.answer,
        remaining=choice.remaining,
        guess=None if after.is_finished else after.guess,
        total=total,
        answers=after.answers_text,
    )


class Session(BaseModel):
    """A game in which the server guesses; the id contains its whole state."""

    id: str = Field(
        description="The whole state: an earlier id undoes later turns.",
        examples=["avg-bulls-cows~k3~0.1-1.1"],
    )
    tree: TreeName
    rules: str
    turn: int = Field(description="The turn to play; the last turn if finished.")
    guess: str = Field(description="The next guess; the secret if finished.")
    remaining: int = Field(description="Candidates: codes that fit all answers.")
    answers: list[PossibleAnswer] = Field(
        description="The possible answers to the guess; empty if finished."
    )
    finished: bool
    secret: str | None = Field(description="Null until the game is finished.")
    turns: list[PlayedTurn] = Field(description="The turns so far.")
    candidates: list[str] | None = Field(
        description=f"The candidates; null if there are more than {LISTED}."
    )
    previous: str | None = Field(description="Id before the last answer; null at the start.")

    @classmethod
    def of(cls, position: GamePosition) -> Session:
        """Return the model of a position."""
        guess = position.guess
        return cls(
            id=position.id,
            tree=position.entry.name,
            rules=str(position.rules),
            turn=position.turn,
            guess=guess,
            remaining=position.remaining,
            answers=[
                PossibleAnswer.of(choice.answer, remaining=choice.remaining)
                for choice in position.choices
            ],
            finished=position.is_finished,
            secret=guess if position.is_finished else None,
            turns=[PlayedTurn.of_turn(turn) for turn in position.turns],
            candidates=position.listed,
            previous=None if position.parent is None else position.parent.id,
        )


class ProblemType(BaseModel):
    """Description of a problem type."""

    type: str
    title: str
    status: int = Field(description="HTTP status.")
    advice: str = Field(description="How to fix the request.")
