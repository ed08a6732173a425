"""The engine: rules, strategy trees, their text form, and the searches that prove them.

>>> import bullscows
>>> bullscows.solve("p3c6n", history="012:0.1 134:1.0").guess_text
'524'

The public API of the engine; docs/reference/library.md has examples.  Names are loaded when they
are first used, and numba with the first search.  ``__init__.pyi`` lists them.
"""

import lazy_loader

__version__ = "1.0.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
