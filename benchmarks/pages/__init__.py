"""Generated parts of the documents: ``make pages``.

The answers in the API's examples, the reference in docs/reference/api.md, and the help texts in
docs/reference/commands.md.  Tests generate all of it again and compare.
"""
