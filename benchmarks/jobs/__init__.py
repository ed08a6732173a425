"""The list of jobs, measured: what it costs, and what a cluster gives."""
