from .arrays.transposition import probe
from .arrays.workspace import Tables, make_tables
from .bounds import cheapest, size_bounds
from .members import perfect_member
from .symmetry.history import extend_history, start_history
from .symmetry.keys import key_of
from .vectors.scan import count_parts

__all__ = [
    "Tables",
    "cheapest",
    "count_parts",
    "extend_history",
    "key_of",
    "make_tables",
    "perfect_member",
    "probe",
    "size_bounds",
    "start_history",
]
