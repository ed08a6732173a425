"""Duels against the computer, codes for friends, and games against an adversary."""
