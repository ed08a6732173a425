"""What is kept of long searches: tasks and their results in one file, and what is told of them."""
