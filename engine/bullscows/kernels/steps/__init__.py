"""The steps of the recursion: `batches` of guesses, a guess on `trial`, `budgets`, `sharing`."""
