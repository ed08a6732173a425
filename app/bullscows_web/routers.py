"""The routers of the application, frequent ones first, because they are tried one by one."""

from __future__ import annotations

from bullscows_web.analyse import explained_answer
from bullscows_web.analyse import routes as analyse
from bullscows_web.api import daily, matches, openapi
from bullscows_web.api import routes as api
from bullscows_web.duel import routes as duel
from bullscows_web.guess import routes as guess
from bullscows_web.guess import two_turns
from bullscows_web.home import crawlers, offline, status
from bullscows_web.home import pages as home
from bullscows_web.learn import routes as learn
from bullscows_web.match import routes as match
from bullscows_web.play import routes as play
from bullscows_web.review import routes as review
from bullscows_web.statistics import atlas, compare, results
from bullscows_web.statistics import routes as statistics
from bullscows_web.trees import pasted
from bullscows_web.trees import routes as trees

API = (api.router, daily.router, matches.router, status.machines, openapi.router)

FILES = (
    trees.renamed,
    trees.files,
    statistics.files,
    results.files,
    atlas.files,
    analyse.files,
    offline.worker,
    crawlers.files,
    home.negotiated,
)
"""Names of files have a dot, which the routes of pages would match."""

PAGES = (
    guess.embedded,
    analyse.embedded,
    play.router,
    trees.router,
    guess.router,
    match.router,
    home.router,
    learn.router,
    duel.router,
    pasted.router,
    compare.router,
    analyse.router,
    explained_answer.router,
    review.router,
    two_turns.router,
    statistics.router,
    results.router,
    atlas.router,
    status.router,
    offline.router,
)
"""Pages exist in every language."""
