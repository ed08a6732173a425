"""Long searches as tasks that survive killed processes, full disks and lost machines."""
