"""The reference in docs/reference/library.md: which names the site shows with their docstrings.

mkdocstrings replaces each line ``::: NAME`` by signature, docstring and members.
"""

from __future__ import annotations

from collections.abc import Iterator

import griffe

import bullscows
from docs.generate import ROOT

INTERNAL = tuple(
    f"bullscows.{module}."
    for module in (
        "kernels.problem",
        "kernels.workspace",
        "search.checkpoint",
        "search.position_search",
        "search.proven_bounds",
        "search.shipped_strategies",
        "search.subproblems",
    )
)
"""Modules whose types only the search uses, although a `Solution` or a `Cluster` refers to them."""

PAGE = ROOT / "docs" / "reference" / "library.md"


def text() -> str:
    """Return the functions, the classes, the types that their signatures name, and the errors."""
    library = package()
    found = {name: target(library, name) for name in sorted(bullscows.__all__)}
    errors = [name for name in found if name.endswith("Error")]
    classes = [name for name, one in found.items() if one.is_class and name not in errors]
    functions = [name for name, one in found.items() if one.is_function]
    groups = {
        "Functions": [f"bullscows.{name}" for name in functions],
        "Classes": [f"bullscows.{name}" for name in classes],
        "Types in signatures": sorted(types_named_by(library, list(found.values()))),
        "Errors": [f"bullscows.{name}" for name in errors],
    }
    return "\n".join(line for title, names in groups.items() for line in _group(title, names))


def _group(title: str, names: list[str]) -> Iterator[str]:
    yield from (f"### {title}", "")
    for name in names:
        yield from (f"::: {name}", "")


def package() -> griffe.Module:
    """Return the library as its source describes it."""
    loader = griffe.GriffeLoader(search_paths=[ROOT / "engine"], docstring_parser="numpy")
    loaded = loader.load("bullscows", submodules=True)
    loader.resolve_aliases()
    assert isinstance(loaded, griffe.Module)
    return loaded


def target(library: griffe.Module, path: str) -> griffe.Object:
    """Return what a path in the library stands for."""
    one = library[path]
    return one.final_target if one.is_alias else one  # type: ignore[no-any-return]


def types_named_by(library: griffe.Module, objects: list[griffe.Object]) -> set[str]:
    """Return the paths of the types that signatures name and that are not exported."""
    seen = {one.path for one in objects}
    found = set[str]()
    while objects:
        for path in set(_named(objects.pop())) - seen:
            seen.add(path)
            one = target(library, path.removeprefix("bullscows."))
            if one.is_public and not one.is_module and not path.startswith(INTERNAL):
                found.add(path)
                objects.append(one)
    return found


def _named(one: griffe.Object) -> Iterator[str]:
    """Yield the paths of the library's types in the signatures of an object and its members."""
    for each in [one, *public_members(one)]:
        expressions = [getattr(each, name, None) for name in ("annotation", "returns")]
        expressions += [parameter.annotation for parameter in getattr(each, "parameters", ())]
        expressions += [getattr(each, "value", None)] * (each is one)  # of a type alias
        for expression in expressions:
            parts = expression.iterate(flat=True) if isinstance(expression, griffe.Expr) else ()
            for part in parts:
                path = getattr(part, "canonical_path", "")
                if isinstance(part, griffe.ExprName) and path.startswith("bullscows."):
                    yield path


def public_members(one: griffe.Object) -> list[griffe.Object]:
    """Return the members of a class that the reference shows."""
    members = one.members.values() if one.is_class else ()
    return [
        each
        for each in members
        if isinstance(each, griffe.Object) and not each.name.startswith("_")
    ]
