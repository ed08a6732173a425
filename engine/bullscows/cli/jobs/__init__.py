"""The commands of long searches: the list of jobs, and what a proof would cost."""
