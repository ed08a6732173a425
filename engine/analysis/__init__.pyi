from .analysis import Analysis, TooFewTurnsError
from .analyst import Analyst, analyse
from .prover import Prover

__all__ = ["Analysis", "Analyst", "Prover", "TooFewTurnsError", "analyse"]
