"""Measurements of the engine, as ratios taken in one run: ``python -m benchmarks``."""
