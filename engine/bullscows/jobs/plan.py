"""Which tasks a question needs next, and the answer made of their results.

The questions of the bounded tree (`bullscows.search.tree`) as rows of the store, by key.  A
question that is too long for one task is split in the tree, and tasks are asked for with what the
best known guess leaves them as budget.  Few large questions are best for workers.

The answer depends neither on the order of results nor on what was split: of several optimal guesses
the tree takes the first candidate, or else the first guess, as `bullscows.search.solver` does for
sets that are large enough to be split.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from bullscows.game.history import History
from bullscows.game.objective import INFINITE, Bounds
from bullscows.game.question import Question
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import CodeIndex, Turns
from bullscows.jobs.store.store import FAILED, Task
from bullscows.search.tree import BoundedTree, TreeNode
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import StrategyTree

table_of = lru_cache(maxsize=2)(ResponseTable.of)
"""Returns the responses of a game by its rules; those of the last two games are kept."""


def tree_of(question: Question, plies: int) -> BoundedTree:
    """Return the bounded tree of a question, its nodes by the keys of the store."""

    def key(turns: Turns, guess: CodeIndex | None) -> str:
        return replace(question, history=History(question.rules, turns), first=guess).key

    table = table_of(question.rules)
    weights = question.weights()
    return BoundedTree(table, weights, question.history, plies=plies, key=key)


class Plan:
    """The work on one question: its value if within `budget`, or a proof that it is more.

    Positions are split for `plies` turns before anything is tried, and wherever a task turns out to
    be too long.  `tree` says whether the whole tree is wanted, or the value only.
    """

    def __init__(
        self, question: Question, *, budget: int = INFINITE - 1, plies: int = 1, tree: bool = False
    ) -> None:
        self.question = question
        self.budget = budget
        self.value: Bounds | None = None
        """The answer, once there is one."""
        self.failures: list[Task] = []
        """Tasks without which there will be none."""
        self._tree = tree_of(question, plies)
        self._wants_tree = tree
        self._rows: dict[str, Task] = {}
        self._edge: list[TreeNode] = []

    @property
    def task(self) -> Task:
        """The whole question as a row of the store."""
        root = self._tree.root
        return Task(root.key, str(self.question), self.budget, root.count)

    @property
    def is_split(self) -> bool:
        """Whether the question is for several tasks."""
        return self._tree.is_split(self._tree.root)

    @property
    def bounds(self) -> Bounds:
        """The bounds proved so far."""
        return self._tree.bounds()

    def learn(self, row: Task) -> None:
        """Take over a row of the store."""
        self._rows[row.key] = row
        self._tree.learn(row.key, row.bounds, is_long=row.sliced)

    def next_tasks(self) -> list[Task]:
        """Return the tasks needed next, longest first; none when `value` or `failures` says all."""
        self.failures = []
        tasks = [
            self._task(node, budget, guess)
            for node, budget, guess in self._tree.next_questions(self.budget)
        ]
        found = self.bounds
        is_settled = not tasks and (found.exact or found.lower > self.budget)
        if is_settled and self._wants_tree and found.exact and found.lower < INFINITE:
            tasks = self._tasks_of_tree()
        wanted = [task for task in tasks if not self._has_failed(task)]
        self.value = found if is_settled and not wanted else None
        return wanted

    def grow(self) -> StrategyTree:
        """Return the optimal tree; it was asked for, and `value` is known."""
        before = len(self.question.history)
        guesses = {node: map(int, self._guesses(node).split()) for node in self._edge}

        def choose(candidates: Candidates, path: Turns) -> CodeIndex:
            node: TreeNode | None = self._tree.root
            for _, answer in path[before:]:
                if node in guesses or node is None or node.best is None:
                    break
                node = node.best.children.get(answer)
            if node in guesses:  # whose nodes come here in the order of their own tree
                return next(guesses[node])
            return candidates[0] if node is None or node.best is None else node.best.guess

        candidates = tuple(self.question.candidates.tolist())
        path = self.question.history.turns
        return StrategyTree.grow(self.question.rules, choose, candidates=candidates, path=path)

    def _question(self, node: TreeNode) -> Question:
        return replace(self.question, history=History(self.question.rules, node.turns))

    def _task(self, node: TreeNode, budget: int, guess: CodeIndex | None) -> Task:
        question = replace(self._question(node), first=guess)
        key = node.key
        if guess is not None:
            key = self._tree.key(node.turns, guess)
        return Task(key, str(question), budget, node.count)

    def _has_failed(self, task: Task) -> bool:
        row = self._rows.get(task.key)
        if row is None or row.state != FAILED:
            return False
        self.failures.append(row)
        return True

    def _tasks_of_tree(self) -> list[Task]:
        """Return the tasks of the trees that are missing at the edge, and open questions."""
        self._edge, asked = self._tree.edge(self._has_tree)
        tasks = [self._task(*one) for one in asked]
        for node in self._edge:
            if not self._guesses(node):
                question = self._question(node)
                lower = node.bounds.lower
                tasks.append(Task(question.tree_key, str(question), lower, node.count))
        return sorted(tasks, key=lambda task: -task.estimate)

    def _has_tree(self, node: TreeNode) -> bool:
        """Return whether the tree of a position is known; note if it is too long for one task."""
        row = self._rows.get(self._question(node).tree_key)
        node.entry.is_long |= row is not None and row.sliced
        return bool(self._guesses(node))

    def _guesses(self, node: TreeNode) -> str:
        """Return the guesses of the tree of this position, not of an equivalent one, or ""."""
        question = self._question(node)
        for key in (node.key, question.tree_key):
            row = self._rows.get(key)
            if row is not None and row.guesses and row.question == str(question):
                return row.guesses
        return ""
