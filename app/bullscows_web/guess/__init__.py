"""Games in which the visitor guesses: puzzles, that of the day, and what guesses were worth."""
