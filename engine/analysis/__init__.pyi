from .analysis import Analysis, TooFewTurnsError
from .analyst import Analyst, analyse
from .price import Price
from .prover import Prover

__all__ = ["Analysis", "Analyst", "Price", "Prover", "TooFewTurnsError", "analyse"]
