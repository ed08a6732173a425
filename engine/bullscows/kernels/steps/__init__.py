"""The steps of the recursion: `waves` of guesses, a guess on `trial`, and `sharing` by threads."""
