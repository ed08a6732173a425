"""The JSON of the API: what comes in is strict and bounded, what goes out mirrors the domain.

Stability: within `/api/v1` fields may be added; none is renamed, removed or given another meaning.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from bullscows.game.cost import turns_in_all
from bullscows.game.rules import AnswerIndex
from bullscows.tree.files import Proof
from bullscows_web.trees.library import Entry
from bullscows_web.trees.position import LISTED, Choice, GamePosition, Turn
from bullscows_web.trees.relabelling import Relabelling
from bullscows_web.web import text_patterns
from bullscows_web.web.errors.documents import Outcome

TreeName = Annotated[
    str,
    Field(
        pattern=text_patterns.TREE.pattern,
        max_length=64,
        description="Name of a tree, as `GET /trees` lists them.",
        examples=["avg-bulls-cows"],
    ),
]
RulesText = Annotated[
    str,
    Field(
        pattern=text_patterns.RULES.pattern,
        description="Positions, symbols, and n for no repeats (p4c10n is Bulls & Cows), r for "
        "repeats, or z for no repeats and no leading 0 (p4c10z).",
        examples=["p4c10n"],
    ),
]
CodeText = Annotated[
    str,
    Field(pattern=text_patterns.CODE.pattern, description="Symbols 0-9a-f.", examples=["0123"]),
]
Bulls = Annotated[
    int, Field(ge=0, le=8, description="Right symbols in the right place.", examples=[1])
]
Cows = Annotated[
    int, Field(ge=0, le=8, description="Right symbols in a wrong place.", examples=[2])
]


class Strict(BaseModel):
    """A request's body: known fields of the right type only."""

    model_config = ConfigDict(extra="forbid", strict=True)


# -- requests ----------------------------------------------------------------------------------


class NewSession(Strict):
    """A game to start."""

    tree: TreeName
    shuffle: bool = Field(default=True, description="Whether to play under a random relabelling.")


class AnswerGiven(Strict):
    """An answer to the guess of a session."""

    bulls: Bulls
    cows: Cows


class ResponseQuestion(Strict):
    """Two codes to compare."""

    rules: RulesText
    guess: CodeText
    secret: CodeText


# -- answers -----------------------------------------------------------------------------------


class PossibleAnswer(Outcome):
    """An answer that may be given now."""

    remaining: int = Field(description="Candidates left after it.")

    @classmethod
    def of_position(cls, position: GamePosition) -> list[PossibleAnswer]:
        """Describe the answers that are possible; every game along a tree has the same."""
        return _possible(position.entry, position.answers)


@lru_cache(maxsize=1024)
def _possible(entry: Entry, answers: tuple[AnswerIndex, ...]) -> list[PossibleAnswer]:
    position = GamePosition.at_root(entry, Relabelling.identity(entry.rules)).after(*answers)
    return [
        PossibleAnswer(**vars(Outcome.of(entry.rules.answers[answer])), remaining=size)
        for answer, size in position.sizes.items()
    ]


class TurnPlayed(Outcome):
    """A turn that has been played."""

    turn: int
    guess: str
    remaining: int = Field(description="Candidates left after it.")

    @classmethod
    def of_turn(cls, turn: Turn) -> TurnPlayed:
        """Describe a turn."""
        outcome = Outcome.of(turn.answer)
        return cls(
            **outcome.model_dump(), turn=turn.number, guess=turn.guess, remaining=turn.remaining
        )


# -- trees -------------------------------------------------------------------------------------


class TreeSummary(BaseModel):
    """A strategy tree and its figures."""

    name: TreeName
    rules: str = Field(examples=["p4c10n"])
    secrets: int = Field(description="Codes of the game.")
    objective: str = Field(description="What the tree minimises, or the rule that it follows.")
    max_turns: int | None
    proof: Proof
    lower: int | None = Field(
        description="Proved lower bound on the total of any tree, without a cap on turns; null if "
        "none is known. If it equals `total`, no tree has a smaller total."
    )
    total: int = Field(description="Turns over all secrets.")
    average: float
    depth: int = Field(description="The last turn.")
    distribution: list[int] = Field(description="Secrets found at turn 1, 2, ...")
    nodes: int
    stored: int = Field(description="Nodes that the string stores.")
    sha256: str = Field(description="Of the string.")
    digest: str = Field(description="SHA-256 of all that the tree's file states.")

    @classmethod
    def of(cls, entry: Entry) -> TreeSummary:
        """Describe a tree."""
        return cls.model_validate(_tree_fields(entry))


class TreeDetail(TreeSummary):
    """A strategy tree with its string."""

    format: str
    string: str = Field(description="The whole tree, in base 92.")
    engine_version: str

    @classmethod
    def of(cls, entry: Entry) -> TreeDetail:
        """Describe a tree."""
        return cls.model_validate(_tree_fields(entry))


def _tree_fields(entry: Entry) -> dict[str, object]:
    figures = {"name": entry.name, "secrets": entry.rules.size, "average": entry.average}
    return vars(entry.record) | figures | {"digest": entry.record.digest}


class TreeList(BaseModel):
    """All trees that can be played, in the order in which to offer them."""

    trees: list[TreeSummary]
    unavailable: list[str] = Field(description="Trees whose files were refused at start.")


class Child(Outcome):
    """What follows one answer."""

    remaining: int = Field(description="Candidates that give it.")
    guess: str | None = Field(description="The next guess; null if the answer ends the game.")
    total: int = Field(description="Turns over these candidates, from the first turn of the game.")
    answers: str = Field(description="The answers that lead there, for the next request.")


class NodeDetail(BaseModel):
    """One node of a tree, as the tree has it: not relabelled."""

    tree: TreeName
    answers: str = Field(description="The answers that lead here.", examples=["0.1-1.1"])
    path: list[TurnPlayed]
    turn: int
    guess: str
    is_candidate: bool = Field(description="Whether the guess may be the secret.")
    remaining: int
    turns: list[int] = Field(description="Candidates guessed at turn 1, 2, ... of the game.")
    total: int = Field(description="Turns over these candidates.")
    average: float
    children: list[Child] = Field(description="In ascending order of answers.")
    candidates: list[str] | None = Field(description=f"Null if more than {LISTED}.")

    @classmethod
    def of(cls, position: GamePosition) -> NodeDetail:
        """Describe the node of an unfinished game."""
        entry, node = position.entry, position.node
        turns = entry.turns(node)
        return cls(
            tree=entry.name,
            answers="-".join(str(turn.answer) for turn in position.history),
            path=[TurnPlayed.of_turn(turn) for turn in position.history],
            turn=node.turn,
            guess=position.guess,
            is_candidate=node.is_candidate_guess,
            remaining=position.remaining,
            turns=list(turns),
            total=turns_in_all(turns),
            average=turns_in_all(turns) / position.remaining,
            children=[_child(position, choice) for choice in position.choices],
            candidates=position.listed,
        )


def _child(position: GamePosition, choice: Choice) -> Child:
    after = choice.position
    answers = "-".join(str(turn.answer) for turn in after.history)
    total = after.turn if after.is_finished else turns_in_all(position.entry.turns(after.node))
    return Child(
        **Outcome.of(choice.answer).model_dump(),
        remaining=choice.remaining,
        guess=None if after.is_finished else after.guess,
        total=total,
        answers=answers,
    )


# -- sessions ----------------------------------------------------------------------------------


class Session(BaseModel):
    """A game in progress, or finished; its id is its whole state."""

    id: str = Field(
        description="The state itself: keep an earlier id to undo.",
        examples=["avg-bulls-cows~k3~0.1-1.1"],
    )
    tree: TreeName
    rules: str
    turn: int = Field(description="The turn to play; of a finished game, the last one.")
    guess: str = Field(description="What to ask now; of a finished game, the secret.")
    remaining: int = Field(description="Codes that fit all answers.")
    answers: list[PossibleAnswer] = Field(
        description="The possible answers; none if the game is finished."
    )
    finished: bool
    secret: str | None = Field(description="Null until the game is finished.")
    history: list[TurnPlayed]
    candidates: list[str] | None = Field(description=f"Null if more than {LISTED}.")
    previous: str | None = Field(description="The session before the last answer.")

    @classmethod
    def of(cls, position: GamePosition) -> Session:
        """Describe a position."""
        return cls(
            id=position.id,
            tree=position.entry.name,
            rules=str(position.entry.rules),
            turn=position.turn,
            guess=position.guess,
            remaining=position.remaining,
            answers=PossibleAnswer.of_position(position),
            finished=position.is_finished,
            secret=position.secret,
            history=[TurnPlayed.of_turn(turn) for turn in position.history],
            candidates=position.listed,
            previous=position.parent.id if position.parent else None,
        )


# -- problems ----------------------------------------------------------------------------------


class ProblemType(BaseModel):
    """What a kind of problem means."""

    type: str
    title: str
    status: int
    advice: str = Field(description="What can be done about it.")
