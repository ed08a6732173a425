"""The exact search: the least cost of any position, with proof and tree.

`solver` answers a whole question, criterion by criterion; `search` keeps one search in memory, with
its threads and its table; `anytime` bounds a value from both sides under a time limit; `fronts`
finds all costs that no strategy betters in two criteria; `position` has the words they share.
"""
