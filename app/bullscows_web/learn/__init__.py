"""Two lessons: the rules in a minute, and a strategy that a person can use, with practice."""
