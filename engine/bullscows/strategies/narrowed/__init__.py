"""Searches of some guesses only: Chen's k most telling ones, and a beam above solved positions."""
