"""From a name to a tree: what is shipped, and how it is made again.

`strategies` makes what any name of a strategy says, `catalogue` names the shipped trees, `builder`
makes these, `openings` the values of positions after one guess.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
