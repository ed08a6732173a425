"""The compiled parts of the search, and the only package that uses numba.

`recursion` is the search itself, made of `steps` and of the kernels in the other modules; `ties`
chooses among equal guesses.  `arrays` has the data, `compiling` makes machine code.  `bounds` and
`thresholds` need no numba, so that plans can be made without it.
"""
