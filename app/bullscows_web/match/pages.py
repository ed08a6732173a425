"""Contexts of the match pages: what one viewer sees, and nothing that they may not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Literal, TypeAlias

import segno
from markupsafe import Markup

from bullscows.game.history import History, remaining_after
from bullscows.game.rules import Rules
from bullscows_web.guess.puzzle import MAX_CODES
from bullscows_web.guess.typed_guess import CodeForm
from bullscows_web.language.catalogues import Language
from bullscows_web.match.rules import MAX_NAME, MAX_PLAYERS, Match, Player, new_token
from bullscows_web.match.service import View
from bullscows_web.review.reviewed import Game, ReviewedGame
from bullscows_web.search.service import MAX_COST
from bullscows_web.trees.custom_game import CustomGame
from bullscows_web.trees.links import review_path
from bullscows_web.trees.pages import GamesPage
from bullscows_web.trees.position import PastTurn
from bullscows_web.web.frame import PollingPage

HIDDEN = "?"
"""Stands for each symbol of a guess that the viewer may not see."""

State: TypeAlias = Literal["over", "invited", "waiting", "playing", "watching"]


@dataclass(frozen=True)
class StartPage(GamesPage, CodeForm):
    """The form of a new match, and the matches of this browser."""

    rules: Rules
    """The game that is chosen."""
    custom: CustomGame
    """The game described by its numbers."""
    open: Sequence[MatchPage] = ()
    """The matches of this browser."""
    token: str = field(default_factory=new_token)
    """Drawn for this form, so that it creates one match if it is sent twice."""
    form: Mapping[str, str] = field(default_factory=dict)
    """The form as it was sent."""
    longest_name: int = MAX_NAME
    most_players: int = MAX_PLAYERS

    @property
    def is_other(self) -> bool:
        """Whether the game is none of those that have a button."""
        return all(game.rules != self.rules for game in self.featured)


@dataclass(frozen=True)
class Side:
    """A player as the viewer sees them."""

    match: Match
    player: Player
    turns: Sequence[PastTurn]
    """Guesses with answers; `HIDDEN` where the viewer may not see a guess."""
    code: str
    """The player's code; empty if the viewer may not see it."""
    is_you: bool

    @property
    def found(self) -> bool:
        """Whether the player found the code."""
        return self.match.found(self.player)

    @property
    def is_connected(self) -> bool:
        """Whether the player's page is open."""
        return self.match.is_connected(self.player)

    @property
    def seconds(self) -> int:
        """Seconds since the player was seen."""
        return max(int(self.match.now - self.player.seen), 1)

    @property
    def history(self) -> History:
        """The guesses with their answers; only for sides whose guesses are shown."""
        return self.match.history_of(self.player)


@dataclass(frozen=True)
class MatchPage(CodeForm):
    """A match as one viewer sees it."""

    view: View
    name: str = ""
    """The name in the form to join."""
    starts: bool = False
    """Whether a player of a race begins before others joined."""
    offers: bool = False
    """Whether the match was offered as a rematch."""
    longest_name: ClassVar[int] = MAX_NAME

    @property
    def match(self) -> Match:
        """The match."""
        return self.view.match

    @property
    def rules(self) -> Rules:
        """The game."""
        return self.match.rules

    @staticmethod
    def qr_code(url: str) -> Markup:
        """Return the QR code of a URL as an SVG, dark on light in both themes."""
        code = segno.make(url, micro=False)
        svg = code.svg_inline(border=2, omitsize=True, dark="#000", light="#fff", svgclass="qr")
        return Markup(svg)

    @property
    def is_race(self) -> bool:
        """Whether all guess one code."""
        return self.match.kind == "race"

    @property
    def is_set(self) -> bool:
        """Whether the creator set the code of a race, and watches."""
        return not self.match.players[0].plays

    @cached_property
    def state(self) -> State:
        """Contents of the page."""
        seat = self.view.seat
        match = self.match
        if match.is_over:
            return "over"
        if seat is None and not match.is_full:
            return "invited"
        if seat is not None and self._is_waiting:
            return "waiting"
        return "playing" if seat is not None and match.may_guess(seat) else "watching"

    @property
    def _is_waiting(self) -> bool:
        match = self.match
        if match.kind == "match":
            return not match.is_full
        others = match.players[1:]
        return not others and not match.players[0].turns and not self.starts

    @cached_property
    def sides(self) -> Sequence[Side]:
        """The players who guess, the viewer first."""
        players = [player for player in self.match.players if player.plays]
        players.sort(key=lambda player: player.seat != self.view.seat)
        return [self._side(player) for player in players]

    @property
    def others(self) -> Sequence[Side]:
        """All players but the viewer, those who watch included."""
        others = [player for player in self.match.players if player.seat != self.view.seat]
        return [self._side(player) for player in others]

    @property
    def winner(self) -> Side | None:
        """The winner."""
        return next((s for s in self.sides if s.player.seat == self.match.winner), None)

    @property
    def to_move(self) -> Side | None:
        """Whose turn it is in a match."""
        return next((s for s in self.sides if s.player.seat == self.match.to_move), None)

    @property
    def creator(self) -> str:
        """The name of the creator; may be empty."""
        return self.match.players[0].name

    def _side(self, player: Player) -> Side:
        code = self.view.secrets.get(player.seat, "")
        is_you = player.seat == self.view.seat
        return Side(self.match, player, self._turns(player), code, is_you)

    def _turns(self, player: Player) -> Sequence[PastTurn]:
        rules = self.rules
        shown = [self.view.guess_of(player, turn) for turn in player.turns]
        left = [0] * len(shown)
        if all(shown) and rules.size <= MAX_CODES:
            left = remaining_after(self.match.history_of(player))
        turns = zip(player.turns, shown, left, strict=True)
        return [
            PastTurn(
                number, guess or HIDDEN * rules.positions, rules.answers[turn.answer], remaining
            )
            for number, (turn, guess, remaining) in enumerate(turns, start=1)
        ]

    @property
    def code(self) -> str:
        """The code of the race, or the viewer's own; empty if the viewer may not see it."""
        owner = 0 if self.is_race else self.view.seat
        return "" if owner is None else self.view.secrets.get(owner, "")

    @property
    def turn(self) -> int:
        """The number of the viewer's next guess."""
        return len(self.view.you.turns) + 1 if self.view.you else 1

    @property
    def last_turn(self) -> PastTurn | None:
        """The viewer's last turn."""
        turns = self.sides[0].turns if self.view.you and self.sides else ()
        return turns[-1] if turns else None

    @property
    def can_invite(self) -> bool:
        """Whether the viewer is a player of a match with a free seat."""
        return self.view.seat is not None and not (self.match.is_full or self.match.is_over)

    @property
    def is_last_guess(self) -> bool:
        """Whether the opponent has found the code, and this guess is the last one."""
        opponent = self.view.opponent
        return opponent is not None and self.match.found(opponent)

    @property
    def here(self) -> str:
        """The path of the match."""
        return f"/match/{self.match.id}"

    @property
    def result(self) -> Literal["won", "lost", "drawn", ""]:
        """How it ended for the viewer; empty for those who did not play, and if nobody won."""
        if self.view.you is None or not self.view.you.plays:
            return ""
        if self.match.reason == "draw":
            return "drawn"
        if self.match.winner is None:
            return ""
        return "won" if self.match.winner == self.view.seat else "lost"

    @property
    def review_path(self) -> str:
        """Path of the review of both sides; empty for races, and without or with too many turns."""
        if len(self.sides) != 2 or self.view.you is None or self.is_race:
            return ""
        mine, theirs = (side.history for side in self.sides)
        if Game(mine).cost + Game(theirs).cost > MAX_COST:
            return ""
        return review_path(mine, theirs, self.here)

    def review_of(self, side: Side) -> str:
        """Return the path of the review of one player; empty without or with too many turns."""
        return review_path(side.history, History(self.rules), self.here)

    @property
    def reviewable(self) -> Sequence[Side]:
        """The players whose guesses can be reviewed when the match is over."""
        return [side for side in self.sides if self.review_of(side)] if self.match.is_over else []

    @property
    def reviewed(self) -> Sequence[Side]:
        """The players whose losses are shown; none if a request may not cost so much."""
        total = sum(Game(side.history).cost for side in self.reviewable)
        return self.reviewable if total <= MAX_COST else []

    # -- in words ------------------------------------------------------------------------------

    def name_of(self, language: Language, side: Side) -> str:
        """Return the name of a player as the viewer knows them."""
        if side.is_you:
            return language.gettext("You")
        if side.player.name:
            return side.player.name
        if self.is_race or self.view.seat is None:
            return language.gettext("Player %(number)s") % {"number": side.player.seat + 1}
        return language.gettext("Your friend")

    def title(self, language: Language) -> str:
        """Return the title: whose turn it is, or how the match ended."""
        _ = language.gettext
        you = self.view.you
        match self.state:
            case "over":
                return self._result_in(language)
            case "invited" if self.creator:
                return _("%(name)s invites you to a game") % {"name": self.creator}
            case "invited":
                return _("A friend invites you to a game")
            case "waiting":
                return _("Waiting for your friend")
            case "playing" if self.is_race:
                return _("Race: guess %(turn)s") % {"turn": self.turn}
            case "playing":
                return "● " + _("Your turn: guess %(turn)s") % {"turn": self.turn}
            case "watching" if self.to_move:
                mover = {"name": self.name_of(language, self.to_move)}
                if self.sides[0].is_you and self.sides[0].found:
                    return _("You found the code. %(name)s has one last guess.") % mover
                return _("%(name)s’s turn") % mover  # noqa: RUF001 # an apostrophe
            case "watching":
                return _("Waiting for the others") if you and you.plays else _("Race")

    def _result_in(self, language: Language) -> str:
        if self.result == "drawn" or self.match.reason == "draw":
            return language.gettext("A draw")
        if self.winner is None:
            return language.gettext("The match is over")
        count = len(self.winner.turns)
        if self.result == "won":
            text = language.ngettext(
                "You won in %(count)s turn", "You won in %(count)s turns", count
            )
            return text % {"count": count}
        text = language.ngettext(
            "%(name)s won in %(count)s turn", "%(name)s won in %(count)s turns", count
        )
        return text % {"count": count, "name": self.name_of(language, self.winner)}

    def ending(self, language: Language) -> str:
        """Return why the match is over; empty if somebody found a code."""
        _ = language.gettext
        match self.match.reason:
            case "resigned" if not self.is_race:
                reasons = {"won": _("The other side resigned."), "lost": _("You resigned.")}
                return reasons.get(self.result, _("One side resigned."))
            case "abandoned":
                return _("There was no move for seven days.")
            case "limit":
                return _("Nobody found a code.")
            case _:
                return ""

    def state_in(self, language: Language) -> str:
        """Return the state of the match in a list of matches."""
        _ = language.gettext
        if self.state == "over":
            results = {"won": _("you won"), "lost": _("you lost"), "drawn": _("a draw")}
            return results.get(self.result, _("over"))
        states = {"waiting": _("waiting for your friend"), "playing": _("your turn")}
        return states.get(self.state, _("in play"))


@dataclass(frozen=True)
class LossesPage(PollingPage):
    """Loss of each player's guesses, from a search that goes on while the page is open."""

    page: MatchPage
    games: Sequence[ReviewedGame]
    """The reviews of `page.reviewed`."""
    polls: int = 0

    @property
    def is_final(self) -> bool:
        """Whether a reload would show the same."""
        return all(game.is_final for game in self.games)

    @property
    def address(self) -> str:
        """The path of this part."""
        return f"{self.page.here}/losses"

    @property
    def rows(self) -> list[tuple[Side, tuple[float, float]]]:
        """The players with bounds on what they lost; empty if one is unknown."""
        rows = [
            (side, game.lost) for side, game in zip(self.page.reviewed, self.games, strict=True)
        ]
        known = [(side, lost) for side, lost in rows if lost is not None]
        return known if len(known) == len(rows) else []

    def share(self, lost: tuple[float, float]) -> float:
        """Return the length of a player's bar, as a share of the longest."""
        return lost[0] / (max(most for _, (_, most) in self.rows) or 1.0)

    def verdict(self, language: Language) -> str:
        """Return who guessed better than all others; empty if nobody did, or it is not certain."""
        _ = language.gettext
        rows = sorted(self.rows, key=lambda row: row[1])
        if len(rows) < 2 or rows[0][1][1] >= rows[1][1][0]:
            return ""
        better = rows[0][0]
        if better.is_you:
            luckier = _("You guessed better; the other side was luckier.")
            return luckier if self.page.result == "lost" else _("You guessed better.")
        text = _("%(name)s guessed better.")
        if self.page.result == "won":
            text = _("%(name)s guessed better; you were luckier.")
        return text % {"name": self.page.name_of(language, better)}
