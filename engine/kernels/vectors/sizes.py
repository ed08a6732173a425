"""How much vector kernels take at once, and where it is laid out; known without the compiler."""

from __future__ import annotations

LANES = 32
"""Small sets of up to so many members are looked at all at once, a lane for each."""

NEAR = 128
"""Rows of a table of up to so many bytes may be read in one piece."""

PARTS = LANES * LANES
"""Where `Workspace.square` has the parts that each member makes, behind their responses."""
