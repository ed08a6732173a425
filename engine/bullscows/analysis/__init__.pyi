from .analysis import Analysis, TooFewTurnsError
from .analyst import Analyst, analyse
from .codemaker import Codemaker, Reply, longest_game, tree_reply
from .price import Price
from .proving.prover import Prover

__all__ = [
    "Analysis",
    "Analyst",
    "Codemaker",
    "Price",
    "Prover",
    "Reply",
    "TooFewTurnsError",
    "analyse",
    "longest_game",
    "tree_reply",
]
