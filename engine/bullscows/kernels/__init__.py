"""The compiled parts of the search, and the only package that imports numba.

`entry` is what Python calls; it also chooses among optimal guesses.  `recursion` is the branch and
bound in sixteen numbered steps, which docs/proof.md proves in the same order; its steps are in
`parts` and `bounds`, `batches`, `trial` with `splits` and `members`, `sharing` and `log`.
`problem` and `workspace` are its arrays, `pruning` its switches, `transposition` its memory.
Kernels of strategies and proofs are in `*_kernels` modules of those packages; they too are compiled
by `compiling.jit`.
"""
