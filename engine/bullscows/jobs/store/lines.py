"""The list of jobs as text, one a line, in the form of the paper's ``jobs.txt`` (4.3).

    solve 0123(0,1)+0145(0,1) 7 4 8 #

docs/reference/jobs.md describes the fields.  On input any state adds the job to the list; what is
known of it is in the store.  *mde* is the turn after which a one-step rule guesses instead of a
search: 4 for a rule at turn 5.  The last two turns are always exact, so mde >= depthCount - 2 means
exact throughout, and so does ``-``.  The rule is crush, or Larmouth's if the objective is the
average (`bullscows.strategies.hybrids`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bullscows.errors import EngineError
from bullscows.game.history import History
from bullscows.game.objective import INFINITE, Bounds, first_level
from bullscows.game.question import Question
from bullscows.game.rules import Rules
from bullscows.jobs.store.store import (
    DONE,
    FAILED,
    STATES,
    TAKEN,
    WAITING,
    Store,
    Task,
    seconds_left,
)

_TURN = re.compile(r"([0-9a-f]+)\((\d+),(\d+)\)")
_DIGITS = 17
"""Longer numbers exceed every value of a search."""
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\ud800-\udfff]")
_STATES = ("solve", "taken", "done", "failed")
_GAME = "p4c10n"
_OBJECTIVE = "last"


class JobLineError(EngineError, ValueError):
    """A line that is no job."""


@dataclass(frozen=True)
class Line:
    """A job as its line states it."""

    question: Question
    mde: str
    """As written, to write the line again; the question has it if it makes a difference."""
    beta: int | None
    """The limit on the value, if any."""
    comment: str = ""
    """The text after the ``#``."""

    @property
    def budget(self) -> int:
        """The largest value that is wanted."""
        return INFINITE - 1 if self.beta is None else self.beta - 1

    @classmethod
    def parse(cls, text: str) -> Line:
        """Read a line; raise `JobLineError` if it is not of this form."""
        text = text.rstrip("\r\n")
        if _CONTROL.search(text):
            raise JobLineError(f"invalid job {text[:80]!r}: it has control characters")
        body, _, comment = text.partition("#")
        words = body.split()
        try:
            return _line(words, comment.strip())
        except ValueError as error:
            raise JobLineError(f"invalid job {text.strip()[:80]!r}: {error}") from None

    def text(self, state: str = "solve") -> str:
        """Return the line, with a state; inverse of `parse`."""
        question = self.question
        words = [state, _turns(question)]
        words.append("-" if question.max_turns is None else str(question.max_turns))
        words += [self.mde, "-" if self.beta is None else str(self.beta)]
        if str(question.rules) != _GAME:
            words.append(f"rules={question.rules}")
        if str(question.objective) != _OBJECTIVE:
            words.append(f"objective={question.objective}")
        return " ".join([*words, "#", self.comment]).rstrip()


def parse_lines(lines: Iterable[str]) -> Iterator[Line]:
    """Read a file of jobs and comments; `JobLineError` has the number of the first invalid line."""
    for number, text in enumerate(lines, start=1):
        if text.partition("#")[0].strip():
            try:
                yield Line.parse(text)
            except JobLineError as error:
                raise JobLineError(f"line {number}: {error}") from None


def state_of(line: Line, task: Task | None) -> str:
    """Return the first words of a job's line from its row in the store."""
    if task is None:
        return "solve"
    if task.lower >= INFINITE:
        return "done impossible"
    if task.exact:
        return f"done {task.lower}" if task.lower <= line.budget else f"done >={line.beta}"
    if task.lower > line.budget:
        return f"done >={task.lower}"
    if task.state == FAILED:
        return "failed"
    under_way = task.state == TAKEN or (task.state == DONE and task.sliced)
    return "taken" if under_way else "solve"


def _line(words: list[str], comment: str) -> Line:
    state = words.pop(0)
    if state not in _STATES:
        raise JobLineError(f"the first word is {', '.join(_STATES)}, not {state!r}")
    if state == "done" and not words:
        raise JobLineError("after done comes the value")
    if state == "done":
        words.pop(0)
    if len(words) < 4:
        raise JobLineError("after the state come turns, depthCount, mde and beta")
    turns, depth, mde, beta, *named = words
    options = dict(word.split("=", 1) for word in named if "=" in word)
    if len(options) < len(named) or not options.keys() <= {"rules", "objective"}:
        raise JobLineError(f"after beta come rules=... and objective=... only, not {named}")
    rules = Rules.parse(options.get("rules", _GAME))
    objective = options.get("objective", _OBJECTIVE)
    question = Question.of(rules, _history(rules, turns), objective, _number(depth))
    question.weights()
    after = _number(mde)
    last = question.max_turns
    if after is not None and last is not None and after < last - 2:
        question = replace(question, mde=after)
    return Line(question, mde, _number(beta), comment)


def _number(word: str) -> int | None:
    if word == "-":
        return None
    if not (word.isascii() and word.isdigit()):
        raise JobLineError(f"{word[:20]!r} is no number from 0 on, nor -")
    if len(word) > _DIGITS:
        raise JobLineError(f"{word[:20]}... is too large")
    return int(word)


def _history(rules: Rules, text: str) -> History:
    if text == "start":
        return History(rules)
    history = []
    for word in text.split("+"):
        match = _TURN.fullmatch(word)
        if match is None:
            raise JobLineError(f"{word!r} is no turn such as 0123(0,1)")
        answer = rules.answer_index(int(match[2]), int(match[3]))
        history.append((rules.parse_code(match[1]), answer))
    return History(rules, tuple(history))


def _turns(question: Question) -> str:
    rules = question.rules
    turns = [
        f"{rules.text(guess)}({rules.answers[answer].bulls},{rules.answers[answer].cows})"
        for guess, answer in question.history
    ]
    return "+".join(turns) or "start"


@dataclass(frozen=True)
class Overview:
    """Progress of a list of jobs."""

    counts: Mapping[str, int]
    """The number of tasks in each state; a job that was not begun counts as one waiting task."""
    seconds: float
    """The processor time of all results."""
    left: float | None
    """The processor time that known tasks may still take; None if nothing is done."""
    jobs: Sequence[tuple[Line, Task | None]]
    """The list in order, each job with its row in the store."""
    failed: Sequence[Task]
    """The tasks that were given up."""

    @classmethod
    def of(cls, store: Store) -> Overview:
        """Read a store; raise `JobsError` if it can't be read, or is damaged."""
        tasks = store.tasks()
        jobs = listed(store)
        counts = Counter(task.state for task in tasks)
        counts[WAITING] += len({line.question.key for line, task in jobs if task is None})
        return cls(
            {state: counts[state] for state in STATES},
            round(sum(task.seconds for task in tasks), 3),
            seconds_left(tasks),
            jobs,
            [task for task in tasks if task.state == FAILED],
        )

    @property
    def open(self) -> list[tuple[Line, Task | None]]:
        """The jobs that have no answer yet."""
        return [job for job in self.jobs if job[1] is None or not job[1].settles(job[0].budget)]

    @property
    def rate(self) -> float | None:
        """The number of tasks done per minute of processor time; None if none is done."""
        done = self.counts[DONE]
        return 60 * done / self.seconds if done and self.seconds else None


def first_bounds(line: Line, task: Task) -> Bounds:
    """Return the bounds of a job's strongest criterion; the store has the combined cost."""
    question = line.question
    weights = question.weights()
    answers = len(question.rules.answers)
    if len(weights.levels) < 2:
        return task.bounds
    return first_level(weights, task.bounds, task.estimate, answers, question.turn)


def listed(store: Store) -> list[tuple[Line, Task | None]]:
    """Return the list of a store in order, each job with its row."""
    lines = [Line.parse(text) for text in store.jobs()]
    return [(line, store.get(line.question.key)) for line in lines]
