"""All sections of the report, in its order."""

from __future__ import annotations

from engine.report import games, slovesnov
from engine.report.rows import Section

SECTIONS: dict[str, Section] = {**slovesnov.SECTIONS, **games.SECTIONS}
"""The sections by name."""
