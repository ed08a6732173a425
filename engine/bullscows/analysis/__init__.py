"""Any position of any game: the best guess found in a given time, and what is proved of it.

`analyst` answers questions and `findings` has its results; `evaluating` is its part that needs the
search, whose last games `games` keeps in memory.  `certain` and `openings` need no search.
"""
