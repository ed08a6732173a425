"""The duel: two guess in turn; and the codes of friends, and a dodging keeper."""
