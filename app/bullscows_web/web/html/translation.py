"""Templates compiled to fast code in one language.

``_("Left")`` becomes the translated text, ``{% trans %}`` blocks without a plural become the text
and its variables in turn, and ``frame.url("/guess")`` becomes the path in the template's language.

Jinja's own code looks up attributes and calls functions through its environment and context, which
allows for dictionaries and for functions that want the context, and wraps each part of the output
as `Markup`.  We have neither, and the parts are joined anyway, so plain Python does the same in a
third less time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any, cast

from jinja2 import Environment, nodes
from jinja2.compiler import CodeGenerator
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

from bullscows_web.language.catalogues import Language

_VARIABLE = re.compile(r"%(?:\((\w+)\)[sd]|%)")

_WITH_CONTEXT = {"_", "gettext", "ngettext"}
"""Functions that Jinja gives its context."""

_is_special = re.compile("[&<>'\"]").search
"""Whether a text has a character to escape; most have none, and `escape` takes twice as long."""


def escaped(value: object) -> str:
    """Return a part of a page: markup as it is, anything else escaped."""
    if type(value) is str:
        return escape(value) if _is_special(value) else value
    if type(value) is Markup:
        return value
    return str(value) if type(value) is int else escape(value)


def joined(*parts: object) -> str:
    """Return parts in a row: as markup if one of them is, otherwise as text."""
    if Markup in map(type, parts):
        return Markup("".join(map(escaped, parts)))
    return "".join(map(str, parts))


class FastGenerator(CodeGenerator):
    """Jinja's code generator for templates in the `language` of their environment."""

    def visit_Template(self, node: nodes.Template, frame: Any = None) -> None:
        """Translate a template, then generate its code."""
        language = cast(Language, self.environment.globals["language"])
        self.writeline(f"from {__name__} import escaped, joined")
        super().visit_Template(_Translator(language).visit(node), frame)

    def visit_Getattr(self, node: nodes.Getattr, frame: Any) -> None:
        """Look up an attribute as Python does, unless it is a block of `self`."""
        if isinstance(node.node, nodes.Name) and node.node.name == "self":
            super().visit_Getattr(node, frame)
        else:
            self.visit(node.node, frame)
            self.write(f".{node.attr}")

    def visit_Test(self, node: nodes.Test, frame: Any) -> None:
        """Ask whether an attribute is defined as Jinja does."""
        if node.name == "defined" and isinstance(node.node, nodes.Getattr):
            attribute = node.node
            found = nodes.EnvironmentAttribute("getattr")
            node.node = nodes.Call(
                found, [attribute.node, nodes.Const(attribute.attr)], [], None, None
            )
        super().visit_Test(node, frame)

    def visit_Call(self, node: nodes.Call, frame: Any, forward_caller: bool = False) -> None:
        """Call a function as Python does."""
        needs_context = isinstance(node.node, nodes.Name) and node.node.name in _WITH_CONTEXT
        if needs_context or node.dyn_args or node.dyn_kwargs:
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for argument in (*node.args, *node.kwargs):
            self.visit(argument, frame)
            self.write(", ")
        self.write("caller=caller)" if forward_caller else ")")

    def visit_Concat(self, node: nodes.Concat, frame: Any) -> None:
        """Join parts without asking each whether it is markup of some kind."""
        self.write("joined(")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write(")")

    def _output_child_pre(self, *_: object) -> None:
        self.write("escaped(")


class FastEnvironment(Environment):
    """Environment of such templates, which all share its globals."""

    code_generator_class = FastGenerator

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the environment's globals; Jinja's view of two mappings takes longer to copy."""
        return super().make_globals(d) if d else self.globals


class _Translator(NodeTransformer):
    def __init__(self, language: Language) -> None:
        self._language = language

    def visit_Output(self, node: nodes.Output) -> nodes.Output:
        """Put the parts of a text next to the markup around them, for the compiler to merge."""
        self.generic_visit(node)
        parts: list[nodes.Expr] = []
        for child in node.nodes:
            parts += child.nodes if isinstance(child, nodes.Concat) else [child]
        node.nodes = parts
        return node

    def visit_Call(self, node: nodes.Call) -> nodes.Expr:
        """Replace a call whose text is fixed."""
        self.generic_visit(node)
        if node.dyn_args or node.dyn_kwargs or len(node.args) != 1:
            return node
        (argument,) = node.args
        if not isinstance(argument, nodes.Const):
            return node
        if isinstance(node.node, nodes.Name) and node.node.name in ("_", "gettext"):
            values = {keyword.key: keyword.value for keyword in node.kwargs}
            parts = list(_parts(self._language.gettext(argument.value), values))
            return parts[0] if len(parts) == 1 else nodes.Concat(parts, lineno=node.lineno)
        if node.node == nodes.Getattr(nodes.Name("frame", "load"), "url", "load"):
            return nodes.Const(self._language.prefix + argument.value, lineno=node.lineno)
        return node


def _parts(text: str, values: Mapping[str, nodes.Expr]) -> Iterator[nodes.Expr]:
    """Yield a text, which is markup, cut at its variables, which may be none."""
    end = 0
    for match in _VARIABLE.finditer(text):
        yield nodes.TemplateData(text[end : match.start()])
        name = match[1]
        yield values[name] if name else nodes.TemplateData("%")
        end = match.end()
    yield nodes.TemplateData(text[end:])
