"""Compilation of the kernels: numba's front end, LLVM's optimiser once for each object file.

`jit` has the decorators, `object_files` keeps, loads and calls machine code, `compiler` makes it.
Only `compiler` uses inner parts of numba: `JITCodeLibrary`, `NativeLowering`, and types and
lowering rules of its own.  They were measured against numba's public interface, medians of 3 first
searches and of 7 later ones on one machine:

=====================================  =====  ======  =====================
measurement                            this   `njit`  `njit`, our own files
=====================================  =====  ======  =====================
first ``solve p3c6n``, wall seconds    14.9   46.0    24.8
its peak memory, MB                    288    375     458
later ``solve p3c6n``, processor s     0.80   1.42    0.64
later ``solve p4c10n``, processor s    1.97   2.83    1.89
=====================================  =====  ======  =====================

Values and nodes are equal.  Later three shortcuts were removed that saved less than 2 s each: fewer
passes of numba, a cache of the types of calls, no garbage collection.  A first search takes 1.4
times as long without them, and 50 MB less.  A dispatcher and flags of our own saved 2 % of it.

Tried with numba 0.62 and 0.68; before the last of these changes with 0.63 and 0.66 as well.  A
scheduled run of all tests takes the newest release.

The way out, if a release of numba breaks `compiler`: decorate kernels with ``njit(nogil=True)`` and
those that Python calls with ``njit(nogil=True, cache=True)``; keep the files in a folder named by a
hash of all sources (`object_files.cache_folder`), because numba does not notice changes of callees
and constants in other files; pass arrays instead of a `Structure`.  That changes about 20 files and
leaves about 400 lines less.
"""
