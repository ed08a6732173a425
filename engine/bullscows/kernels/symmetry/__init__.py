"""Symmetry inside the search: keys of sets up to isomorphism, and guesses that are worth trying.

Two things are done for a node.  Its table key is the hash of a relabelled image of its candidates
(`keys`), so that reordered guesses and mirrored positions meet in one entry.  And of guesses that a
symmetry of the position carries into each other, only the lexicographically least is tried.  Two
groups of symmetries are known: those that fix every guess of the history (`history`), and swaps of
symbols that map the candidates to themselves (`symbols`).  The least guess of an orbit under both
together is least under each, so the two filters may be applied one after the other
(docs/proof.md, "Symmetry").
"""
