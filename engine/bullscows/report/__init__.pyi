from .rows import Row, Section, published
from .sections import SECTIONS
from .tables import Table, TablesFileError, read_tables, write_tables

__all__ = [
    "SECTIONS",
    "Row",
    "Section",
    "Table",
    "TablesFileError",
    "published",
    "read_tables",
    "write_tables",
]
