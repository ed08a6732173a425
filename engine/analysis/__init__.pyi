from .analysis import Analysis, analyse
from .analyst import Analyst, InconsistentError, Inquiry, TooFewTurnsError, Verdict
from .prover import Finding, Prover

__all__ = [
    "Analysis",
    "Analyst",
    "Finding",
    "InconsistentError",
    "Inquiry",
    "Prover",
    "TooFewTurnsError",
    "Verdict",
    "analyse",
]
