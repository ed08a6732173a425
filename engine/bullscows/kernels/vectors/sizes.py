"""How much vector kernels take at once, and where it is laid out; known without the compiler."""

from __future__ import annotations

LANES = 32
"""Small sets of up to so many members are looked at all at once, a lane for each."""

NEAR = 128
"""Rows of a table of up to so many bytes may be read in one piece."""

PARTS = LANES * LANES
"""Where `Workspace.square` has the parts that each member makes, behind their responses."""

ROW = 192
"""Bytes of a row of answers: what a guess tells of each of up to so many candidates."""

NOBODY = 255
"""What stands in a row behind the last candidate."""

BEHIND = 64
"""Entries behind the last that vectors may read, or write."""
