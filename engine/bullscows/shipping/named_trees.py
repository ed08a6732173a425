"""Trees by the names of strategies, from any position.

Compiled searches are imported where they are used, so that one-step rules work without numba.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from bullscows.errors import did_you_mean
from bullscows.game import arguments
from bullscows.game.duel import Lengths
from bullscows.game.history import Played
from bullscows.game.objective import Objective
from bullscows.game.question import Question
from bullscows.game.rules import CodeIndex, Rules
from bullscows.strategies.least_frequent import LEAST_FREQUENT
from bullscows.strategies.narrowed import best_of_ties, k_way
from bullscows.strategies.one_step import HEURISTICS, RULES
from bullscows.tree.files import POSSIBLES_ONLY, read_tree
from bullscows.tree.nodes import Candidates
from bullscows.tree.storage import checkpoint_path, default_folder, load_record, tree_files
from bullscows.tree.strategy_tree import Choose, StrategyError, StrategyTree

if TYPE_CHECKING:
    from bullscows.search.executor import Cluster
    from bullscows.strategies.random_candidate import ExpectedLengths

RANDOM_CANDIDATE = "random-candidate"
LARMOUTH_ALL = "larmouth-all"


FAMILIES = ("goel-garg-human[-place][-met][-worded]", "kwb-1, kwb-2, ...", "beam-1, ...")
"""Names of many strategies."""


@dataclass(frozen=True)
class BuildOptions:
    """Resources of a strategy's search; the tree does not depend on them."""

    threads: int = 1
    """The number of threads of a search."""
    folder: Path | None = None
    """The folder in which an interrupted search keeps its work for the next one; None: nowhere."""
    progress: Callable[[Any], None] | None = None
    """Function that is called with a line about the progress, or the `Progress` of a search."""
    cluster: Cluster | None = None
    """The workers that search for exact trees, instead of threads."""
    trees: Path | None = None
    """A folder of trees whose checkpoints and bounds count too, not only the shipped ones."""

    @property
    def tree_folders(self) -> list[Path]:
        """The folders of trees that may have checkpoints and bounds: `trees`, the shipped ones."""
        return [folder for folder in (self.trees, default_folder()) if folder is not None]

    def checkpoint(self) -> Path | None:
        """Return the file of a search in the folder, which is made if it is missing."""
        if self.folder is None:
            return None
        self.folder.mkdir(parents=True, exist_ok=True)
        return self.folder / "checkpoint.json"


_Make: TypeAlias = Callable[..., StrategyTree]
"""Makes the tree of a question, given the options and the numbers in its name."""


def strategy_tree(
    game: Rules | str,
    name: str,
    options: BuildOptions | None = None,
    *,
    history: Played = (),
    first: CodeIndex | str | None = None,
) -> StrategyTree:
    """Return the tree that follows a named strategy, throughout or from a position on.

    Examples
    --------
    >>> strategy_tree("p3c6r", "crush").total
    866
    >>> strategy_tree("p3c6r", "crush", history="012:1.0").distribution
    (0, 0, 4, 33, 11)

    Parameters
    ----------
    game
        The game, or its text.
    name
        One of `names`; ``kwb-K``: Chen's k-way branching; ``beam-K``, ``beam-K-N``: a beam of K
        guesses above solved positions of up to N candidates; ``checkpoint``: the best tree that the
        checkpoint of the game in the folder of trees knows.
    options
        Resources of a search, and its progress.
    history, first
        The turns so far, and the next guess if it is given.

    Returns
    -------
    StrategyTree
        The tree of the strategy.

    Raises
    ------
    StrategyError
        If no strategy has this name, or it has no tree (`expected_lengths`), or a hybrid cannot
        find every secret within its turns.
    HistoryError, SearchError, TreeError
        If the position or the guess makes no sense.
    """
    arguments.text("name", name, "larmouth")
    if options is not None:
        arguments.instance("options", options, BuildOptions, "BuildOptions, or None")
    if name == RANDOM_CANDIDATE:
        raise StrategyError(f"{name} draws its guesses, so it has no tree, only expected lengths")
    make, numbers = _made_by(name)
    return make(_asked(game, history, first), options or BuildOptions(), *numbers)


def expected_lengths(
    game: Rules | str, *, history: Played = (), first: CodeIndex | str | None = None
) -> ExpectedLengths:
    """Return the expected distribution of ``random-candidate``, or raise `GameTooLargeError`."""
    from bullscows.strategies.random_candidate import RandomCandidate, check_size

    question = _asked(game, history, first)
    check_size(question.rules, len(question.candidates))
    strategy = RandomCandidate(question.rules)
    return strategy.lengths(_candidates(question), question.history.turns, question.first)


def _asked(game: Rules | str, history: Played, first: CodeIndex | str | None) -> Question:
    """Return the position from which a strategy plays, which some code fits."""
    number = None if first is None else Rules.of(game).number(first, "first")
    return Question.of(game, history, first=number).consistent()


def _candidates(question: Question) -> Candidates:
    return tuple(question.candidates.tolist())


def _grown(question: Question, choose: Choose) -> StrategyTree:
    """Return the tree of a position that follows `choose`, after the next guess if it is given."""
    return StrategyTree.grow(
        question.rules,
        choose,
        candidates=_candidates(question),
        path=question.history.turns,
        first=question.first,
    )


def names() -> list[str]:
    """Return the names of all strategies that have no number in theirs."""
    from bullscows.strategies.hybrids import HYBRIDS

    return [*HEURISTICS, LARMOUTH_ALL, RANDOM_CANDIDATE, POSSIBLES_ONLY, *HYBRIDS]


def _made_by(name: str) -> tuple[_Make, list[int]]:
    """Return what makes the tree of a name, and the numbers in the name."""
    for pattern, make in KINDS.items():
        found = re.fullmatch(pattern, name)
        if found is not None:
            return make, [int(number) for number in found.groups() if number is not None]
    if rule := HEURISTICS.get(name) or LEAST_FREQUENT.get(name):
        return lambda asked, _: _grown(asked, lambda *at: rule.choose(asked.rules, *at)), []
    from bullscows.strategies.hybrids import HYBRIDS

    if name in HYBRIDS:
        return lambda asked, _: _hybrid(asked, name), []
    known = [*names(), *FAMILIES]
    raise StrategyError(
        f"unknown strategy {name[:40]!r}"
        + (did_you_mean(name, known) or f"; known are {', '.join(known)}")
    )


def _hybrid(question: Question, name: str) -> StrategyTree:
    from bullscows.strategies.hybrids import HYBRIDS, HybridSearch

    search = HybridSearch(question.rules, HYBRIDS[name])
    return search.tree(question.history.turns, question.first)


def _possibles_only(question: Question, options: BuildOptions) -> StrategyTree:
    """Return a tree of the fewest turns; of such trees one with the fewest secrets at its last."""
    tree = _of_candidates(question, options, "average", None)
    depth = tree.depth + 1
    while tree.depth < depth:
        depth = tree.depth
        tree = _of_candidates(question, options, "average,last", depth)
    return tree


def _of_candidates(
    asked: Question, options: BuildOptions, objective: str, max_turns: int | None
) -> StrategyTree:
    """Return the best tree of those that guess candidates only."""
    from bullscows.search.solver import solve

    aim = Objective.parse(objective)
    question = replace(asked, objective=aim, max_turns=max_turns, candidates_only=True)
    solution = solve(question, threads=options.threads)
    if not solution.optimal:
        raise KeyboardInterrupt
    return solution.tree()


def _beam(question: Question, options: BuildOptions, width: int, solved: int = 0) -> StrategyTree:
    from bullscows.search.checkpoint import Checkpoint
    from bullscows.strategies.beam import SOLVED, BeamSearch

    file = options.checkpoint()
    checkpoint = None if file is None else Checkpoint(file, replace(question, first=None))
    beam = BeamSearch(
        question.rules,
        width,
        solved or SOLVED,
        threads=options.threads,
        checkpoint=checkpoint,
        progress=options.progress,
    )
    with nullcontext() if checkpoint is None else checkpoint.saved_at_end():
        return beam.tree(_candidates(question), question.history.turns, question.first)


def _of_checkpoint(question: Question, options: BuildOptions) -> StrategyTree:
    from bullscows.search.checkpoint import total_question
    from bullscows.search.from_checkpoint import best_tree

    rules = question.rules
    if question.history or question.first is not None:
        raise StrategyError("checkpoint is the strategy of a whole game: leave out the guesses")
    paths = [checkpoint_path(rules, folder) for folder in options.tree_folders]
    path = next(filter(Path.exists, paths), None)
    if path is None:
        raise StrategyError(f"there is no checkpoint of {rules} to take the strategy from")
    return best_tree(
        total_question(path, rules),
        checkpoint=path,
        threads=options.threads,
        progress=options.progress,
    )


def players(rules: str, folder: Path) -> dict[str, Lengths]:
    """Return the distributions of a folder's trees of a game, and of the one-step strategies."""
    lengths: dict[str, Lengths] = {}
    for path in tree_files(folder):
        stated = load_record(path)  # anything else is reported by `read_tree`
        if isinstance(stated, dict) and stated.get("rules", rules) != rules:
            continue
        file = read_tree(path)
        if file.record.objective not in HEURISTICS:
            lengths[file.name] = file.tree.distribution
    lengths.update((name, strategy_tree(rules, name).distribution) for name in HEURISTICS)
    return lengths


KINDS: dict[str, _Make] = {
    "checkpoint": _of_checkpoint,
    LARMOUTH_ALL: lambda asked, _: _grown(
        asked, best_of_ties(asked.rules, RULES["larmouth"]).choose
    ),
    POSSIBLES_ONLY: _possibles_only,
    r"kwb-([1-9][0-9]{0,3})": lambda asked, _, ways: _grown(asked, k_way(asked.rules, ways).choose),
    r"beam-([1-9][0-9]{0,3})(?:-([1-9][0-9]{0,4}))?": _beam,
}
"""The functions that make trees, by pattern of the name; one-step rules and hybrids have tables."""
