"""Shipped trees, named strategies, and proved positions after one guess."""
