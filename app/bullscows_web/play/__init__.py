"""Games in which the server guesses."""
