"""Sizes and layouts of the vector kernels; known without the compiler."""

from __future__ import annotations

LANES = 32
"""Small sets of up to this number of members are processed at once, a lane for each."""

NEAR = 128
"""Rows of a table of up to this number of bytes may be read in one piece."""

PARTS = LANES * LANES
"""Start of the parts that each member makes in `Workspace.square`, after their responses."""

ROW = 192
"""Bytes of a row of answers, one for each candidate."""

NOBODY = 255
"""Fills a row behind the last candidate."""

BEHIND = 64
"""Entries behind the last that vectors may read, or write."""
