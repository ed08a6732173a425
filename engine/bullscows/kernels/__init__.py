"""The compiled parts of the search, and the only package that uses numba."""
