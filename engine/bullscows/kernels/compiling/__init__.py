"""Compilation of kernels: `jit` is the interface; `linking`, `reference` and `structure` serve it.

`linking` makes machine code of a kernel with its parts, `reference` hands kernels a `structure`.
"""
