"""Pictures that the server draws: the field of all codes, the icicle of a tree, cards of links."""
