"""Matches as pages and the API use them: create, join, guess, resign, rematch, view.

Every method is one transaction in a thread, and returns a `View`: what one viewer may see.  Moves
are idempotent: a move that carries its turn can be sent again, whatever became of its response.

The database is opened with the first request for a match.  If that fails, `StoreError` says so and
the next attempt waits `RETRY_SECONDS`; nothing else on the site depends on it.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypeVar

from anyio import CapacityLimiter, fail_after
from anyio.to_thread import run_sync

from bullscows.game.rules import Rules
from bullscows_web.guess.puzzle import Puzzle
from bullscows_web.match.clock import Clock
from bullscows_web.match.rules import (
    BUSY_SECONDS,
    KEPT,
    FullError,
    LockedError,
    Match,
    MatchError,
    Move,
    New,
    News,
    Once,
    Player,
    Seat,
    StoreError,
    cleaned,
    hashed,
    is_old,
    new_id,
    new_token,
)
from bullscows_web.match.watcher import Watcher
from bullscows_web.server.settings import Settings
from bullscows_web.web.dependencies import of_app
from bullscows_web.web.encrypted_state import StateCipher
from bullscows_web.web.metrics import MatchEvent, Metrics

if TYPE_CHECKING:  # loaded with the first match: it brings SQLAlchemy
    from bullscows_web.match.store import Store, Transaction

logger = logging.getLogger(__name__)

FILE = "matches.sqlite"
"""Name of the database in the state folder."""
RETRY_SECONDS = 5
"""How long a database that could not be opened is not tried again."""
SEEN_SECONDS = 5
"""How often it is stored who was seen."""
KEEP_SECONDS = 600
"""How often the time is stored and expired matches are deleted."""
THREADS = 4
"""The most transactions at once that read, and that change."""
HOUR = 3600
MAX_ADDRESSES = 10_000
"""The most addresses whose creations are counted; the oldest are forgotten."""

Result = TypeVar("Result")
Work: TypeAlias = "Callable[[Transaction], Result]"
"""Something to do in a transaction, in a thread."""


@dataclass(frozen=True)
class View:
    """A match as one viewer may see it."""

    match: Match
    seat: Seat | None
    """The viewer's seat; None for a spectator."""
    secrets: Mapping[Seat, str]
    """The codes that the viewer may read."""
    token: str | None = None
    """The token of the viewer."""

    @property
    def stamp(self) -> str:
        """A text that changes with the view; see `Matches.news`."""
        return self.match.news.stamp(self.seat, self.match.now)

    @property
    def you(self) -> Player | None:
        """The viewer, if they play."""
        return None if self.seat is None else self.match.players[self.seat]

    def guess_of(self, player: Player, turn: Move) -> str | None:
        """Return a guess; None if the viewer may not see it."""
        is_shown = self.match.shows_guess(player, turn, self.seat)
        return self.match.rules.text(turn.guess) if is_shown else None

    @property
    def opponent(self) -> Player | None:
        """The other player of a match."""
        others = [player for player in self.match.players if player.seat != self.seat]
        is_pair = self.seat is not None and self.match.kind == "match"
        return others[0] if is_pair and others else None


class AddressLimit:
    """Counts what each client creates; see `bullscows_web.web.dependencies.client_of`."""

    def __init__(self, most: int, what: str) -> None:
        self._most = most
        self._what = what
        self._times: dict[str, deque[float]] = {}
        self._lock = Lock()

    def count(self, client: str, now: float) -> None:
        """Count a creation, from any thread; raise `MatchError` if the client had its share."""
        with self._lock:
            times = self._times.pop(client, deque())
            self._times[client] = times  # the latest is last
            while times and not 0 <= now - times[0] < HOUR:
                times.popleft()
            if len(times) >= self._most:
                message = f"an address may create {self._most} {self._what} in an hour"
                raise MatchError("too-many-created", message)
            times.append(now)
            if len(self._times) > MAX_ADDRESSES:
                del self._times[next(iter(self._times))]


class Matches:
    """The matches of a server; `cipher` encrypts their codes."""

    def __init__(self, settings: Settings, cipher: StateCipher, metrics: Metrics) -> None:
        self._settings = settings
        url = settings.database_url
        self._file = None if url else settings.state_folder / FILE
        self._url = url.get_secret_value() if url else f"sqlite:///{self._file}"
        self._cipher = cipher
        self._metrics = metrics
        self.clock = Clock()
        """The time of matches."""
        self._is_clock_set = False
        self._creators = AddressLimit(settings.matches_per_hour, "matches")
        self._counted = AddressLimit(settings.matches_per_hour, "results")
        self._readers = CapacityLimiter(THREADS)
        # One at a time writes to SQLite, whose own waiting is not fair.
        self._writers = CapacityLimiter(1 if self._url.startswith("sqlite") else THREADS)
        self._store: Store | None = None
        self._opening = Lock()
        self._failure: tuple[float, str] | None = None
        """Until when an attempt to open is not repeated, and how it failed."""
        self._seen: dict[tuple[str, Seat], float] = {}
        self._stored = 0.0
        self._storing: asyncio.Task[None] | None = None
        self.watcher = Watcher(self._news)

    # -- for pages and the API -----------------------------------------------------------------

    async def create(self, new: New, client: str, once: Once | None = None) -> View:
        """Create a match, if its client did not create too many; the view has the token."""
        new = replace(new, secret=_code(new.rules, new.secret))  # an invalid one is not counted
        self._creators.count(client, self.clock())

        def take(db: Transaction) -> View:
            begins = {"creator": 0, "guest": 1, "random": secrets.randbelow(2)}[new.begins]
            return self._created(db, new, begins, new_token())

        return await self._change("created", lambda db: self._once(db, once, take))

    async def join(
        self,
        id: str,
        secret: str | None,
        name: str = "",
        token: str | None = None,
        once: Once | None = None,
    ) -> View:
        """Take a seat; the view has its token. With a `token` (`new_token`), join again."""

        def take(db: Transaction) -> View:
            return self._joined(db, self._found(db, id), token or new_token(), secret, name)

        return await self._change("joined", lambda db: self._once(db, once, take))

    async def guess(self, id: str, token: str | None, guess: str, turn: int | None = None) -> View:
        """Make a guess, written as text; `turn` is the player's own, from 1."""

        def work(db: Transaction) -> View:
            match = self._found(db, id)
            player = match.player_of(token)
            code = match.rules.parse_code(guess)
            if not match.is_repeated(player, code, turn):
                owner = 0 if match.kind == "race" else 1 - player.seat
                secret = match.rules.parse_code(self._secret(match, owner))
                answer = match.rules.respond(code, secret)
                match = db.add_turn(match, player, Move(code, answer, db.now))
            return self._seen_by(match, token)

        return await self._change("guessed", work)

    async def resign(self, id: str, token: str | None) -> View:
        """Resign; the match is over, a race goes on for the others."""

        def work(db: Transaction) -> View:
            match = self._found(db, id)
            player = match.player_of(token)
            if match.is_over and not player.resigned:
                raise MatchError("match-finished", f"this {match.kind} is over")
            return self._seen_by(match if player.resigned else db.resign(match, player), token)

        return await self._change("resigned", work)

    async def rematch(self, id: str, token: str | None, secret: str | None, client: str) -> View:
        """Create the next match, or join the one that another player created.

        All players keep their tokens.  In a match the other player begins.  In a race the one who
        gives a `secret` watches.  Creating it counts as a match of the client: otherwise a player
        who resigns and asks for a rematch, again and again, would fill the database.
        """

        def work(db: Transaction) -> View:
            match = self._found(db, id)
            player = match.player_of(token)
            is_race = match.kind == "race"
            assert token is not None
            if not match.is_over:
                raise MatchError("match-unfinished", f"this {match.kind} is not over yet")
            if match.rematch:
                return self._joined(db, self._found(db, match.rematch), token, secret, player.name)
            self._creators.count(client, db.now)
            begins = int(not is_race and match.begins == player.seat)
            new = New(
                match.rules,
                match.kind,
                secret,
                size=match.size,
                plays=not is_race or secret is None,
                name=player.name,
            )
            view = self._created(db, new, begins, token)
            db.link(match, view.match.id)
            return view

        return await self._change("rematched", work)

    async def view(self, id: str, token: str | None = None) -> View:
        """Return the view of a player, or that of a spectator without a token."""

        def read(db: Transaction) -> View:
            match = self._found(db, id)
            if token is not None:
                match.player_of(token)
            return self._seen_by(match, token)

        view = await self._run(read, writes=False)
        self._see(id, view.seat)
        return view

    async def views(self, tokens: Mapping[str, str], most: int) -> list[View]:
        """Return the views of players of some matches, at most `most`, the latest moved first."""

        def read(db: Transaction) -> list[View]:
            found = db.news(tokens)
            kept = [
                (news.moved, id)
                for id, news in found.items()
                if news.seat_of(tokens[id]) is not None and db.now - news.moved <= KEPT
            ]
            latest = [id for _, id in sorted(kept, reverse=True)[:most]]
            return [self._seen_by(match, tokens[match.id]) for match in db.load_all(latest)]

        views = await self._run(read, writes=False) if tokens else []
        for view in views:
            self._see(view.match.id, view.seat)
        return sorted(views, key=lambda view: -view.match.moved)

    def _see(self, id: str, seat: Seat | None) -> None:
        """Note that a player is there; all who were seen are stored together now and then.

        Nobody waits for it: a request that only reads must not wait for a lock.
        """
        if seat is None:
            return
        now = self.clock()
        self._seen[id, seat] = now
        is_storing = self._storing is not None and not self._storing.done()
        if abs(now - self._stored) >= SEEN_SECONDS and not is_storing:
            self._stored = now
            self._storing = asyncio.create_task(self._store_seen())

    async def _store_seen(self) -> None:
        seen = self._seen
        self._seen = {}
        with suppress(StoreError):
            await self._run(lambda db: db.see(seen))

    @property
    def behind(self) -> int:
        """Seconds by which the system's clock is ahead; 0 but for a while after a jump."""
        return round(self.clock.behind)

    async def news(self, id: str, token: str | None = None) -> tuple[News, str]:
        """Return what polls need, half a second old at most, and the stamp of a viewer's view."""
        news = await self.watcher.news(id)
        now = self.clock()
        if news is None or now - news.moved > KEPT:
            raise _missing(id, now, news is not None)
        seat = news.seat_of(token)
        self._see(id, seat)
        return news, news.stamp(seat, now)

    async def _news(self, ids: Collection[str]) -> dict[str, News]:
        return await self._run(lambda db: db.news(ids), writes=False)

    async def results(
        self, puzzle: Puzzle, turns: int | None = None, client: str = ""
    ) -> list[int]:
        """Return how many solved a puzzle at turn 1, 2, ..., one more at `turns` included."""
        if turns is not None:
            self._counted.count(client, self.clock())

        def work(db: Transaction) -> list[int]:
            if turns is not None:
                db.count_result(puzzle, turns)
            return db.results(puzzle)

        return await self._run(work, writes=turns is not None)

    @asynccontextmanager
    async def kept(self) -> AsyncIterator[None]:
        """Store the time and delete expired matches while the server runs; close the database."""
        task = asyncio.create_task(self._keep())
        try:
            yield
        finally:
            task.cancel()
            ending = [task, self.watcher.close(), *filter(None, [self._storing])]
            await asyncio.gather(*ending, return_exceptions=True)
            if self._store:
                with suppress(StoreError):
                    await self._run(lambda db: db.keep_time(self.clock.behind))
                self._store.close()

    # -- in a transaction ----------------------------------------------------------------------

    def _created(self, db: Transaction, new: New, begins: Seat, token: str) -> View:
        most = self._settings.max_matches
        if not db.has_room(most):
            raise FullError(f"this server keeps at most {most} matches")
        id = new_id(db.now)
        match = Match(id, new.kind, new.rules, new.size, begins, db.now, db.now, now=db.now)
        creator = self._player(match, token, _code(new.rules, new.secret), new.name)
        return self._seen_by(db.add(match, replace(creator, plays=new.plays)), token)

    def _joined(
        self, db: Transaction, match: Match, token: str, secret: str | None, name: str
    ) -> View:
        if match.news.seat_of(token) is None:
            match.check_join()
            code = _code(match.rules, secret) if match.kind == "match" else None
            match = db.add_player(match, self._player(match, token, code, name))
        return self._seen_by(match, token)

    def _once(self, db: Transaction, once: Once | None, take: Work[View]) -> View:
        """Take a seat, or return the one that the same request got before.

        Raises `MatchError` if another request came with its key.
        """
        if once is None:
            return take(db)
        if before := db.request(once.key):
            request, id, token = before
            match = db.load(id)
            if match is not None and not match.has_expired:
                if request != once.request:
                    raise MatchError("key-reused", "another request came with this Idempotency-Key")
                return self._seen_by(match, self._cipher.decrypt(f"match/{id}/token", token))
            db.purge()
        view = take(db)
        assert view.token is not None
        purpose = f"match/{view.match.id}/token"
        db.keep_request(once, view.match, self._cipher.encrypt(purpose, view.token))
        return view

    def _found(self, db: Transaction, id: str) -> Match:
        match = db.load(id)
        if match is None or match.has_expired:
            raise _missing(id, db.now, match is not None)
        return match

    # -- codes and views -----------------------------------------------------------------------

    def _player(self, match: Match, token: str, code: str | None, name: str) -> Player:
        seat = len(match.players)
        secret = None
        if code is not None:
            secret = self._cipher.encrypt(f"match/{match.id}/{seat}", code)
        return Player(seat, hashed(token), secret, cleaned(name), seen=self.clock())

    def _secret(self, match: Match, seat: Seat) -> str:
        encrypted = match.players[seat].secret
        assert encrypted is not None
        return self._cipher.decrypt(f"match/{match.id}/{seat}", encrypted)

    def _seen_by(self, match: Match, token: str | None) -> View:
        seat = match.news.seat_of(token)
        owners = [player.seat for player in match.players if player.secret]
        shown = [owner for owner in owners if match.shows_secret(owner, seat)]
        return View(match, seat, {owner: self._secret(match, owner) for owner in shown}, token)

    # -- the database --------------------------------------------------------------------------

    def _open(self) -> Store:
        with self._opening:
            if self._store is None:
                if self._failure and time.monotonic() < self._failure[0]:
                    raise StoreError(self._failure[1])
                from bullscows_web.match.store import Store

                self._store = Store(self._url)
                if not self._is_clock_set:
                    with self._store.transaction(self.clock(), writes=False) as db:
                        if latest := db.latest():
                            self.clock.go_on(*latest)
                    self._is_clock_set = True
            return self._store

    async def _change(self, event: MatchEvent, work: Work[View]) -> View:
        """Change a match, count that, and wake those who watch the match here."""
        view = await self._run(work)
        self._metrics.match_events.labels(event).inc()
        self.watcher.tell(view.match.id, view.match.news)
        return view

    async def _run(self, work: Work[Result], *, writes: bool = True) -> Result:
        """Run a transaction in a thread; those that read never wait for those that change."""
        until = time.monotonic() + BUSY_SECONDS

        def run() -> Result:
            store = self._open()
            with store.transaction(self.clock(), writes=writes, until=until) as db:
                return work(db)

        try:
            with fail_after(BUSY_SECONDS):  # for a thread: a function that runs is not cancelled
                return await run_sync(run, limiter=self._writers if writes else self._readers)
        except TimeoutError as error:
            failure: StoreError = LockedError("too many changes wait for the database")
            failure.__cause__ = error
        except StoreError as error:
            failure = error
        logger.error("%s", failure)
        self._metrics.match_events.labels("failed").inc()
        if not isinstance(failure, FullError | LockedError):
            self._forget(failure)
        raise failure

    def _forget(self, error: StoreError) -> None:
        """Open the database again later: it may be another one by then."""
        with self._opening:
            store = self._store
            self._store = None
            if store:
                store.close()
            elif not self._failure or time.monotonic() >= self._failure[0]:
                self._failure = time.monotonic() + RETRY_SECONDS, str(error)

    async def keep(self) -> None:
        """Store the time, and delete expired matches."""

        def work(db: Transaction) -> None:
            db.keep_time(self.clock.behind)
            db.purge()

        await self._run(work)

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(KEEP_SECONDS)
            if self._file is None or self._file.exists():
                with suppress(StoreError):
                    await self.keep()


def _missing(id: str, now: float, has_expired: bool) -> MatchError:
    """Return the error about a match that is not there, or no longer."""
    if has_expired or is_old(id, now):
        return MatchError("expired-match", "this match was deleted 30 days after its last move")
    return MatchError("unknown-match", f"there is no match {id[:40]!r}")


def _code(rules: Rules, given: str | None) -> str:
    """Return a code that is given, or draw one."""
    code = secrets.randbelow(rules.size) if given is None else rules.parse_code(given)
    return rules.text(code)


MatchesDep = Annotated[Matches, of_app("matches")]
