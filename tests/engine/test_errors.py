"""One root of the engine's errors: who derives from it, and how they travel."""

import importlib
import pickle
import pkgutil

import pytest

import bullscows
from bullscows.errors import EngineError
from bullscows.game.history import InconsistentError
from bullscows.game.question import Question
from bullscows.game.response_table import GameTooLargeError
from bullscows.game.result import TooFewTurnsError
from bullscows.game.rules import CodeError, Rules
from bullscows.search.executor import ClusterError
from bullscows.tree.codec import TruncatedError
from bullscows.tree.proof_checker import ProofError

RULES = Rules.parse("p3c4n")


def _defined() -> set[type[Exception]]:
    """Return every exception class that a module of the engine defines."""
    found = set()
    for module in pkgutil.walk_packages(bullscows.__path__, "bullscows."):
        if module.name.endswith("__main__"):
            continue
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, type) and issubclass(value, Exception):
                found.add(value)
    return {error for error in found if error.__module__.startswith("bullscows.")}


def test_every_error_has_the_root_and_the_builtin_it_resembles() -> None:
    errors = _defined() - {EngineError, ProofError}  # the checker imports nothing of the engine
    assert {CodeError, ClusterError, TruncatedError} <= errors
    builtins = (ValueError, TypeError, OSError, LookupError, MemoryError, RuntimeError)
    assert [error for error in errors if not issubclass(error, EngineError)] == []
    assert [error for error in errors if not issubclass(error, builtins)] == []


@pytest.mark.parametrize(
    "error",
    [
        CodeError("invalid code '0120'"),
        TruncatedError("the text ends at 7", 7),
        GameTooLargeError(Rules.parse("p8c8r")),
        InconsistentError(((0, 0),), RULES),
        TooFewTurnsError(Question.of(RULES, max_turns=2)),
        ClusterError("the Dask scheduler went away"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_cross_processes(error: EngineError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert copy.args == error.args
    assert vars(copy).keys() == vars(error).keys()
    assert getattr(copy, "position", None) == getattr(error, "position", None)
