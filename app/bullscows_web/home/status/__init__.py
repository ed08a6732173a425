"""What this server does at the moment, for people: its trees, its searches, a list of jobs."""
