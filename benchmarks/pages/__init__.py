"""Generated parts of the documents: ``make pages``.

The answers in the API's examples, and the references of the API, the command line and the library
in docs/reference.  Tests generate all of it again and compare.
"""
