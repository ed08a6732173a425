"""The command line: one module per group of commands, and the only package that prints."""

DONE, CLAIM_FAILS, USAGE, UNPROVED, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 3, 130, 141
"""Exit codes; `UNPROVED`: a limit stopped a search before its result was proved."""
