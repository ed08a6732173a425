"""The exact search: the least cost of any position, with proof and tree."""
