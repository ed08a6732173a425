"""Long searches as tasks that survive anything: killed processes, full disks, lost machines.

`store` keeps tasks and results in one file, and has what is told of them; `plan` makes tasks of a
question and a value of results; `worker` does a task, `pools` are the processes or the cluster that
do many; `coordinator` brings them together.  `estimate` says beforehand what all of it would take.
"""
