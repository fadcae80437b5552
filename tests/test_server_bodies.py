"""Whatever a body, a query or a path holds, no call answers with an error of the server."""

import itertools
import json
import math
import sys
from random import Random
from urllib.parse import quote

import pytest
from fastapi.exceptions import RequestValidationError
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.json_checks import has_more_values_than
from tacit.language.redaction import redact
from tacit.server import problems
from tests.applications import pattern
from tests.serving import served


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
            for name, value in itertools.product(self.properties(), HOSTILE):
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

    def properties(self):
        """The fields of a body."""
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
    some = Random(str(operation)).sample(requests, min(len(requests), 4))
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
    assert answer.status_code in (400, 413, 422)


MANY = 500
SMALL_ANSWER = 8_000
MOST_ERRORS = 50
TOO_MANY = f"[{'1,' * 300_000}1]"


def _bodies_with_very_many_values(operation):
    """Each list, and the body itself, with more wrong values than anybody sends."""
    _, body = operation.example()
    yield {**body, **dict.fromkeys(map(str, range(MANY)), 1)}
    yield [1] * MANY
    for name in operation.properties():
        yield {**body, name: [1] * MANY}
        yield {**body, name: [{"no": 1}] * MANY}


@pytest.mark.parametrize("operation", [each for each in _operations() if each.schema], ids=str)
def test_very_many_wrong_values_get_one_short_answer(house, operation, monkeypatch):
    told = []

    async def count(request, error):
        told.append(len(error.errors()))
        return await problems._handle_validation_error(request, error)

    monkeypatch.setitem(house.client.app.exception_handlers, RequestValidationError, count)
    monkeypatch.setattr(house.client.app, "middleware_stack", None)
    headers = {"Content-Type": "application/json"}
    address, _ = operation.example()
    for body in _bodies_with_very_many_values(operation):
        content = json.dumps(body)
        answer = house.client.request(operation.method, address, content=content, headers=headers)
        assert answer.status_code < 500, content[:200]
        if answer.status_code >= 400:
            assert len(answer.content) < SMALL_ANSWER, content[:200]
    assert max(told, default=0) <= MOST_ERRORS


@pytest.mark.parametrize("operation", [each for each in _operations() if each.schema], ids=str)
def test_a_body_with_more_values_than_are_taken_is_refused_unread(house, operation):
    address, _ = operation.example()
    headers = {"Content-Type": "application/json"}
    answer = house.client.request(operation.method, address, content=TOO_MANY, headers=headers)
    assert answer.status_code == 413, answer.text
    assert len(answer.content) < SMALL_ANSWER


@pytest.mark.parametrize("value", ["[]", "{}", '{"a":1}', "[[],1]", "null"])
def test_no_kind_of_value_is_taken_in_such_numbers(house, value):
    content = f'{{"session":"s","text":"a","history":[{",".join([value] * 270_000)}]}}'
    headers = {"Content-Type": "application/json"}
    answer = house.client.post("/v1/turns/preview", content=content, headers=headers)
    assert answer.status_code == 413


def test_commas_and_brackets_of_texts_are_no_values(house):
    text = ',[{"\\' * 60_000
    asked = {"session": "s", "text": "hi", "history": [{"role": "user", "content": text}]}
    assert house.client.post("/v1/turns/preview", json=asked).status_code == 200


@given(json_texts=st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
))  # fmt: skip
def test_values_are_counted_without_being_read(json_texts):
    content = json.dumps(json_texts, ensure_ascii=False).encode(errors="replace")
    count = _values(json.loads(content))
    assert not has_more_values_than(content, count)
    assert count < 2 or has_more_values_than(content, count // 2 - 1)


def _values(value):
    """How many lists and objects there are, and how many values stand in them."""
    inner = list(value.values()) if isinstance(value, dict) else value
    if not isinstance(inner, list):
        return 0
    return 1 + len(inner) + sum(map(_values, inner))


def test_an_import_names_some_of_very_many_lines_that_it_leaves_out(house):
    answer = house.client.post("/v1/memories/import", content=b'{"x":1}\n' * 5_000)
    told = answer.json()
    assert (len(told["rejected"]), told["rejected_count"]) == (1_000, 5_000)
    assert [each["line"] for each in told["rejected"]] == list(range(1, 1_001))


def test_a_long_name_of_a_field_is_cut_in_the_answer(house):
    answer = house.client.post("/v1/memories", json={"content": "x", "n" * 500_000: 1})
    assert answer.status_code == 422
    assert len(answer.content) < SMALL_ANSWER


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


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/v1/ground", {"context": "c"}, "text"),
        ("/v1/prompt", {"context": "c"}, "text"),
        ("/v1/chat", {"context": "c", "kind": "INBOUND"}, "text"),
        ("/v1/ground/01890a5d-ac96-7000-8000-000000000001/commit", {}, "reply"),
    ],
)
def test_what_a_chat_log_takes_has_so_many_characters(house, path, body, field):
    answer = house.client.post(path, json={**body, field: "password = " * 20_000})
    assert answer.status_code == 422
    assert answer.json()["field"] == field
    assert "at most 200000 characters" in answer.json()["detail"]


def test_the_start_of_a_long_message_is_read(house, monkeypatch):
    read = []
    inner = redact.redact
    monkeypatch.setattr(redact, "redact", lambda text: read.append(len(text)) or inner(text))
    memory = house.tacit.remember("the tea is green").id
    text = "I like tea. " + "password = " * 50_000
    assert house.client.post("/v1/extract", json={"text": text}).status_code == 200
    assert house.tacit.turns.mark_irrelevant_for(text, memory)
    assert read
    assert max(read) < 50_000


_ID = "01890a5d-ac96-774b-bcce-b302099a8057"


@pytest.mark.parametrize(
    ("call", "given", "field"),
    [
        ("GET /v1/memories/xyz", {}, "memory_id"),
        ("PATCH /v1/memories/xyz", {"json": {"pinned": True}}, "memory_id"),
        ("GET /v1/memories/xyz/history", {}, "memory_id"),
        ("GET /v1/episodes/xyz", {}, "episode_id"),
        ("GET /v1/reviews/xyz", {}, "review_id"),
        ("POST /v1/reviews/xyz/accept", {"json": {}}, "review_id"),
        ("GET /v1/receipts/xyz", {}, "receipt_id"),
        ("POST /v1/turns/xyz/rollback", {}, "turn_id"),
        ("POST /v1/ground/xyz/commit", {"json": {"reply": "ok"}}, "turn_id"),
        ("DELETE /v1/learn/unread/xyz", {}, "turn_id"),
        ("DELETE /v1/marks/xyz", {}, "mark_id"),
        ("GET /v1/memories", {"params": {"after": "xyz"}}, "after"),
        ("GET /v1/reviews", {"params": {"after": "xyz"}}, "after"),
        ("POST /v1/links", {"json": {"source": _ID, "target": "xyz"}}, "target"),
        ("DELETE /v1/links", {"params": {"source": "xyz", "target": _ID}}, "source"),
        ("POST /v1/memory/conflicts/resolve", {"json": {"keep": "xyz"}}, "keep"),
        (
            "POST /v1/memory/conflicts/resolve",
            {"json": {"keep": _ID, "supersede": [_ID, "xyz"]}},
            "supersede.1",
        ),
        ("POST /v1/memory/conflicts/resolve", {"json": {"keep_both": ["xyz"]}}, "keep_both.0"),
        (f"POST /v1/receipts/{_ID}/irrelevant", {"json": {"memory": "xyz"}}, "memory"),
        ("POST /v1/memories/bulk/get", {"json": {"ids": ["xyz"]}}, "ids.0"),
    ],
)
def test_a_bad_id_is_named_as_the_caller_wrote_it(house, call, given, field):
    answer = house.client.request(*call.split(" ", 1), **given)
    assert answer.status_code == 422
    told = answer.json()
    assert told["field"] == field
    assert told["detail"].startswith("'xyz' is not an id; ids look like 0189")
