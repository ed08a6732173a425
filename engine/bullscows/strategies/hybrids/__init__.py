"""The paper's hybrids: a rule at first turns, the best of its equals next, a search at the end."""
