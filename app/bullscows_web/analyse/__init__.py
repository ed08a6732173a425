"""Any position of any game: the turns so far, and what is known of the best guess.

`search` finds it, for all rooms that ask.
"""
