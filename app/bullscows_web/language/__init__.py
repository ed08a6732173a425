"""What languages the site speaks, and what games, answers and trees are called in them."""
