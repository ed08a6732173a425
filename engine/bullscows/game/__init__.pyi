from .candidates import GameTooLargeError, Split, split, witnesses
from .cost import Bounds
from .cycles import Cycle, CycleError, cycles_of, diagram
from .history import History, HistoryError, HistoryTextError, InconsistentError, Played, Turn, Turns
from .number import NumberGame
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
    "Cycle",
    "CycleError",
    "EquivalenceClasses",
    "GameTooLargeError",
    "History",
    "HistoryError",
    "HistoryTextError",
    "InconsistentError",
    "IndexArray",
    "NumberGame",
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
    "cycles_of",
    "diagram",
    "equivalence_classes",
    "representatives",
    "respond",
    "responses_between",
    "split",
    "witnesses",
]
