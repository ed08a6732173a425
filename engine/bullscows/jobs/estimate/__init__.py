"""Estimate of the cost of a proof, from tasks of it that are drawn at random."""
