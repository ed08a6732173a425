"""From a name to a tree: what is shipped, and how it is made again.

`strategies` makes what any name of a strategy says, `catalogue` names the shipped trees, `builder`
makes these, `openings` the values of positions after one guess.
"""
