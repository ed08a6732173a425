"""Any position of any game: the best guess found in a given time, and what is proved of it.

`analysis` says what is known of a question, `price` of a guess; `analyst` finds both, with the
searches of `evaluating` if they are loaded; `games` keeps those of the last games warm.
"""
