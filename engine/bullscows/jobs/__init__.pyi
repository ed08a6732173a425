from .coordinator import JobFailedError, optimal_tree, optimal_trees
from .plan import Plan
from .pools import ClusterPool, ExecutorPool, LocalPool, Pool, PoolError
from .store.file import StoreError
from .store.lines import JobLineError, Line, parse_lines
from .store.store import Store
from .store.tasks import Job, Result, Task
from .worker import perform

__all__ = [
    "ClusterPool",
    "ExecutorPool",
    "Job",
    "JobFailedError",
    "JobLineError",
    "Line",
    "LocalPool",
    "Plan",
    "Pool",
    "PoolError",
    "Result",
    "Store",
    "StoreError",
    "Task",
    "optimal_tree",
    "optimal_trees",
    "parse_lines",
    "perform",
]
