"""Search of positions: what is known without one, and the processes that search."""
