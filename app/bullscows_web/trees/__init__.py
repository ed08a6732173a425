"""The trees of this server, and the games and pages that walk them."""
