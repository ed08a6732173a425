"""Long searches as tasks of a list that survives anything (paper, 4.3 to 4.5)."""
