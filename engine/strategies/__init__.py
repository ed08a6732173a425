"""Strategies that follow a rule instead of a proof, and what rules say of a guess.

`one_step` rules look one turn ahead; `hybrids` follow the paper's, rule first and search last;
`k_way` is Chen's branching; `beam` searches the most telling guesses only.  `ranking` and
`guess_comparison` hold one guess against the others, for people to see.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
