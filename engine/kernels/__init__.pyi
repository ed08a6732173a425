from .arrays.transposition import probe
from .arrays.workspace import Tables, make_tables
from .bounds import cheapest, size_bounds
from .canonical import extend_history, key_of, start_history
from .members import perfect_member
from .scan import count_parts

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
