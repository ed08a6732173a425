"""All sections of the report, in its order."""

from __future__ import annotations

from bullscows.report.beyond import duels, games, static
from bullscows.report.documents import (
    chen,
    francis,
    goel_garg,
    hybrids,
    slovesnov,
    strategies,
)
from bullscows.report.rows import Section

SECTIONS: dict[str, Section] = {
    **slovesnov.SECTIONS,
    **hybrids.SECTIONS,
    **francis.SECTIONS,
    **strategies.SECTIONS,
    **chen.SECTIONS,
    **goel_garg.SECTIONS,
    **duels.SECTIONS,
    **static.SECTIONS,
    **games.SECTIONS,
}
"""The sections by name."""
