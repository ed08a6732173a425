"""Games in which only the visitor guesses: at a friend's code, or against a keeper that dodges."""
