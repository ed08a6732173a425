"""Long searches as tasks that survive killed processes, full disks and lost machines.

`store` keeps tasks and results in one file; `plan` turns a question into tasks and results into a
value; `worker` runs a task, `pools` are the processes or the cluster; `coordinator` brings them
together.  `estimate` predicts what a proof would take.
"""
