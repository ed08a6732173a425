"""Kernels that are written as vector instructions: many guesses, or many members, at once."""
