"""The API against its own description: whatever is sent, nothing breaks or answers unannounced."""

import os
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.api_outline import outline
from tests.applications import pattern
from tests.serving import running

_CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
_EXAMPLES = int(os.environ.get("TACIT_TEST_API_EXAMPLES", "8"))
_SETTINGS = settings(
    max_examples=_EXAMPLES,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@schemathesis.serializer("application/x-ndjson")
def _as_lines(_, value):
    return value if isinstance(value, bytes) else str(value).encode(errors="surrogatepass")


def _operations():
    """Every call that the application describes."""
    schema = schemathesis.openapi.from_dict(pattern().openapi())
    return {found.ok().label: found.ok() for found in schema.get_all_operations()}


OPERATIONS = _operations()


def test_the_document_changes_only_on_purpose():
    """After a wanted change: python -m tests.api_outline > tests/api_outline.txt."""
    known = Path(__file__).with_name("api_outline.txt").read_text(encoding="utf-8")
    assert outline(pattern().openapi()).splitlines() == known.splitlines()


def test_every_body_is_described_with_an_example():
    description = pattern().openapi()
    schemas = description["components"]["schemas"]
    bodies = {
        content["schema"].get("$ref", "").rpartition("/")[2]
        for methods in description["paths"].values()
        for operation in methods.values()
        for content in operation.get("requestBody", {}).get("content", {}).values()
    }
    for name in bodies - {""}:
        shape = schemas[name]
        shown = [shape, *shape["properties"].values()]
        assert any("examples" in each for each in shown), name


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A real server that has some memories and a turn; nobody can listen to it for ever."""
    folder = tmp_path_factory.mktemp("contract")
    config = folder / "tacit.toml"
    config.write_text("[server]\nrequests_per_minute = 0\nevent_streams = 0\n")
    environment = {"TACIT_CONFIG": str(config), "TACIT_LOG_LEVEL": "warning"}
    with running(folder / "m.db", "--sample", environment=environment) as server:
        yield server
        assert server.process.poll() is None
        assert not [line for line in server.log if "Traceback" in line]


@pytest.mark.parametrize("label", OPERATIONS)
def test_no_answer_breaks_or_comes_unannounced(server, label):
    @_SETTINGS
    @given(case=OPERATIONS[label].as_strategy())
    def probe(case):
        case.headers = {**(case.headers or {}), "Tacit-Workspace": "sample"}
        response = case.call(base_url=server.url)
        case.validate_response(response, checks=_CHECKS)

    probe()
