"""The JSON schema of a line of a trace, made from its dataclasses; `python -m` this module writes
it."""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from answerer.trace import VERSION, TraceQuestion
from tests.places import ROOT

PAGE = ROOT / "docs/trace.schema.json"
_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}


def schema() -> dict[str, Any]:
    """The first line is a run, every other one a question."""
    definitions: dict[str, Any] = {}
    question = _described(TraceQuestion, definitions)
    system = {"anyOf": [{"type": "string"}, definitions["TraceQuestion"]["properties"]["system"]]}
    definitions["TraceQuestion"]["properties"]["system"] = system
    run = {
        "type": "object",
        "required": ["run", "version"],
        "properties": {"run": {"type": "object"}, "version": {"const": VERSION}},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of a trace: the run, then a line for each question",
        "anyOf": [run, question],
        "$defs": definitions,
    }


def _described(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if isinstance(hint, type) and is_dataclass(hint):
        if hint.__name__ not in definitions:
            definitions[hint.__name__] = {}
            hints = typing.get_type_hints(hint)
            definitions[hint.__name__] |= {
                "description": " ".join((hint.__doc__ or "").split()),
                "type": "object",
                "required": [
                    one.name
                    for one in fields(hint)
                    if one.default is one.default_factory is MISSING
                ],
                "properties": {
                    one.name: _described(hints[one.name], definitions) for one in fields(hint)
                },
            }
        return {"$ref": f"#/$defs/{hint.__name__}"}
    if origin is types.UnionType:
        return _described(args[0], definitions)
    if origin is tuple and args[-1] is Ellipsis:
        return {"type": "array", "items": _described(args[0], definitions)}
    if origin is tuple:
        return {"type": "array", "prefixItems": [_described(one, definitions) for one in args]}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _described(args[1], definitions)}
    return {"type": _PLAIN[hint]}


if __name__ == "__main__":
    PAGE.write_text(json.dumps(schema(), indent=2, ensure_ascii=False) + "\n", "utf-8")
