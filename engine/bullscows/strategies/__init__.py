"""One-step rules, the paper's hybrids, narrowed searches, the duel and the nonadaptive game."""
