"""The outline of the API's document: a line for each operation, parameter, body and field.

`python -m tests.api_outline > tests/api_outline.txt` writes it anew after a wanted change.
"""

import json

from tests.applications import pattern

_PROBLEM = "application/problem+json"


def outline(document: dict) -> str:
    """The document as sorted lines, without what every operation repeats."""
    lines = [
        line
        for path, methods in sorted(document["paths"].items())
        for method, operation in sorted(methods.items())
        for line in _operation(f"{method.upper()} {path}", operation)
    ]
    for name, schema in sorted(document["components"]["schemas"].items()):
        lines += _schema(name, schema)
    return "\n".join(lines) + "\n"


def _operation(title: str, operation: dict) -> list[str]:
    """An operation: how it is called, what it takes, and what it returns."""
    responses = operation["responses"]
    problems = [status for status, each in responses.items() if _PROBLEM in each.get("content", {})]
    returned = {status: each for status, each in responses.items() if status not in problems}
    bodies = [operation["requestBody"]] if "requestBody" in operation else []
    return [
        f"{title} = {operation['operationId']} ({', '.join(operation['tags'])})",
        f"  {operation.get('description', '')}",
        *(f"  parameter {_json(each)}" for each in operation.get("parameters", ())),
        *(f"  body {_json(each)}" for each in bodies),
        *(f"  {status} {_json(each)}" for status, each in returned.items()),
        f"  problems {' '.join(problems)}",
    ]


def _schema(name: str, schema: dict) -> list[str]:
    """A schema: its fields, those that may be missing with a question mark."""
    needed = schema.get("required", ())
    about = {part: each for part, each in schema.items() if part not in ("properties", "required")}
    return [
        f"{name} {_json(about)}",
        *(
            f"  {field}{'' if field in needed else '?'} {_json(each)}"
            for field, each in sorted(schema.get("properties", {}).items())
        ),
    ]


def _json(value) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


if __name__ == "__main__":
    print(outline(pattern().openapi()), end="")
