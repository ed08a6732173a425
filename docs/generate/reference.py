"""The reference in docs/reference/api.md: operations with requests, answers and problems."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

from bullscows_web.api.openapi import Example, examples, operations
from bullscows_web.errors.kinds import kinds
from docs.generate import ROOT
from docs.generate.answers import SERVER, TOKEN, address

PAGE = ROOT / "docs" / "reference" / "api.md"
JSON = "application/json"

Schema = dict[str, Any]

COMMON_PROBLEMS = {"400", "403", "413", "414", "422", "503"}
"""Statuses that most operations can return; the introduction of the page names them."""


def text(document: dict[str, Any]) -> str:
    """Return the reference of an OpenAPI document."""
    return "\n".join([*_reference(document), *_problems()])


def _reference(document: dict[str, Any]) -> Iterator[str]:
    schemas = document["components"]["schemas"]
    answers = Annotated(schemas)
    for path, method, operation in operations(document):
        example, *others = examples()[operation["operationId"]]
        yield from (f"## {operation['summary']}", "", f"`{method.upper()} {path}`", "")
        yield from (operation["description"], "")
        yield from _fields(operation, schemas, answers)
        yield from _shown(operation, example, method, path, answers)
        for other in others:
            if other.status == 409 and "corrections" in other.shown:  # no code fits the turns
                yield from (f"{other.title}:", "")
                yield from _shown(operation, other, method, path, answers)
        problems = sorted(set(operation["responses"]) - COMMON_PROBLEMS - {str(example.status)})
        if problems:
            yield from (f"[Problems](#problems): {', '.join(problems)}.", "")


def _shown(
    operation: Schema, example: Example, method: str, path: str, answers: Annotated
) -> Iterator[str]:
    """Yield the request and the response of an example."""
    (media,) = operation["responses"][str(example.status)]["content"].values()
    yield from ("```sh", *_curl(example, method, path), "```", "")
    yield from ("```jsonc", *answers.lines(example, media["schema"]), "```", "")


def _fields(operation: Schema, schemas: Schema, answers: Annotated) -> Iterator[str]:
    """Yield a list of what a request contains; a description is given once on the page."""
    rows = [
        (one["name"], one["in"], one.get("required", False), one["schema"], one)
        for one in operation.get("parameters", ())
    ]
    body = operation.get("requestBody", {}).get("content", {}).get(JSON, {}).get("schema")
    if body:
        model = _resolved(body, schemas)
        needed = model.get("required", [])
        fields = model["properties"].items()
        rows += [(name, "body", name in needed, field, field) for name, field in fields]
    rows = [row for row in rows if row[1] != "path"]  # the path shows these
    for name, place, is_needed, schema, field in rows:
        kind = _type(schema, schemas)
        if not is_needed:
            stated = schema.get("default")
            kind += ", optional" if stated is None else f", default `{json.dumps(stated)}`"
        said = answers.news(field)
        yield f"- `{name}` ({place}, {kind}){said and f': {said}'}"
    if rows:
        yield ""


def _type(schema: Schema, schemas: Schema) -> str:
    """Return the type of a field with its limits, in words."""
    if "anyOf" in schema:
        named = (_type(one, schemas) for one in schema["anyOf"])
        return " or ".join(kind for kind in named if kind != "null")
    if schema.get("type") == "array":
        most = f", at most {schema['maxItems']}" if "maxItems" in schema else ""
        return f"list of {_type(schema['items'], schemas)}{most}"
    if "$ref" in schema:
        fields = _resolved(schema, schemas)["properties"]
        return "{" + ", ".join(f"`{name}`" for name in fields) + "}"
    if "minimum" in schema:
        return f"{schema['type']}, {schema['minimum']:g} to {schema['maximum']:g}"
    return str(schema["type"])


def _curl(example: Example, method: str, path: str) -> Iterator[str]:
    url = SERVER + address(example, path)
    if example.body is None and not example.by:
        yield f"curl '{url}'" if example.query else f"curl {url}"
        return
    options = [f"-H '{name}: {value}'" for name, value in example.header.items()]
    if example.by:
        options += [f"-H 'Authorization: Bearer {TOKEN}'"]
    if example.body is not None:
        options += [f"--json '{json.dumps(example.body)}'"]
    verb = "" if method == "get" or example.body is not None else f" -X {method.upper()}"
    yield " \\\n     ".join([f"curl{verb} {url}", *options])


class Annotated:
    """JSON with the schema's description as a comment above each field, once on the page."""

    def __init__(self, schemas: Schema) -> None:
        self._schemas = schemas
        self._described: set[str] = set()

    def lines(self, example: Example, schema: Schema) -> Iterator[str]:
        """Yield the lines of an example's answer."""
        said = [f"the first {n} of {name}" for name, n in example.shown.items()]
        yield "; ".join([f"// {example.status}", *said])
        yield from self._object(example.response, schema, "", "")

    def _object(self, value: Any, schema: Schema, indent: str, end: str) -> Iterator[str]:
        properties = _resolved(schema, self._schemas).get("properties", {})
        yield indent + "{"
        for place, (name, one) in enumerate(value.items()):
            yield from self._comment(properties.get(name, {}), indent + "  ")
            comma = "," if place < len(value) - 1 else ""
            yield from self._field(name, one, properties.get(name, {}), indent + "  ", comma)
        yield indent + "}" + end

    def news(self, schema: Schema) -> str:
        """Return the description of a field, or nothing if the page has it already."""
        said = str(schema.get("description", ""))
        if said in self._described:
            return ""
        self._described.add(said)
        return said

    def _comment(self, schema: Schema, indent: str) -> Iterator[str]:
        if said := self.news(schema):
            yield f"{indent}// {said}"

    def _field(self, name: str, value: Any, schema: Schema, indent: str, end: str) -> Iterator[str]:
        if not (isinstance(value, list) and value and isinstance(value[0], dict)):
            yield f'{indent}"{name}": {_dumped(value)}{end}'
            return
        item = _items(schema)
        yield f'{indent}"{name}": ['
        for place, one in enumerate(value):
            comma = "," if place < len(value) - 1 else ""
            if self._is_new(item) or len(_dumped(one)) > LONG:
                yield from self._object(one, item, indent + "  ", comma)
            else:
                yield f"{indent}  {_dumped(one)}{comma}"
        yield f"{indent}]{end}"

    def _is_new(self, schema: Schema) -> bool:
        """Return whether a kind of item has fields that were not described yet."""
        fields = _resolved(schema, self._schemas).get("properties", {}).values()
        return any(one.get("description", "") not in {"", *self._described} for one in fields)


LONG = 120
"""Longer items have a line for each field."""


def _items(schema: Schema) -> Schema:
    """Return the schema of a list's items; the list itself may be null."""
    lists = [one for one in schema.get("anyOf", [schema]) if "items" in one]
    return dict(lists[0]["items"]) if lists else {}


def _resolved(schema: Schema, schemas: Schema) -> Schema:
    """Return what a reference stands for; of several kinds the first."""
    if "anyOf" in schema:
        return _resolved(schema["anyOf"][0], schemas)
    if "$ref" in schema:
        return dict(schemas[schema["$ref"].rpartition("/")[2]])
    return schema


def _dumped(value: Any) -> str:
    return json.dumps(value).replace("\x7f", "\\u007f")


def _problems() -> Iterator[str]:
    """Yield a list of all kinds of problems, by status."""
    yield from ("## Problems", "")
    yield from ("`GET` the `type` of a problem for its meaning and what to do.", "")
    found = sorted((kind.status, kind.slug) for kind in kinds())
    for status, group in groupby(found, key=itemgetter(0)):
        yield f"- {status}: {', '.join(f'`{slug}`' for _, slug in group)}"
    yield ""
