"""The compiled parts of the search, and the only room where numba may enter.

`recursion` is the search itself, a recipe of `steps` and of the kernels in the other modules;
`ties` chooses among equal guesses.  `arrays` lays out what they share, `compiling` makes machine
code of them.  `bounds` and `thresholds` need no numba, so that plans can be made without it.
"""
