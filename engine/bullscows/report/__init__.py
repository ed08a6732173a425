"""Every table of the documents, recomputed and set beside the published figures.

`rows` is one figure; `documents` makes the tables of each document, `beyond` those that none has,
and `sections` lists them all.  `tables` keeps what was made, `page` writes it into docs/results.md.
"""
