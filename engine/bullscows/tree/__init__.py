"""Strategy trees: what to guess after every sequence of answers, as a value, as text, as a file.

`strategy_tree` grows and walks them, `codec` writes the paper's base-92 string, `files` the JSON
around it, `export` other formats.  `verifier` replays every secret and shares no code with
response table, search or codec.
"""
