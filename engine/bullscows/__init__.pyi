from .analysis.analyst import Analyst, analyse
from .analysis.findings import Analysis, TooFewTurnsError
from .build.strategies import UnknownStrategyError, strategy_tree
from .errors import EngineError
from .game.candidates import GameTooLargeError, candidates
from .game.cost import Bounds
from .game.history import History, HistoryError, HistoryTextError, InconsistentError
from .game.objective import Objective, ObjectiveError
from .game.question import Question
from .game.responses import ResponseTable, TableTooLargeError
from .game.rules import Answer, AnswerError, CodeError, Rules, RulesError, respond
from .game.symmetry import equivalence_classes
from .search.fronts import Point, pareto_front
from .search.position import GuessError, SearchError
from .search.solution import Solution
from .search.solver import solve
from .strategies.duel import best_reply, champions
from .tree.codec import CodecError, decode, encode
from .tree.files import TreeFile, TreeFileError, TreeRecord, read_tree, write_tree
from .tree.folder import UnknownTreeError
from .tree.nodes import Node
from .tree.strategy_tree import NoSuchNodeError, StrategyTree, TreeError
from .tree.verifier import Verification, verify

__all__ = [
    "Analysis",
    "Analyst",
    "Answer",
    "AnswerError",
    "Bounds",
    "CodeError",
    "CodecError",
    "EngineError",
    "GameTooLargeError",
    "GuessError",
    "History",
    "HistoryError",
    "HistoryTextError",
    "InconsistentError",
    "NoSuchNodeError",
    "Node",
    "Objective",
    "ObjectiveError",
    "Point",
    "Question",
    "ResponseTable",
    "Rules",
    "RulesError",
    "SearchError",
    "Solution",
    "StrategyTree",
    "TableTooLargeError",
    "TooFewTurnsError",
    "TreeError",
    "TreeFile",
    "TreeFileError",
    "TreeRecord",
    "UnknownStrategyError",
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
