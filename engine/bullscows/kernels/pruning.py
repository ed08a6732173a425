"""Switches of the pruning rules, and tuning thresholds.  None of them changes a value.

Only `TIED_SIZE` affects which of several optimal trees is found.
"""

from __future__ import annotations

from enum import IntFlag, auto


class Pruning(IntFlag):
    """Pruning rules and their switches; none of them changes a value or a tree."""

    SIZE = auto()
    """Bound a set by its size and the fan-out (paper, 2.5.2 and 2.5.3)."""
    PARTS = auto()
    """Take guesses in batches of equal numbers of parts (Francis, Estimators)."""
    CAP = auto()
    """Cap the fan-out below a node by the largest number of parts seen at it."""
    MEMBERS = auto()
    """Settle small sets by their members alone (paper, 2.5.6)."""
    QUICK = auto()
    """Bound all parts of a guess by a scan each before one is searched (paper, 2.5.7)."""
    TABLE = auto()
    """Keep values and bounds in a transposition table (paper, 2.5.9)."""
    CANONICAL = auto()
    """Key large sets by a relabelled image (paper, lemma 1)."""
    HISTORY = auto()
    """Try one guess of each class of equivalent guesses under the history (paper, 2.3)."""
    SYMBOLS = auto()
    """Try one guess of each class under swaps of symbols that fix the candidates."""
    ORDER = auto()
    """Try the most promising guess of a batch first (paper, 2.5.1)."""
    PART_ORDER = auto()
    """Search the parts of a guess by size: which end first depends on the weights."""
    SLACK = auto()
    """Leave a part as soon as its guess cannot improve on the best (paper, 2.5.4)."""
    ANSWER_CAPS = auto()
    """Cap the fan-out of a part by the answer that leads to it, and all next guesses together by
    the sums of these caps (docs/proof.md, "Pairs of answers")."""
    BUDGETS = auto()
    """Give each part of a guess a share of the budget at first, then more."""


ALL_PRUNING = ~Pruning(0)

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
