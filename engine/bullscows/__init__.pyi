from .analysis.analyst import Analyst, analyse
from .errors import EngineError
from .game.arguments import ArgumentError, ArgumentTypeError
from .game.history import History, HistoryError, InconsistentError, candidates
from .game.objective import Bounds, Objective, ObjectiveError
from .game.question import Question
from .game.response_table import GameTooLargeError, ResponseTable
from .game.result import Analysis, Result, TooFewTurnsError
from .game.rules import AnswerError, CodeError, Rules, RulesError, respond
from .game.scoring import Answer
from .game.symmetry import equivalence_classes
from .library import solve
from .search.pareto import Point, pareto_front
from .search.position import SearchError
from .search.solution import Solution
from .shipping.named_trees import strategy_tree
from .strategies.duel import best_reply, champions
from .tree.codec import CodecError, decode, encode
from .tree.files import TreeFile, TreeRecord, read_tree, write_tree
from .tree.nodes import Node
from .tree.storage import RecordError, UnknownTreeError
from .tree.strategy_tree import StrategyError, StrategyTree, TreeError
from .tree.verifier import Verification, verify

__all__ = [
    "Analysis",
    "Analyst",
    "Answer",
    "AnswerError",
    "ArgumentError",
    "ArgumentTypeError",
    "Bounds",
    "CodeError",
    "CodecError",
    "EngineError",
    "GameTooLargeError",
    "History",
    "HistoryError",
    "InconsistentError",
    "Node",
    "Objective",
    "ObjectiveError",
    "Point",
    "Question",
    "RecordError",
    "ResponseTable",
    "Result",
    "Rules",
    "RulesError",
    "SearchError",
    "Solution",
    "StrategyError",
    "StrategyTree",
    "TooFewTurnsError",
    "TreeError",
    "TreeFile",
    "TreeRecord",
    "UnknownTreeError",
    "Verification",
    "analyse",
    "best_reply",
    "candidates",
    "champions",
    "decode",
    "encode",
    "equivalence_classes",
    "pareto_front",
    "read_tree",
    "respond",
    "solve",
    "strategy_tree",
    "verify",
    "write_tree",
]

__version__: str
