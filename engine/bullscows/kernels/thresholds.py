"""Tuning thresholds, and sizes of vectors.  They affect running time, never a value.

`TIED_SIZE` affects which of several optimal trees is found.
"""

from __future__ import annotations

SMALL = 32
"""Sets of up to this number of candidates have their members checked."""

QUICK_TURNS = 4
"""Up to this turn the parts of a guess are bounded by a scan each before any is searched."""

SHARED_TURNS = 3
"""Up to this turn threads try guesses, and parts of the first guess, of other threads last."""

BUDGETED_SIZE = 250
"""From this number of candidates on the parts of a guess share the budget."""

TIED_SIZE = 100
"""In sets of up to this number of candidates ties are broken by the nodes that a tree stores."""

SHARED_SIZE = 100
"""Positions with fewer candidates are searched by one thread."""

SYMMETRIC_SIZE = 40
"""Positions with fewer candidates are searched without the symmetry of their history."""

LANES = 32
"""Small sets of up to this number of members are processed at once, a lane for each."""

NEAR = 128
"""Rows of a table of up to this number of bytes may be read in one piece."""

PARTS = LANES * LANES
"""Start of the parts that each member makes in `Workspace.square`, after their responses."""

ROW, NOBODY = 192, 255
"""Bytes of a row of answers, one for each candidate; and what fills it behind the last."""

BEHIND = 64
"""Entries behind the last that vectors may read, or write."""
