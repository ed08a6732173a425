"""Two trees of one game side by side."""
