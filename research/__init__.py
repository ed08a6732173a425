"""The tables of the papers, recomputed and compared with the published figures.

`python -m research` computes them; `tables` holds finished tables and their file, and `page` their
Markdown; `sections` registers the functions that compute them.  There is a module for each
document, and `beyond` for what no document has.
"""
