"""Whatever a body, a query or a path holds, no call answers with an error of the server."""

import itertools
import json
import math
import sys
from random import Random
from urllib.parse import quote

import pytest

from tests.serving import pattern, served

pytestmark = pytest.mark.usefixtures("patient")


def _nested(depth, inner=1):
    for _ in range(depth):
        inner = {"d": [inner]}
    return inner


HOSTILE = (
    _nested(60),
    _nested(450),
    [[[[]]]] * 100,
    "\ud800",
    "a\udfffb",
    "a\0b",
    "\0",
    "",
    " ",
    "\n",
    "x" * 60_000,
    "\u202e",
    "🇩" * 300,
    10**18,
    10**400,
    -(10**400),
    1e308,
    math.inf,
    -math.inf,
    math.nan,
    -1,
    0,
    1.5,
    True,
    None,
    [],
    {},
    [None],
    [""],
    ["\ud800"],
    [[]],
    [{}],
    {"": ""},
    {"\ud800": 1},
    {"a": "\ud800"},
    [{"role": "user", "content": "\ud800"}],
    [{"role": "user", "content": _nested(450)}],
    [{"role": "user", "content": math.inf}],
    [{"role": "user", "content": [{"type": "text", "text": {"a": 1}}]}],
    [{"role": "user", "content": [{"type": "tool_result", "content": _nested(60)}]}],
    "2026-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999-23:59",
    "01890a5d-ac96-7000-8000-000000000001",
)
IN_ADDRESS = [each for each in HOSTILE if isinstance(each, str | int | float) and each != ""]


class Operation:
    """One call that the application describes."""

    def __init__(self, path, method, described, schemas):
        self.path = path
        self.method = method
        self._schemas = schemas
        self._parameters = described.get("parameters", [])
        content = described.get("requestBody", {}).get("content", {})
        self.schema = content.get("application/json", {}).get("schema")

    def __str__(self):
        return f"{self.method.upper()} {self.path}"

    def requests(self):
        """Hostile ones: one part of each is hostile, and the others are as in the examples."""
        for name, value in itertools.product(self._names("path"), IN_ADDRESS):
            yield self._address({name: value}), self._body()
        for name, value in itertools.product(self._names("query"), IN_ADDRESS):
            yield f"{self._address({})}?{name}={_quoted(value)}", self._body()
        if self.schema is not None:
            for value in HOSTILE:
                yield self._address({}), value
            for name, value in itertools.product(self._properties(), HOSTILE):
                yield self._address({}), {**self._body(), name: value}

    def example(self):
        """What the description gives as an example."""
        return self._address({}), self._body()

    def _names(self, place):
        return [each["name"] for each in self._parameters if each["in"] == place]

    def _address(self, given):
        path = self.path
        for name in self._names("path"):
            value = given.get(name, "01890a5d-ac96-7000-8000-000000000001")
            path = path.replace(f"{{{name}}}", _quoted(value))
        return path

    def _properties(self):
        return list(self._resolved(self.schema).get("properties", {}))

    def _body(self):
        """What the description gives as an example."""
        if self.schema is None:
            return None
        shape = self._resolved(self.schema)
        if "examples" in shape:
            return dict(shape["examples"][0])
        named = shape.get("properties", {}).items()
        return {name: each["examples"][0] for name, each in named if "examples" in each}

    def _resolved(self, schema):
        return self._schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def _quoted(value):
    return quote(str(value).encode(errors="surrogatepass"), safe="")[:2_000]


def _operations():
    description = pattern().openapi()
    schemas = description["components"]["schemas"]
    return [
        Operation(path, method, described, schemas)
        for path, methods in description["paths"].items()
        for method, described in methods.items()
        if path != "/v1/events"
    ]


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A server without a limit on requests."""
    config = tmp_path_factory.mktemp("bodies") / "tacit.toml"
    config.write_text("[server]\nrequests_per_minute = 0\n")
    with served(config=config) as house:
        house.tacit.remember("the tea is green")
        yield house


def _failures(house, operation, requests):
    headers = {"Content-Type": "application/json"}
    for address, body in requests:
        content = None if body is None else json.dumps(body)
        answer = house.client.request(operation.method, address, content=content, headers=headers)
        if answer.status_code >= 500:
            yield f"{answer.status_code} {address[:200]} {ascii(content)[:300]}"


@pytest.mark.parametrize("operation", _operations(), ids=str)
def test_some_hostile_requests_get_no_error_of_the_server(house, operation):
    requests = list(operation.requests())
    some = Random(str(operation)).sample(requests, min(len(requests), 12))
    assert not list(_failures(house, operation, some))


@pytest.mark.slow
@pytest.mark.parametrize("operation", _operations(), ids=str)
def test_no_hostile_request_gets_an_error_of_the_server(house, operation):
    assert not list(_failures(house, operation, operation.requests()))


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/v1/memories", {"content": "x", "metadata": _nested(450)}, "metadata.d.0.d.0.d.0.d"),
        ("/v1/memories", {"content": "x", "metadata": {"a": "\ud800"}}, "metadata.a"),
        ("/v1/memories", {"content": "x", "tags": ["b", "\ud800"]}, "tags.1"),
        ("/v1/turns", {"session": "s", "text": "\ud800"}, "text"),
        (
            "/v1/turns",
            {"session": "s", "text": "a", "history": [{"role": "user", "content": "\ud800"}]},
            "history.0.content",
        ),
        (
            "/v1/turns",
            {"session": "s", "text": "a", "history": [{"role": "user", "content": math.nan}]},
            "history.0.content",
        ),
        ("/v1/extract", {"text": "a\udc80"}, "text"),
    ],
)
def test_broken_text_and_deep_nesting_are_refused_by_the_name_of_the_field(
    house, path, body, field
):
    answer = house.client.post(
        path, content=json.dumps(body), headers={"Content-Type": "application/json"}
    )
    assert (answer.status_code, answer.json()["field"]) == (422, field)


@pytest.mark.parametrize("body", ["[" * 100_000, "[" * 2_000 + "]" * 2_000, '{"text":' * 3_000])
def test_nesting_that_python_cannot_follow_is_refused(house, body):
    answer = house.client.post(
        "/v1/extract", content=body, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code in (400, 422)


READING = ("archive", "extraction", "grounding", "history", "learning", "query", "redaction",
           "render", "search", "selection", "statements", "strategy", "structure", "summary",
           "text", "turn")  # fmt: skip
"""Rooms that read texts."""


def test_no_text_is_read_on_the_loop_that_answers(house, caplog):
    """What a long text costs must be paid on a thread, or nobody else is answered meanwhile."""
    caplog.set_level("ERROR")  # what is logged is redacted where it is said
    entered = set()

    def notice(frame, event, _):
        room = frame.f_code.co_filename.partition("/tacit/")[2].partition("/")[0]
        if event == "call" and room in READING:
            entered.add((room, frame.f_code.co_name))

    def ask(operation):
        address, body = operation.example()
        content = None if body is None else json.dumps(body)
        headers = {"Content-Type": "application/json"}
        house.client.request(operation.method, address, content=content, headers=headers)

    for operation in _operations():  # once without a look, so that everything is loaded
        ask(operation)
    house.client.portal.call(sys.setprofile, notice)
    try:
        for operation in _operations():
            ask(operation)
    finally:
        house.client.portal.call(sys.setprofile, None)
    assert entered == set()


def test_health_answers_head_like_get_without_a_body(house):
    get, head = house.client.get("/health"), house.client.head("/health")
    assert head.status_code == get.status_code == 200
    assert head.content == b""
    assert head.headers["content-length"] == get.headers["content-length"]
