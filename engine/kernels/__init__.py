"""The compiled parts of the search, and the only room where numba may enter.

`jit` is its one door; `linking` makes kernels machine code, `reference` hands them a `structure`.
`recursion` is the search itself, a recipe of the kernels in the other modules; `problem` and
`workspace` lay out the arrays that they share; `ties` chooses among equal guesses.  `bounds` and
`thresholds` need no numba, so that plans can be made without it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
