"""OpenAPI links from responses to follow-up requests.

A link names an operation and the response fields that supply its parameters.
"""

from __future__ import annotations

from typing import Any

from bullscows_web.api.openapi import Responses

Links = dict[str, Any]


def _link(operation: str, description: str, **parameters: str) -> dict[str, Any]:
    return {
        "operationId": operation,
        "description": description,
        "parameters": {name: f"$response.body#/{place}" for name, place in parameters.items()},
    }


TREES: Links = {
    "first": _link("getTree", "The tree that is offered first.", tree="trees/0/name"),
}
TREE: Links = {"root": _link("getNode", "The root of the tree.", tree="name")}
NODE: Links = {
    "next": _link(
        "getNode",
        "The node that the smallest possible answer leads to.",
        tree="tree",
        answers="children/0/answers",
    ),
}
SESSION: Links = {
    "again": _link("getSession", "The game as it stands.", id="id"),
    "answer": _link("answerSession", "The game after the next answer.", id="id"),
    "undo": _link("getSession", "The game before the last answer.", id="previous"),
    "tree": _link("getTree", "The tree that is played.", tree="tree"),
}


def leads_on(links: Links, status: int = 200) -> Responses:
    """Return the `responses` of a route with links for one status."""
    return {status: {"links": links}}
