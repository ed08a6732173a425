"""Rules that look one turn ahead."""
