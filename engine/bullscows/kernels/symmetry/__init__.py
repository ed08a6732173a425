"""Symmetry inside the search: keys of sets up to isomorphism, and one guess of each class.

The table key of a node is the hash of a relabelled image of its candidates (`keys`), so isomorphic
sets mostly share an entry.  Of guesses that a symmetry of the position maps to each other, only the
lexicographically least is tried, under two groups: symmetries that fix every guess of the history
(`history`), and swaps of symbols that map the candidates to themselves (`symbols`).  The least
guess of an orbit under both together is least under each, so the two filters may be applied one
after the other (docs/proof.md, "Symmetry").
"""
