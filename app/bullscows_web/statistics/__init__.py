"""Statistics of the trees, comparisons of trees, and results next to published figures."""
