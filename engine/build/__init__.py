"""From a name to a tree: what is shipped, and how it is made again.

`catalogue` names the shipped trees, `builder` makes any tree by its name, `openings` the values of
positions after one guess.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
