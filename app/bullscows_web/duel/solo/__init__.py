"""Games in which only the visitor guesses: a friend's code, or an adversary."""
