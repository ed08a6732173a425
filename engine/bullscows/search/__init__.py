"""The exact search: the least cost of any position, with proof and tree.

`solver` answers a whole question, criterion by criterion; `search` keeps one search in memory, with
its threads and its transposition table; `tree` holds what is proved of a position and of those
after it; `bounding` tightens its bounds within a time limit; `pareto` finds the Pareto front of two
criteria; `checkpoint`, `proven` and `resuming` let a search continue from a file.
"""
