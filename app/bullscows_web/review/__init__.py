"""Reviews of finished games: what each guess cost, why, and how lucky its answer was."""
