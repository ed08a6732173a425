"""What docstrings of the engine say of parameters is what the signatures say.

In the engine's kernels a docstring may leave out what every kernel takes (the problem, the
workspace, a range of members); everywhere else a list of parameters is whole.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests import ROOT

SECTION = re.compile(
    r"^Parameters\n-{3,}\n(.*?)(?=^\S[^\n]*\n-{3,}\n|\Z)", re.DOTALL | re.MULTILINE
)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


Section = tuple[str, list[str], list[str], bool]
"""Where a section is, what it describes, the signature, and whether it is a kernel."""


def described(docstring: str) -> list[str] | None:
    """Return the names in the section on parameters; None if there is no such section."""
    section = SECTION.search(docstring)
    if section is None:
        return None
    heads = [line for line in section[1].splitlines() if line and not line[0].isspace()]
    return [name.strip(" *") for head in heads for name in head.split(" : ")[0].split(",")]


def signature(definition: ast.AST) -> list[str]:
    """Return the parameters of a function, or of what makes a class, in order."""
    if isinstance(definition, ast.ClassDef):
        makers = [node for node in definition.body if getattr(node, "name", "") == "__init__"]
        if makers:
            return signature(makers[0])
        fields = [node for node in definition.body if isinstance(node, ast.AnnAssign)]
        return [field.target.id for field in fields if isinstance(field.target, ast.Name)]
    assert isinstance(definition, ast.FunctionDef | ast.AsyncFunctionDef)
    given = definition.args
    several = [given.vararg] if given.vararg else []
    named = [given.kwarg] if given.kwarg else []
    every = [*given.posonlyargs, *given.args, *several, *given.kwonlyargs, *named]
    return [argument.arg for argument in every if argument.arg not in ("self", "cls")]


def documented() -> Iterator[Section]:
    """Yield all sections."""
    for path in sorted((ROOT / "engine").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        kernels = "from bullscows.kernels.compiling.jit import" in source
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, DEFINITIONS):
                names = described(ast.get_docstring(node) or "")
                if names is not None:
                    place = f"{path.relative_to(ROOT)}:{node.name}"
                    yield place, names, signature(node), kernels


@pytest.fixture(scope="module")
def sections() -> list[Section]:
    return list(documented())


def test_described_parameters_are_those_of_the_signature(sections: list[Section]) -> None:
    others = {}
    for place, names, parameters, is_kernel in sections:
        whole = [name for name in parameters if name in names] if is_kernel else parameters
        if names != whole:
            others[place] = (names, whole)
    assert others == {}


def test_sections_are_found(sections: list[Section]) -> None:
    """A section that is not recognised would not be checked."""
    files = (ROOT / "engine").rglob("*.py")
    texts = [path.read_text(encoding="utf-8") for path in files]
    headings = sum(
        len(re.findall(r"^ *Parameters\n *-{3,}$", text, re.MULTILINE)) for text in texts
    )
    assert len(sections) == headings >= 25
