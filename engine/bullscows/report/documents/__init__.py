"""The tables of the documents, a module for each author, and for what takes a module of its own."""
