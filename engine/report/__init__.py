"""Every table of the documents, recomputed and set beside the published figures.

`rows` is one figure and one table; a module for each document makes its tables; `sections` lists
them all.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
