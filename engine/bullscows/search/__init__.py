"""The exact search: the least cost of any position, with proof and tree.

`solver` answers a whole question, criterion by criterion; `search` keeps one search in memory, with
its threads and its table; `tree` holds what is proved of a position and of those after it;
`bounding` tightens its bounds within a time limit; `fronts` finds all costs that no strategy
betters in two criteria; `position` has the words they share.
"""
