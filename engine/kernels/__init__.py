"""The compiled parts of the search, and the only room where numba may enter.

`jit` is its one door.  `recursion` is the search itself, a recipe of the kernels in the other
modules; `workspace` lays out the arrays that they share; `ties` chooses among equal guesses.
`bounds` and `thresholds` need no numba, so that plans can be made without it.
"""
