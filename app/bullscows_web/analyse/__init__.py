"""Analysis of any position of any game.

`search` finds the best guess for all packages.
"""
