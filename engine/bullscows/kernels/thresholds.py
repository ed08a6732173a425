"""Sizes and turns at which the search changes its ways.  They cost time if they are ill chosen.

No value depends on them, but which of several optimal trees is found may: `TIED_SIZE`.
"""

from __future__ import annotations

SMALL = 32
"""Sets of up to so many candidates have their members checked."""

QUICK_TURNS = 4
"""Up to this turn the parts of a guess are bounded by a scan each before any is searched."""

SHARED_TURNS = 3
"""Up to this turn threads leave each other's guesses, and parts of the first guess, for last."""

PORTIONED_SIZE = 250
"""From so many candidates on the parts of a guess are asked for portions."""

TIED_SIZE = 100
"""In sets of up to so many candidates ties are broken by the nodes that a tree stores."""

SHARED_SIZE = 100
"""Positions with fewer candidates are left to one thread."""

SYMMETRIC_SIZE = 40
"""Positions with fewer candidates are searched without the symmetry of their history."""
