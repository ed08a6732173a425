"""Games in which only the visitor guesses: at a friend's code, or against a dodging keeper."""
