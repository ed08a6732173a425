"""How kernels become machine code: `jit` is the one door, everything else serves it.

`linking` makes machine code of a kernel with its parts, `reference` hands kernels a `structure`.
"""
