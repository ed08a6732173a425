"""The store of long searches: tasks and their results in one file, and reports about them."""
