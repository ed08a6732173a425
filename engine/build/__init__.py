"""From a name to a tree, and from the trees to tables: what is shipped and how it is made again.

`catalogue` names the shipped trees, `builder` makes any tree by its name, `report` sets our figures
beside the published ones.
"""
