"""Games judged turn by turn: what each guess cost, and what luck its answer was, both in turns.

The *expected length* of a game is the mean turn at which the best guesses find the code, over all
codes still possible.  A guess raises it by the guess's *loss*, whatever the answer.  The answer
then lowers it by its *luck*, or raises it if the luck is negative.  Over all codes still possible,
the mean luck of an answer is 0.  So the numbers of a finished game add up: the expected length at
the start, plus all losses, minus all luck, is the turn at which the code was found.

Every page that shows skill or luck shows these numbers, and a guess without an exact value has no
luck.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from bullscows.analysis.analyst import checked, is_searched
from bullscows.analysis.evaluation import Evaluation
from bullscows.game.history import History, Split, split, splits
from bullscows.game.question import Question
from bullscows.game.rules import AnswerIndex, CodeIndex
from bullscows.game.scoring import Answer
from bullscows.game.timer import Timer
from bullscows_web.review.reasons import Shortfall, shortfall
from bullscows_web.search.searcher import Searcher
from bullscows_web.search.service import cost
from bullscows_web.trees.links import position_path

SHARE = 0.6
"""Share of a search's time for the games on one page; a reload continues the search."""


@dataclass(frozen=True)
class Judgement:
    """A guess in a position, held against the best guess that is known there."""

    evaluation: Evaluation
    """The guess, and bounds on its cost."""
    best: Split
    """The best guess that is known."""
    shortfall: Shortfall | None
    """Advantage of the best guess; None if it is not known to be better."""

    @classmethod
    def of(cls, evaluation: Evaluation, best: Split) -> Judgement:
        """Hold an evaluated guess against the best one; looks at all candidates."""
        loss = evaluation.shown_loss
        is_worse = loss is not None and loss[0] > 0
        return cls(evaluation, best, shortfall(evaluation, best) if is_worse else None)

    @property
    def guess(self) -> str:
        """The guess as it is written."""
        return self.evaluation.guess_text

    @property
    def split(self) -> Split:
        """How the guess parts the codes."""
        return self.evaluation.split

    @property
    def remaining(self) -> int:
        """How many codes were possible before the guess."""
        return self.split.remaining

    @property
    def loss(self) -> tuple[float, float] | None:
        """Bounds on the mean number of turns that the guess costs; None if unknown."""
        return self.evaluation.shown_loss

    @property
    def worst(self) -> tuple[Answer, int]:
        """The answer that leaves most codes, and how many."""
        answer, count = max(self.split.parts, key=lambda part: part[1])
        return self.evaluation.question.rules.answers[answer], count

    @property
    def better(self) -> str:
        """The better guess; empty if there is none, or if that is not known."""
        return self.evaluation.question.rules.text(self.best.guess) if self.shortfall else ""

    @property
    def lengths(self) -> tuple[float, float] | None:
        """The expected length of the game before and after the guess; None unless exact."""
        best = self.evaluation.best
        own = self.evaluation.bounds
        if best is None or own is None or not (best.exact and own.exact):
            return None
        return best.lower / self.remaining, own.lower / self.remaining


@dataclass(frozen=True)
class ReviewedTurn(Judgement):
    """A turn of a game."""

    answer: AnswerIndex
    """The answer to the guess."""
    luck: float | None = None
    """The turns that the answer saved, negative if it cost turns; None unless exact."""
    hardest: tuple[Answer, float] | None = None
    """Of a guess that is not the best: the answer after which the best guesses take most turns, and
    their mean length of the game; None unless that is proved for all answers."""
    tried: Judgement | None = None
    """Another guess that the visitor tries in its place."""

    @property
    def before(self) -> History:
        """The turns before it."""
        return self.evaluation.question.history

    @property
    def number(self) -> int:
        """1 for the first."""
        return len(self.before) + 1

    @property
    def given(self) -> Answer:
        """The answer as bulls and cows."""
        return self.before.rules.answers[self.answer]

    @property
    def is_hit(self) -> bool:
        """Whether the guess found the code."""
        return self.answer == self.before.rules.win

    @property
    def left(self) -> int:
        """How many codes the answer left; a hit leaves none to guess."""
        return 0 if self.is_hit else dict(self.split.parts)[self.answer]

    @property
    def expected_left(self) -> float:
        """How many codes the guess leaves on average, counted in the same way."""
        return self.split.expected - self.split.is_candidate / self.remaining

    @property
    def position(self) -> str:
        """The path of the analysis of the position in which the guess was made."""
        return position_path(self.before)


@dataclass(frozen=True)
class ReviewedGame:
    """The turns of one player."""

    history: History
    """All turns."""
    turns: Sequence[ReviewedTurn]
    """Those that were reviewed."""
    is_computer: bool = False
    """Whether the computer guessed."""

    @property
    def is_found(self) -> bool:
        """Whether the last guess found the code."""
        return self.turns[-1].is_hit

    @property
    def lost(self) -> tuple[float, float] | None:
        """Bounds on the turns that all guesses together cost; None if one of them is unknown."""
        losses = [turn.loss for turn in self.turns]
        known = [loss for loss in losses if loss is not None]
        if len(known) < len(losses):
            return None
        return sum(least for least, _ in known), sum(most for _, most in known)

    @property
    def worst(self) -> ReviewedTurn | None:
        """The turn whose guess cost most, if any is known to have cost anything."""
        costly = [turn for turn in self.turns if turn.better]
        return max(costly, key=lambda turn: turn.loss or (0.0, 0.0), default=None)

    @cached_property
    def won_by_luck(self) -> float | None:
        """The turns that lucky answers saved, negative if they cost turns; None if unknown."""
        start = self.turns[0].lengths
        lost = self.lost
        if start is None or lost is None or lost[0] != lost[1] or not self.is_found:
            return None
        return start[0] + lost[0] - len(self.turns)

    @property
    def is_final(self) -> bool:
        """Whether each loss is exact, or will not be searched for."""
        return all(turn.evaluation.is_settled for turn in self.turns)


@dataclass(frozen=True)
class Game:
    """A game to review."""

    history: History
    is_computer: bool = False
    """Whether the computer guessed."""
    tried: Mapping[int, CodeIndex] = field(default_factory=dict)
    """Other guesses to judge, by their turns."""
    only: int = 0
    """The only turn to show; 0 for all."""

    @property
    def cost(self) -> int:
        """The cost of its review: each turn has a guess to evaluate."""
        return cost(self.history, len(self.history) + len(self.tried))


def review(searcher: Searcher, games: Sequence[Game], share: float = SHARE) -> list[ReviewedGame]:
    """Review games in a share of a search's time together.

    Raises `InconsistentError` if no code fits all answers of one.
    """
    seconds = share * searcher.seconds
    return [_reviewed(searcher, game, seconds / len(games)) for game in games]


def _reviewed(searcher: Searcher, game: Game, seconds: float) -> ReviewedGame:
    """Review a game, or one of its turns and the one after it, on which its luck depends.

    The last turns come first: they are proved soonest, and the first ones may use what time is
    left.
    """
    timer = Timer(seconds)
    history = game.history
    checked(Question.of(history.rules, history))
    questions = Question.of(history.rules, history).before()
    last = min(game.only + 1, len(history)) if game.only else len(history)
    turns: list[ReviewedTurn] = []
    for number in range(last, max(game.only, 1) - 1, -1):
        guess, answer = history[number - 1]
        guesses = [guess, *([game.tried[number]] if number in game.tried else [])]
        found, *others = _judged(searcher, questions[number - 1], guesses, timer)
        luck = None
        if found.lengths and answer == history.rules.win:
            luck = found.lengths[1] - number
        elif found.lengths and turns and turns[-1].lengths:
            luck = found.lengths[1] - turns[-1].lengths[0]
        hardest = _hardest(searcher, found) if found.better and found.evaluation.levels else None
        own = found.evaluation
        tried = others[0] if others else None
        best = found.best
        turns.append(ReviewedTurn(own, best, found.shortfall, answer, luck, hardest, tried))
    return ReviewedGame(history, turns[::-1], game.is_computer)


def _hardest(searcher: Searcher, judged: Judgement) -> tuple[Answer, float] | None:
    """Return the answer to a guess that takes most turns, by what the evaluation has proved."""
    question = judged.evaluation.question
    found = []
    for answer, _ in judged.split.parts:
        mean = searcher.analysis(question.then(judged.split.guess, answer), 0.0).mean
        if mean is None:
            return None
        found.append((question.rules.answers[answer], mean))
    return max(found, key=lambda each: each[1])


def _judged(
    searcher: Searcher, question: Question, guesses: Sequence[CodeIndex], timer: Timer
) -> list[Judgement]:
    """Hold guesses in a position against the best guess known there."""
    if not (is_searched(question) or searcher.tablebase.look_up(question)):
        parted = splits(question.rules, question.candidates, guesses)
        unknown = [Evaluation(question, split, is_refused=True) for split in parted]
        return [Judgement(one, one.split, None) for one in unknown]
    known = searcher.analysis(question, timer.share(0.5)).required()
    evaluations = searcher.evaluations(known, guesses, timer.share())
    best = split(question.rules, question.candidates, known.guess)
    return [Judgement.of(evaluation, best) for evaluation in evaluations]
