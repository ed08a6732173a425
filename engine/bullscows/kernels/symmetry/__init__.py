"""Symmetry inside the search: keys of sets up to isomorphism, and one guess of each class.

Of guesses that a symmetry of the position maps to each other, only the lexicographically least is
tried, under symmetries that fix every guess of the history (`history`), and under swaps of symbols
that map the candidates to themselves (`symbols`), one after the other (docs/proof.md, "Symmetry").
"""
