"""Any position of any game: the best guess found in a given time, and what is proved of it.

`analysis` says what is known of a question, `price` of a guess; `analyst` finds both; `proving`
keeps the searches of the last games warm.
"""
