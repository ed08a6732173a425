"""Trees by the names of strategies, from any position, and by those of shipped trees.

Compiled searches are imported where they are used, so that one-step rules work without numba.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from bullscows.errors import did_you_mean
from bullscows.game import arguments
from bullscows.game.duel import Lengths
from bullscows.game.history import History, InconsistentError, Played, candidates
from bullscows.game.question import Question
from bullscows.game.rules import CodeIndex, Rules
from bullscows.shipping.catalogue import CHECKPOINTS, TreeSpec, proved_lower
from bullscows.strategies.least_frequent import LEAST_FREQUENT
from bullscows.strategies.narrowed import best_of_ties, k_way
from bullscows.strategies.one_step import HEURISTICS, RULES
from bullscows.tree.files import POSSIBLES_ONLY, TreeRecord, read_tree
from bullscows.tree.nodes import Candidates
from bullscows.tree.storage import default_folder, load_record, tree_files
from bullscows.tree.strategy_tree import Choose, StrategyError, StrategyTree

if TYPE_CHECKING:
    from bullscows.search.executor import Cluster
    from bullscows.search.position import Progress
    from bullscows.search.solution import Solution
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
    progress: Callable[[str], None] | None = None
    """Function that is called with a line about the progress."""
    cluster: Cluster | None = None
    """The workers that search for exact trees, instead of threads."""

    def checkpoint(self) -> Path | None:
        """Return the file of a search in the folder, which is made if it is missing."""
        if self.folder is None:
            return None
        self.folder.mkdir(parents=True, exist_ok=True)
        return self.folder / "checkpoint.json"


@dataclass(frozen=True)
class Start:
    """The position from which a strategy plays."""

    history: History
    """The game, and the guesses and answers so far, which some code fits."""
    candidates: Candidates
    first: CodeIndex | None = None
    """The next guess, if the strategy does not choose it."""
    options: BuildOptions = BuildOptions()

    @classmethod
    def of(
        cls,
        game: Rules | str,
        history: Played = (),
        first: CodeIndex | str | None = None,
        options: BuildOptions | None = None,
    ) -> Start:
        """Return the start of a game, or of a position in it.

        Raises `RulesError`, `HistoryError`, `CodeError`, `AnswerError` if a text can't be read;
        `InconsistentError` if no code fits the turns.
        """
        played = History.of(game, history)
        guess = None if first is None else played.rules.number(first, "first")
        left: Candidates = tuple(candidates(played.rules, played).tolist())
        if not left:
            raise InconsistentError(played, played.rules)
        return cls(played, left, guess, options or BuildOptions())

    @property
    def rules(self) -> Rules:
        """The game."""
        return self.history.rules

    def grown(self, choose: Choose) -> StrategyTree:
        """Return the tree that begins here and follows `choose`, after the first guess if given."""
        return StrategyTree.grow(
            self.rules,
            choose,
            candidates=self.candidates,
            path=self.history.turns,
            first=self.first,
        )


_Make: TypeAlias = Callable[..., StrategyTree]
"""Makes the tree from a start, and the numbers in its name."""


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
        Threads and progress.
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
    return make(Start.of(game, history, first, options), *numbers)


def expected_lengths(
    game: Rules | str, *, history: Played = (), first: CodeIndex | str | None = None
) -> ExpectedLengths:
    """Return the expected distribution of ``random-candidate``, or raise `GameTooLargeError`."""
    from bullscows.strategies.random_candidate import RandomCandidate, check_size

    start = Start.of(game, history, first)
    check_size(start.rules, len(start.candidates))
    strategy = RandomCandidate(start.rules)
    return strategy.lengths(start.candidates, start.history.turns, start.first)


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
        return lambda start: start.grown(lambda *given: rule.choose(start.rules, *given)), []
    from bullscows.strategies.hybrids import HYBRIDS

    if name in HYBRIDS:
        return lambda start: _hybrid(start, name), []
    known = [*names(), *FAMILIES]
    raise StrategyError(
        f"unknown strategy {name[:40]!r}"
        + (did_you_mean(name, known) or f"; known are {', '.join(known)}")
    )


def _hybrid(start: Start, name: str) -> StrategyTree:
    from bullscows.strategies.hybrids import HYBRIDS, HybridSearch

    return HybridSearch(start.rules, HYBRIDS[name]).tree(start.history.turns, start.first)


def _possibles_only(start: Start) -> StrategyTree:
    """Return a tree of the fewest turns; of such trees one with the fewest secrets at its last."""
    tree = _of_candidates(start, "average", None)
    depth = tree.depth + 1
    while tree.depth < depth:
        depth = tree.depth
        tree = _of_candidates(start, "average,last", depth)
    return tree


def _of_candidates(start: Start, objective: str, max_turns: int | None) -> StrategyTree:
    """Return the best tree of those that guess candidates only."""
    question = Question.of(
        start.rules,
        start.history,
        objective,
        max_turns,
        first=start.first,
        candidates_only=True,
    )
    tree = _proved(question, BuildOptions(start.options.threads)).tree()
    guesses = {node.candidates: node.guess for node in tree.nodes}
    return start.grown(lambda left, _: guesses[left])


def _proved(
    question: Question,
    options: BuildOptions,
    progress: Callable[[Progress], None] | None = None,
) -> Solution:
    """Return the proved solution of a question; raise `StrategyError` if it has no strategy."""
    from bullscows.search.solver import solve

    solution = solve(
        question,
        threads=options.threads,
        progress=progress,
        checkpoint=options.checkpoint(),
        cluster=options.cluster,
    )
    if solution.feasible is False:
        raise StrategyError(f"{question}: no strategy finds every secret within the turns")
    if not solution.optimal:
        raise KeyboardInterrupt
    return solution


def _beam(start: Start, width: int, solved: int = 0) -> StrategyTree:
    from bullscows.search.checkpoint import Checkpoint
    from bullscows.strategies.beam import SOLVED, BeamSearch

    options = start.options
    file = options.checkpoint()
    asked = Question.of(start.rules, start.history)
    checkpoint = None if file is None else Checkpoint(file, asked)
    beam = BeamSearch(
        start.rules,
        width,
        solved or SOLVED,
        threads=options.threads,
        checkpoint=checkpoint,
        progress=options.progress,
    )
    with nullcontext() if checkpoint is None else checkpoint.saved_at_end():
        return beam.tree(start.candidates, start.history.turns, start.first)


def _of_checkpoint(start: Start) -> StrategyTree:
    from bullscows.search.from_checkpoint import best_tree

    if start.history or start.first is not None:
        raise StrategyError("checkpoint is the strategy of a whole game: leave out the guesses")
    path = default_folder() / CHECKPOINTS / f"{start.rules}.json"
    if not path.exists():
        raise StrategyError(f"there is no checkpoint of {start.rules} to take the strategy from")
    return best_tree(
        Question.of(start.rules),
        checkpoint=path,
        threads=start.options.threads,
        progress=start.options.progress,
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
    LARMOUTH_ALL: lambda start: start.grown(best_of_ties(start.rules, RULES["larmouth"]).choose),
    POSSIBLES_ONLY: _possibles_only,
    r"kwb-([1-9][0-9]{0,3})": lambda start, ways: start.grown(k_way(start.rules, ways).choose),
    r"beam-([1-9][0-9]{0,3})(?:-([1-9][0-9]{0,4}))?": _beam,
}
"""The functions that make trees, by pattern of the name; one-step rules and hybrids have tables."""


# -- shipped trees ---------------------------------------------------------------------------------


def build_record(
    spec: TreeSpec,
    options: BuildOptions | None = None,
    *,
    progress: Callable[[Progress], None] | None = None,
) -> TreeRecord:
    """Build and describe a shipped tree.

    Raises `StrategyError` if no strategy finds every secret within the turns, or the last turn is
    not the one that the catalogue states. Raises `KeyboardInterrupt` if the search was interrupted.
    """
    options = options or BuildOptions()
    if spec.is_optimal:
        tree = _optimal_tree(spec, options, progress)
    else:
        tree = strategy_tree(Rules.parse(spec.rules), spec.objective, options)
    return TreeRecord.of(
        tree,
        objective=spec.objective,
        max_turns=spec.max_turns,
        proof=spec.proof,
        lower=tree.total if spec.is_least else proved_lower(spec, default_folder()),
    )


def _optimal_tree(
    spec: TreeSpec, options: BuildOptions, progress: Callable[[Progress], None] | None
) -> StrategyTree:
    """Return the tree of the one search that proves an exact one.

    If the cap costs no turns, the search has none: it minimises the total, then the secrets found
    after the cap, then those at the cap. If none are found after it, the tree is optimal for
    ``average,last`` under the cap too, because every optimal strategy ends by then.
    """
    question = Question.of(spec.rules, (), spec.objective, spec.max_turns)
    if spec.is_least and spec.max_turns is not None:
        late = f"average,from:{spec.max_turns + 1},from:{spec.max_turns}"
        question = Question.of(spec.rules, (), late)
    solution = _proved(question, options, progress)
    tree = solution.tree()
    if tree.cost((0, *solution.weights.values)) != solution.cost.upper:
        raise RuntimeError(f"the tree of {spec.name} does not cost what was proven")
    if spec.is_least and tree.depth != spec.max_turns:
        raise StrategyError(
            f"{spec.name} takes {tree.total} turns, the last of them turn {tree.depth}:"
            f" the catalogue says {spec.max_turns}"
        )
    return tree
