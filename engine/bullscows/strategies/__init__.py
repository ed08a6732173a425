"""Strategies that are no plain search of all guesses.

`one_step` has the rules that look one turn ahead, `ranking` compares guesses by them;
`least_frequent` and `random_candidate` are for people.  `hybrids` mix a rule
with a search, `narrowed` and `beam` search some guesses only; `jobs` runs long searches from a
file.  `duel`, `codemaker` and `nonadaptive` are other games.
"""
