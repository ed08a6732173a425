"""What is made and not written in the documents: ``make pages``.

The answers in the API's examples, the reference in docs/api.md, and the commands' own words in
docs/operations/commands.md.  Tests make all of it again and compare.
"""
