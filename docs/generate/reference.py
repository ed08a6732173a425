"""The reference in docs/reference/api.md: operations with requests, answers and problems."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from bullscows_web.api.examples import SERVER, TOKEN, Example, examples, operations
from bullscows_web.errors.kinds import kinds
from docs.generate import ROOT

PAGE = ROOT / "docs" / "reference" / "api.md"
JSON = "application/json"

Schema = dict[str, Any]


def text(document: dict[str, Any]) -> str:
    """Return the reference of an OpenAPI document."""
    return "\n".join([*_reference(document), *_problems()])


def _reference(document: dict[str, Any]) -> Iterator[str]:
    schemas = document["components"]["schemas"]
    for path, method, operation in operations(document):
        yield from (f"## {operation['summary']}", "", f"`{method.upper()} {path}`", "")
        yield from (operation["description"], "")
        yield from _fields(operation, schemas)
        for example in examples()[operation["operationId"]]:
            (media,) = operation["responses"][str(example.status)]["content"].values()
            yield from (f"{example.title}:", "", "```sh", *_curl(example, method, path), "```", "")
            answer = Annotated(media["schema"], schemas).lines(example)
            yield from ("```jsonc", *answer, "```", "")
        problems = sorted(one for one in operation["responses"] if not one.startswith("2"))
        yield from (f"[Problems](#all-kinds-of-problems): {', '.join(problems)}.", "")


def _fields(operation: Schema, schemas: Schema) -> Iterator[str]:
    """Yield a table of what a request says, if it says anything."""
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
    if rows:
        yield from ("| field | in | type | what it says |", "| --- | --- | --- | --- |")
    for name, place, is_needed, schema, field in rows:
        words = [
            field.get("description", ""),
            "" if is_needed else f"Without it: `{json.dumps(schema.get('default'))}`.",
        ]
        said = " ".join(word for word in words if word)
        yield f"| `{name}` | {place} | {_type(schema, schemas)} | {said} |".replace("  |", " |")
    if rows:
        yield ""


def _type(schema: Schema, schemas: Schema) -> str:
    """Return the type of a field with its limits, in words."""
    if "anyOf" in schema:
        return " or ".join(_type(one, schemas) for one in schema["anyOf"])
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
    address = SERVER + example.address(path)
    if example.body is None and not example.by:
        yield f"curl '{address}'" if example.query else f"curl {address}"
        return
    options = [f"-H '{name}: {value}'" for name, value in example.header.items()]
    if example.by:
        options += [f"-H 'Authorization: Bearer {TOKEN}'"]
    if example.body is not None:
        options += [f"-H 'Content-Type: {JSON}'", f"-d '{json.dumps(example.body)}'"]
    verb = "" if method == "get" else f" -X {method.upper()}"
    yield " \\\n     ".join([f"curl{verb} {address}", *options])


class Annotated:
    """JSON with the schema's description as a comment above each field, once."""

    def __init__(self, schema: Schema, schemas: Schema) -> None:
        self._schema = schema
        self._schemas = schemas
        self._described: set[str] = set()

    def lines(self, example: Example) -> Iterator[str]:
        """Yield the lines of an example's answer."""
        status = f"// {example.status}"
        if example.shown:
            shown = (f"the first {count} of {name}" for name, count in example.shown.items())
            status += f"; shown are {' and '.join(shown)}"
        yield status
        yield from self._object(example.response, self._schema, "", "")

    def _object(self, value: Any, schema: Schema, indent: str, end: str) -> Iterator[str]:
        properties = _resolved(schema, self._schemas).get("properties", {})
        yield indent + "{"
        for place, (name, one) in enumerate(value.items()):
            yield from self._comment(properties.get(name, {}), indent + "  ")
            comma = "," if place < len(value) - 1 else ""
            yield from self._field(name, one, properties.get(name, {}), indent + "  ", comma)
        yield indent + "}" + end

    def _comment(self, schema: Schema, indent: str) -> Iterator[str]:
        said = schema.get("description")
        if said and said not in self._described:
            self._described.add(said)
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
    """Yield a table of all kinds of problems."""
    yield from ("## All kinds of problems", "", "| status | kind | what it means | what to do |")
    yield "| --- | --- | --- | --- |"
    for kind in sorted(kinds(), key=lambda kind: (kind.status, kind.slug)):
        yield f"| {kind.status} | `{kind.slug}` | {kind.title} | {kind.advice} |"
    yield ""
