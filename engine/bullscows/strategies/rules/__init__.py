"""Rules that look one turn ahead, and how one guess stands beside the others under them."""
