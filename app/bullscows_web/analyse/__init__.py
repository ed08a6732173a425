"""Pages about any position of any game; the package `search` finds the best guess."""
