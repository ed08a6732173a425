from .candidates import GameTooLargeError, Split, split, witnesses
from .cost import Bounds
from .history import HistoryTextError, Played, Turn, Turns, parse_history, turns_of
from .objective import (
    Objective,
    ObjectiveError,
    TurnsError,
    UnknownObjectiveError,
    Weights,
    WeightsError,
    WeightsTooLargeError,
    combine,
)
from .question import Question
from .responses import ResponseTable, TableTooLargeError, code_array, responses_between
from .rules import (
    Answer,
    AnswerError,
    AnswerIndex,
    Code,
    CodeError,
    CodeIndex,
    Rules,
    RulesError,
    respond,
)
from .symmetry import (
    EquivalenceClasses,
    IndexArray,
    Transformation,
    equivalence_classes,
    representatives,
)

__all__ = [
    "Answer",
    "AnswerError",
    "AnswerIndex",
    "Bounds",
    "Code",
    "CodeError",
    "CodeIndex",
    "EquivalenceClasses",
    "GameTooLargeError",
    "HistoryTextError",
    "IndexArray",
    "Objective",
    "ObjectiveError",
    "Played",
    "Question",
    "ResponseTable",
    "Rules",
    "RulesError",
    "Split",
    "TableTooLargeError",
    "Transformation",
    "Turn",
    "Turns",
    "TurnsError",
    "UnknownObjectiveError",
    "Weights",
    "WeightsError",
    "WeightsTooLargeError",
    "code_array",
    "combine",
    "equivalence_classes",
    "parse_history",
    "representatives",
    "respond",
    "responses_between",
    "split",
    "turns_of",
    "witnesses",
]
