"""The arrays of a search: a `problem` to read, a `workspace` to write, a `transposition` table."""
