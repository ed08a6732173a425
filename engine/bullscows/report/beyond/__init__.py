"""Tables that no document has: the duel, the static game, other sizes, what was never published."""
