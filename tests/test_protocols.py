"""One face: the protocol, `Tacit`, `RemoteTacit` and `AsyncTacit` have the same typed calls."""

import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import pytest

import tacit.api
from tacit import AsyncTacit, RemoteTacit, Tacit, TacitProtocol
from tacit.api.client.grounding import RemoteDocuments
from tacit.api.protocols.grounding import DocumentsProtocol
from tacit.grounding.documents.library import Documents
from tests.applications import pattern

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs/client.md"
SAMPLE = ROOT / "tests/typing_sample.py"

_FOLDERS = "folders are on the machine where hooks and commands run, not where a server does"
ONLY_LOCAL = {
    "forget_place": _FOLDERS,
    "join_project": _FOLDERS,
    "leave_project": _FOLDERS,
    "match_project": _FOLDERS,
    "project_places": _FOLDERS,
    "check_visible": "a check that the server makes for the key of an agent",
    "reached_by": "what the key of an agent or a user reaches, the server looks at",
    "erasures_of": "what the key of an agent or a user may erase, the server looks at",
    "compare_waiting": "the server compares in the background; a command ends before that",
    "count_uncompared": "the same",
    "describe": "where the store is, is for who runs the server; stats tells what they may know",
    "embed_missing": "work on the store itself, which the server does",
    "find_id": "short ids are for people at a command line",
    "is_paused": "a hook asks it in the process that serves; `session` tells it of a session",
    "find_turn": "an open turn, with what its end will write, stays where it is kept",
    "note_turn": "hooks note it in the process that serves",
    "note": "events are told by who makes them",
    "prune_events": "work on the store itself, which the server does",
    "warm": "the server is warm",
    "watch_learning": "it calls a function of this process; the server counts what it learns",
}
ONLY_REMOTE = {
    "watch": "a store in a file tells nobody when something happens",
    "within": "only who asks over a network waits for an answer",
}
LEFT_OUT = {
    "compact": {"summarizer": "an object of this process; the server sums up with its own"},
    "import_from": {
        "only_for": "whose import it is, the key says",
        "org_rules": "whether it may bring them in, the role of the key says",
    },
}
OTHER_RESULTS = {"in_workspace": "own"}


def _methods(kind):
    found = inspect.getmembers(kind, inspect.isfunction)
    return {name: method for name, method in found if not name.startswith("_")}


def _parameters(method, left_out=()):
    """The parameters without `self`; of defaults that are functions, only that they are."""
    found = list(inspect.signature(method).parameters.values())[1:]
    return [
        (each.name, each.kind, each.annotation, callable(each.default) or each.default)
        for each in found
        if each.name not in left_out
    ]


SHARED = _methods(TacitProtocol)


def test_the_protocol_has_every_call_that_the_library_and_the_client_share():
    here, there = _methods(Tacit), _methods(RemoteTacit)
    assert here.keys() - SHARED.keys() == ONLY_LOCAL.keys()
    assert there.keys() - SHARED.keys() == ONLY_REMOTE.keys()
    assert not ONLY_LOCAL.keys() & ONLY_REMOTE.keys()


def test_async_programs_have_every_call_that_the_library_or_the_client_has():
    assert _methods(AsyncTacit).keys() == SHARED.keys() | ONLY_LOCAL.keys() | ONLY_REMOTE.keys()


@pytest.mark.parametrize("kind", [Tacit, RemoteTacit])
@pytest.mark.parametrize("name", list(SHARED))
def test_a_shared_call_is_implemented_with_the_signature_of_the_protocol(name, kind):
    wanted, offered = SHARED[name], getattr(kind, name)
    assert offered is not wanted
    assert _parameters(offered, LEFT_OUT.get(name, ())) == _parameters(wanted)
    if name not in OTHER_RESULTS:
        result = inspect.signature(wanted).return_annotation
        assert inspect.signature(offered).return_annotation == result
    assert inspect.getdoc(offered) == inspect.getdoc(wanted)


@pytest.mark.parametrize("name", list(_methods(AsyncTacit)))
def test_a_call_is_awaited_with_the_signature_of_the_library_or_the_client(name):
    wanted, offered = (
        getattr(Tacit if hasattr(Tacit, name) else RemoteTacit, name),
        getattr(AsyncTacit, name),
    )
    assert _parameters(offered) == _parameters(wanted)
    if name not in ("in_workspace", "within"):
        assert inspect.getdoc(offered) == inspect.getdoc(wanted)
        assert inspect.iscoroutinefunction(offered) == (
            name not in ("turn", "conversation", "wrap")
        )


@pytest.mark.parametrize("name", ["open", "connect"])
def test_async_programs_open_and_connect_with_the_arguments_of_the_library(name):
    own, other = (inspect.signature(getattr(each, name)) for each in (AsyncTacit, Tacit))
    assert own.parameters == other.parameters


@pytest.mark.parametrize("name", list(_methods(DocumentsProtocol)))
def test_documents_have_the_same_calls_in_the_library_and_at_a_server(name):
    wanted = _parameters(getattr(DocumentsProtocol, name))
    assert _parameters(getattr(RemoteDocuments, name)) == wanted
    assert _parameters(getattr(Documents, name), ["progress"]) == wanted


def test_every_public_class_and_method_of_the_api_is_documented():
    for module in pkgutil.walk_packages(tacit.api.__path__, "tacit.api."):
        for name, kind in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if kind.__module__ != module.name or name.startswith("_"):
                continue
            assert inspect.getdoc(kind), name
            for own, value in vars(kind).items():
                is_call = isinstance(value, FunctionType | property | classmethod)
                if is_call and not own.startswith("_"):
                    assert inspect.getdoc(getattr(kind, own)), (name, own)


def _endpoints():
    for kind in (RemoteTacit, RemoteDocuments):
        for name, method in _methods(kind).items():
            if hasattr(method, "endpoint"):
                yield pytest.param(method.endpoint, id=f"{kind.__name__}.{name}")


@pytest.mark.parametrize("endpoint", list(_endpoints()))
def test_a_derived_call_has_a_route_that_takes_what_it_sends(endpoint):
    routes = {
        (method.upper(), re.sub(r"\{\w+\}", "{}", path)): found
        for path, methods in pattern().openapi()["paths"].items()
        for method, found in methods.items()
    }
    route = routes[endpoint.method, re.sub(r"\{\w+\}", "{}", endpoint.path)]
    sent = {*endpoint.signature.parameters, *endpoint.query} - {*endpoint.path_names}
    assert {*endpoint.path_names} <= endpoint.signature.parameters.keys()
    if endpoint.method == "POST":
        assert sent <= _body_fields(route)
    else:
        assert sent <= {each["name"] for each in route.get("parameters", ())}


def _body_fields(route):
    content = route.get("requestBody", {}).get("content", {}).get("application/json", {})
    schema = content.get("schema", {})
    named = [schema, *schema.get("anyOf", ())]
    schemas = pattern().openapi()["components"]["schemas"]
    found = [schemas[each["$ref"].rpartition("/")[2]] for each in named if "$ref" in each]
    return {field for each in found for field in each["properties"]}


def test_a_derived_call_takes_arguments_as_any_function_does():
    with Tacit.connect("http://127.0.0.1:1") as remote:
        for call in (
            lambda: remote.get(),
            lambda: remote.get("a", "b"),
            lambda: remote.get(memory="a"),
            lambda: remote.fork("a", session="b", into="c"),
        ):
            with pytest.raises(TypeError):
                call()


def test_a_type_checker_knows_the_calls_and_finds_mistakes_in_each():
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", str(SAMPLE)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.findall(r"typing_sample\.py:(\d+): error: .*\[([\w-]+)\]", ran.stdout)
    lines = SAMPLE.read_text().splitlines()
    wanted = [
        (str(number), mistake[1])
        for number, line in enumerate(lines, start=1)
        if (mistake := re.search(r"# mistake: ([\w-]+)", line))
    ]
    assert len(wanted) >= 9
    assert found == wanted, ran.stdout + ran.stderr


def test_the_docs_name_all_that_differs():
    page = PAGE.read_text()
    named = [
        *ONLY_LOCAL,
        *ONLY_REMOTE,
        *LEFT_OUT,
        *(name for each in LEFT_OUT.values() for name in each),
    ]
    for name in (*named, "embedder_name", "worker", "keys", "answers", "server"):
        assert f"`{name}`" in page or f"`{name}(" in page, name
