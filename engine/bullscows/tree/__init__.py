"""Strategy trees, and their two independent checkers.

`strategy_tree` is the value, `nodes` its columns of numbers; `codec` the string of the paper,
`files` and `storage` the files of shipped trees, `export` other formats.  `verifier` replays a
tree, `proof_checker` checks that none is better; both share no code with what they check.
"""
