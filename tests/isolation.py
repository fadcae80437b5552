"""Every call of the API as a stranger makes it, made from the description of the API itself.

What a parameter names is said once, by its name. A parameter that nobody has said anything about
fails the tests that ask for it, so that no new call is left out.
"""

import json
import uuid
from dataclasses import dataclass, field, replace
from itertools import count

from tests.applications import pattern

_SCHEMAS = pattern().openapi()["components"]["schemas"]
OPERATIONS = {
    f"{method.upper()} {path}": operation
    for path, methods in pattern().openapi()["paths"].items()
    for method, operation in methods.items()
}
ASKED = "Where is the xylophone kept?"
_LINES = {"Content-Type": "application/x-ndjson"}

PATHS = {
    "/v1/turns/": "turn",
    "/v1/ground/": "grounded",
    "/v1/sessions/": "session",
    "/v1/projects/": "project",
    "/v1/memories/": "memory",
    "/v1/episodes/": "episode",
    "/v1/reviews/": "review",
    "/v1/changes/": "change",
    "/v1/learn/unread/": "unread",
    "/v1/receipts/": "receipt",
    "/v1/marks/": "mark",
    "/v1/agents/": "agent",
    "/v1/keys/": "key_id",
}
"""What the id in a path names, by how the path begins."""

AFTER = {
    "/v1/sessions": "cursor",
    "/v1/memories": "memory",
    "/v1/episodes": "episode",
    "/v1/memories/assign": "memory",
    "/v1/reviews": "review",
    "/v1/changes": "change",
    "/v1/learn/unread": "unread",
    "/v1/receipts": "receipt",
    "/v1/memory/conflicts": "memory",
    "/v1/events": "event",
    "/v1/events/list": "event",
}
"""What a page goes on after."""

_NAMESPACE = ["agents", "{agent}", "users", "{user}"]

NAMING = {
    "agent": ["{agent}"],
    "user": ["{user}"],
    "from_user": ["{user}"],
    "project": ["{project}"],
    "session": ["{session}"],
    "into": ["{session}"],
    "context": ["{context}"],
    "external_id": ["{external}"],
    "scope_id": ["{session}", "{user}", "{project}"],
    "owner": ["user:{user}", "session:{session}", "project:{project}"],
    "key": ["{memory_key}"],
    "tag": ["{tag}"],
    "ids": [["{memory}", "{other}"], ["{talk}"]],
    "memory": ["{memory}", "{talk}"],
    "source": ["{memory}"],
    "target": ["{other}"],
    "keep": ["{memory}"],
    "supersede": [["{other}"]],
    "keep_both": [["{memory}", "{other}"]],
    "origin": [{"session": "{session}", "ordinal": 1}, {"author": "{user}"}],
    "defaults": ['{"scope": "session", "scope_id": "{session}"}', '{"agent": "{agent}"}'],
    "last-event-id": ["0"],
    "places": [[{"namespace": _NAMESPACE, "key": "{memory_key}"}]],
    "drafts": [
        [{"namespace": _NAMESPACE, "key": "{memory_key}", "value": {"a": "theirs"}}],
        [{"namespace": _NAMESPACE, "key": "{memory_key}", "value": None}],
        [{"namespace": ["users", "{user}"], "key": "new", "value": {"agents": "{agent}"}}],
    ],
    "prefix": [_NAMESPACE, ["agents"], ["*"]],
    "begun": [
        {"text": ASKED, "session": "{session}"},
        {"text": ASKED, "session": "a new one", "user": "{user}"},
        {"text": ASKED, "session": "a new one", "project": "{project}"},
        {"text": ASKED, "session": "a new one", "agent": "{agent}"},
        {"text": ASKED, "context": "{context}"},
    ],
}
"""Parameters that name things of others, and how: as text, in a list or within something."""

BESIDE = {
    "scope_id": [{"scope": "session"}, {"scope": "user"}, {"scope": "project"}],
    "external_id": [{"connector": "slack"}],
    "supersede": [{"keep": "{memory}"}],
}
"""What is said with them, so that the call makes sense."""

HARMLESS = {
    "text": ASKED,
    "user_request": ASKED,
    "content": "a flute",
    "history": [],
    "messages": [{"role": "user", "content": ASKED}],
    "changes": {"phase": "theirs"},
    "items": [{"content": "a harp"}],
    "kind": "INBOUND",
    "reply": "no",
    "path": "/tmp",
    "folder": "/tmp",
    "name": "n",
    "workspace": "north",
    "role": "admin",
    "scope": "user",
    "reason": "mine",
    "contains": "kept",
    "any_state": True,
    "whole": True,
    "episodes": True,
    "forgotten": True,
}
"""Values of parameters that name nothing: those that must be given, and those that show more."""

_SHOWING = ("any_state", "whole", "episodes", "forgotten")
"""Those of them that show more."""

_UNNAMING = """
    org by shown trigger settings receipt scopes types limit after level wait connector hint exclude
    kept preview query filter offset refresh suffix max_depth with_model
    max_bytes embeddings format type importance confidence trust tags metadata pinned valid_from
    valid_to expires_at explicit expires min_importance max_importance min_confidence created_from
    created_to updated_from state sort dry_run mode If-Match relation weight depth turns days learn
    confidence_threshold scope_filter category_filter accept_rules memory_injection search writing
    upkeep postgres server daemon proxy grounding reset_memory_injection_override speaks_for_users
    Tacit-Workspace Idempotency-Key note
"""
UNNAMING = frozenset(_UNNAMING.split())
"""Parameters that name nothing and may be left out."""

_UNKNOWN = (
    "{operation} has a parameter {name!r} that the tests of isolation do not know; say in"
    " tests/isolation.py what it names (NAMING, PATHS, AFTER), or that it names nothing (HARMLESS"
    " with a value if it must be given, else UNNAMING)"
)


@dataclass(frozen=True)
class Call:
    """One request: what is in braces is filled in by whose things are meant."""

    operation: str
    path: str
    query: dict = field(default_factory=dict)
    body: dict | None = None
    raw: bytes | None = None
    names: str = ""

    def filled(self, things):
        """The arguments of a request about these things."""
        method = self.operation.partition(" ")[0]
        given = {"params": _fill(self.query, things)} if self.query else {}
        if self.raw is not None:
            given |= {"content": self.raw, "headers": _LINES}
        elif self.body is not None:
            given["json"] = _fill(self.body, things)
        return method, _fill(self.path, things), given


def calls(operation):
    """An operation as it must be asked, and once more for each parameter that names something."""
    described = OPERATIONS[operation]
    path, places = _path(operation), {}
    for each in described.get("parameters", ()):
        if each["in"] != "path":
            places[each["name"]] = (each["in"], each.get("required", False), each["schema"])
    for name, (required, schema) in _fields(described).items():
        places[name] = ("body", required, schema)
    for name in places:
        if name not in NAMING and name not in HARMLESS and name not in UNNAMING:
            raise AssertionError(_UNKNOWN.format(operation=operation, name=name))
    must = {name: _usual(operation, name) for name, (_, required, _) in places.items() if required}
    must |= {name: HARMLESS[name] for name in _SHOWING if name in places}
    if operation == "POST /v1/memories/erase":
        must["contains"] = HARMLESS["contains"]
    yield _call(operation, path, places, must)
    for name, (_, _, schema) in places.items():
        for given in _named(operation, name, schema):
            yield _call(operation, path, places, {**must, **given}, name)


def in_other_words(operation):
    """The calls of an operation, and each with other words where it can have some."""
    for call in calls(operation):
        yield call
        if call.body is not None and "content" in _fields(OPERATIONS[operation]):
            yield replace(call, body={**call.body, "content": HARMLESS["content"]})


def _call(operation, path, places, given, names=""):
    query = {name: each for name, each in given.items() if places[name][0] == "query"}
    body = {name: each for name, each in given.items() if places[name][0] == "body"}
    content = OPERATIONS[operation].get("requestBody", {}).get("content", {})
    raw = b'{"content": "a drum"}' if content and "application/json" not in content else None
    is_sent = "application/json" in content
    return Call(operation, path, query, body if is_sent else None, raw, names)


def _path(operation):
    path = operation.partition(" ")[2]
    if "{" not in path:
        return path
    named = next((thing for start, thing in PATHS.items() if path.startswith(start)), None)
    if named is None or path.count("{") > 1:
        raise AssertionError(_UNKNOWN.format(operation=operation, name="id in its path"))
    return path[: path.index("{")] + "{" + named + "}" + path[path.index("}") + 1 :]


def _fields(described):
    """The fields of a JSON body, and whether each must be given."""
    content = described.get("requestBody", {}).get("content", {})
    schema = _resolved(content.get("application/json", {}).get("schema", {}))
    required = schema.get("required", ())
    return {name: (name in required, each) for name, each in schema.get("properties", {}).items()}


def _resolved(schema):
    for each in schema.get("anyOf", ()):
        if "$ref" in each:
            schema = each
    return _SCHEMAS[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def _usual(operation, name):
    """A value that a call cannot do without."""
    if name in HARMLESS:
        return HARMLESS[name]
    if name in NAMING:
        return NAMING[name][0]
    raise AssertionError(_UNKNOWN.format(operation=operation, name=name))


def _named(operation, name, schema):
    """The ways in which a parameter names something, with what is said beside it."""
    if name == "after":
        thing = AFTER.get(operation.partition(" ")[2])
        if thing is None:
            raise AssertionError(_UNKNOWN.format(operation=operation, name="after"))
        return [{"after": "{" + thing + "}"}]
    if name == "items":
        drafts = [{"agent": "{agent}"}, {"scope": "session", "scope_id": "{session}"}]
        return [{"items": [{"content": "a harp", **each}]} for each in drafts]
    if name not in NAMING or (name == "context" and _is_list(schema)):
        return []
    if name == "source" and "target" not in str(OPERATIONS[operation]):
        return []  # a filter by who wrote it, which names nobody
    beside = BESIDE.get(name, [{}] * len(NAMING[name]))
    return [{name: each, **more} for each, more in zip(NAMING[name], beside, strict=True)]


def _is_list(schema):
    return "array" in json.dumps(schema)


def _fill(value, things):
    if isinstance(value, dict):
        return {name: _fill(each, things) for name, each in value.items()}
    if isinstance(value, list):
        return [_fill(each, things) for each in value]
    if isinstance(value, str):
        for name, thing in things.items():
            value = value.replace("{" + name + "}", thing)
    return value


_numbers = count(1)


def absent(things):
    """Things of the same kinds that are not there, and never were."""
    number = next(_numbers)
    return {name: _absent(name, value, number) for name, value in things.items()}


def _absent(name, value, number):
    try:
        uuid.UUID(value)
    except ValueError:
        return value if name in ("cursor", "event") else f"nowhere-{number}"
    return f"01890a5d-ac96-774b-bcce-{number:012x}"
