"""Any position of any game: the best guess found in a given time, and what is proved of it."""
