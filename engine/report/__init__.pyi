from .rows import Row, Section, markdown, published
from .sections import SECTIONS

__all__ = ["SECTIONS", "Row", "Section", "markdown", "published"]
