"""What the pages show of games in which only the visitor guesses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from bullscows.game.candidates import MAX_HISTORY
from bullscows.game.history import History
from bullscows.game.rules import CodeIndex, Rules
from bullscows_web.duel.kept.game import Kept
from bullscows_web.duel.pages import OfGame, past
from bullscows_web.guess.known_symbols import KnownSymbols
from bullscows_web.guess.prices import PricedTurns
from bullscows_web.guess.typed_guess import GuessError
from bullscows_web.trees.pages import PastTurn
from bullscows_web.trees.position import LISTED
from bullscows_web.web.pictures.field import Field


@dataclass(frozen=True)
class CodePage(OfGame):
    """Where a visitor writes a code for a friend, or takes the link to it."""

    rules: Rules
    """The game."""
    typed: str = ""
    """What was written, if that is no code."""
    error: GuessError | None = None
    """What is wrong with it."""
    link: str = ""
    """The path that the friend gets."""


@dataclass(frozen=True)
class KeptPage(OfGame):
    """A game in which only the visitor guesses."""

    game: Kept
    """The game."""
    base: str
    """Its path without moves."""
    dodging: bool
    """Whether the keeper has no code."""
    least: int = 0
    """The turns that some tree needs at most, whatever is answered."""
    code: CodeIndex | None = None
    """What the friend sealed; the dodging keeper has none."""
    typed: str = ""
    """What the visitor wrote, if that is no new turn."""
    error: GuessError | None = None
    """What is wrong with it."""

    @property
    def rules(self) -> Rules:  # type: ignore[override]
        """The game."""
        return self.game.rules

    @property
    def told(self) -> str | None:
        """The code, once the game is over; None before, and if there was none to find."""
        code = self.game.history[-1][0] if self.game.is_found else self.code
        return self.rules.text(code) if self.game.is_over and code is not None else None

    @cached_property
    def turns(self) -> list[PastTurn]:
        """The turns so far."""
        return past(self.game.history)

    @property
    def turn(self) -> int:
        """The number of the next guess; of a game that is over, of the last."""
        return len(self.game.history) + (not self.game.is_over)

    @property
    def field(self) -> Field:
        """The codes that fit, as a picture."""
        return Field.after(self.game.history)

    @cached_property
    def known(self) -> KnownSymbols:
        """Which symbols the answers exclude, and which they make certain."""
        return KnownSymbols.of(self.rules, self.game.left)

    @property
    def listed(self) -> list[str] | None:
        """The codes that fit, if they are few enough to list."""
        left = self.game.left
        return [self.rules.text(code) for code in left.tolist()] if len(left) <= LISTED else None

    @property
    def here(self) -> str:
        """The path of the game."""
        return self.to(len(self.game.history))

    def to(self, turn: int) -> str:
        """Return the path of the game after so many of its turns."""
        moves = Kept(History(self.rules, self.game.history[:turn])).moves(dodging=self.dodging)
        return "/".join(filter(None, (self.base, moves)))

    @property
    def moves(self) -> str:
        """The turns, as they stand in the address."""
        return self.game.moves(dodging=self.dodging)

    @property
    def prices_path(self) -> str:
        """The path of what the guesses cost; nothing if there are too many, or none."""
        return f"{self.here}/prices" if 0 < len(self.game.history) <= MAX_HISTORY else ""


@dataclass(frozen=True)
class KeptPricesPage(PricedTurns, KeptPage):
    """What the guesses of such a game cost."""

    @property
    def address(self) -> str:
        """The path of the page itself."""
        return self.prices_path
