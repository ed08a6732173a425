"""The game: everything that needs neither a strategy nor a search.

`scoring` defines the answer to a guess; `rules` numbers codes and answers; `response_table` has the
answers of all codes to all guesses; `history` the codes that fit some turns, and corrections;
`symmetry` and `canonical` what is equivalent; `objective` what a strategy minimises; `question` and
`result` what users ask and get.
"""
