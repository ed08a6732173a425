"""The figures of the trees, as pages and as files."""
