"""Compilation of kernels: `jit` is the interface; the other modules serve it."""
