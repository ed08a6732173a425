"""The reference in docs/reference/library.md: every exported name, from its docstring."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import bullscows
from docs.generate import ROOT

PAGE = ROOT / "docs" / "reference" / "library.md"
LONGEST_DEFAULT = 40


class _Text:
    """An annotation that prints as it is written in the source."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def text() -> str:
    """Return the functions, then the classes, then the errors."""
    names = {name: getattr(bullscows, name) for name in sorted(bullscows.__all__)}
    errors = {name: one for name, one in names.items() if name.endswith("Error")}
    classes = {name: one for name, one in names.items() if inspect.isclass(one)}
    functions = {name: one for name, one in names.items() if name not in classes}
    classes = {name: one for name, one in classes.items() if name not in errors}
    lines = ["### Functions", ""]
    for name, one in functions.items():
        lines += [f"#### {name}", "", "```text", _usage(name, one), "```", "", _summary(one), ""]
    lines += ["### Classes", ""]
    for name, one in classes.items():
        lines += [f"#### {name}", "", _summary(one), "", *_members(one), ""]
    lines += ["### Errors", "", "| error | meaning |", "| --- | --- |"]
    lines += [f"| `{name}` | {_summary(one)} |" for name, one in errors.items()]
    return "\n".join(lines) + "\n"


def _usage(name: str, function: Any) -> str:
    """Return a signature with the types of the source, and ``...`` for long defaults."""
    signature = inspect.signature(function)
    parameters = [
        one.replace(
            annotation=_Text(one.annotation),
            default=_Text("...") if len(repr(one.default)) > LONGEST_DEFAULT else one.default,
        )
        for one in signature.parameters.values()
    ]
    returned = _Text(signature.return_annotation)
    return f"{name}{signature.replace(parameters=parameters, return_annotation=returned)}"


def _summary(thing: Any) -> str:
    """Return the first paragraph of a docstring in one line."""
    return " ".join((inspect.getdoc(thing) or "").partition("\n\n")[0].split()).replace("``", "`")


def _members(kind: type) -> Iterator[str]:
    """Yield a table of the documented public methods and properties that a class defines."""
    rows = [
        f"| `{one.name}{'()' * callable(getattr(kind, one.name))}` | {_summary(one.object)} |"
        for one in inspect.classify_class_attrs(kind)
        if one.defining_class is kind and one.name[0] != "_"
        if "method" in one.kind or isinstance(one.object, property | cached_property)
    ]
    if rows:
        yield from ("| member | meaning |", "| --- | --- |", *rows)
