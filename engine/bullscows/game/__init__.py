"""A game as everyone knows it: rules, codes, answers, what a history leaves, what symmetry is.

The vocabulary of the house.  Nothing here searches, and nothing above is known here.  `rules` is
the definition, `responses` the same as a table; `symmetry` tells which guesses are equal,
`canonical` which positions; `history` and `candidates` what has been asked and what is left;
`objective` what may be minimised, `cost` what is known of it; `question` all that is asked, in one
line of text.
"""
