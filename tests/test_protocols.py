"""One face: the protocol, `Tacit`, `RemoteTacit` and `AsyncTacit` have the same typed calls."""

import importlib
import inspect
import pkgutil
import pydoc
import re
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import pytest

import tacit.api
from tacit import AsyncTacit, BaseTacit, RemoteTacit, Tacit
from tacit.api.async_parts import (
    AsyncArchive,
    AsyncChanges,
    AsyncConflicts,
    AsyncDocuments,
    AsyncEpisodes,
    AsyncGrounding,
    AsyncItems,
    AsyncKeys,
    AsyncMemories,
    AsyncReviews,
    AsyncSessions,
    AsyncSettings,
    AsyncTurns,
    AsyncWorkspace,
)
from tacit.api.calls.administration import Keyring, Settings
from tacit.api.calls.changes import Changes
from tacit.api.calls.episodes import Episodes
from tacit.api.calls.grounding import GroundedPrompts
from tacit.api.calls.items import Items
from tacit.api.calls.maintenance import Archive
from tacit.api.calls.memories import Memories
from tacit.api.calls.observation import Workspace
from tacit.api.calls.relations import Conflicts
from tacit.api.calls.reviews import Reviews
from tacit.api.calls.sessions import Sessions
from tacit.api.calls.turns import Turns
from tacit.api.client.administration import RemoteKeyring, RemoteSettings
from tacit.api.client.conversations import RemoteSessions, RemoteTurns
from tacit.api.client.grounding import RemoteDocuments, RemoteGrounding
from tacit.api.client.items import RemoteItems
from tacit.api.client.memories import (
    RemoteChanges,
    RemoteConflicts,
    RemoteEpisodes,
    RemoteMemories,
    RemoteReviews,
)
from tacit.api.client.observation import RemoteArchive, RemoteWorkspace
from tacit.api.protocols.administration import KeysProtocol, SettingsProtocol
from tacit.api.protocols.conversations import SessionsProtocol, TurnsProtocol
from tacit.api.protocols.episodes import EpisodesProtocol
from tacit.api.protocols.grounding import DocumentsProtocol, GroundingProtocol
from tacit.api.protocols.items import ItemsProtocol
from tacit.api.protocols.memories import (
    ChangesProtocol,
    ConflictsProtocol,
    MemoriesProtocol,
    ReviewsProtocol,
)
from tacit.api.protocols.observation import ArchiveProtocol, WorkspaceProtocol
from tacit.grounding.documents.library import Documents
from tests.applications import pattern

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs/client.md"
SAMPLE = ROOT / "tests/typing_sample.py"

_FOLDERS = "folders are on the machine where hooks and commands run, not where a server does"
ONLY_LOCAL = {
    "warm": "the server is warm",
    "projects": _FOLDERS,
    "keys.any": "whether a server lets callers in without a key",
    "keys.find_by_token": "what servers let callers in by",
    "memories.check_visible": "a check that the server makes for the key of an agent",
    "memories.erasures_of": "what the key of an agent or a user may erase, the server looks at",
    "memories.find_id": "short ids are for people at a command line",
    "conflicts.compare_waiting": "the server compares in the background",
    "conflicts.count_uncompared": "the same",
    "workspace.describe": "where the store is, is for who runs the server; stats tells the rest",
    "workspace.embedder_name": "the status of the server has it",
    "workspace.note": "events are told by who makes them",
    "workspace.prune_events": "work on the store itself, which the server does",
    "workspace.watch_learning": "it calls a function of this process",
    "archive.embed_missing": "work on the store itself, which the server does",
    "archive.change_model": "the same",
    "archive.restore_model": "who runs the store goes back",
    "archive.drop_old_vectors": "the same",
    "sessions.is_paused": "a hook asks it in the process that serves; `sessions.get` tells it",
    "turns.begin_turn": "what other objects of the library begin turns by",
    "turns.await_warm_up": "the same",
    "turns.commit_found": "the same",
    "turns.rebuild": "the same",
    "turns.warm": "the server is warm",
    "turns.find": "an open turn, with what its end will write, stays where it is kept",
    "turns.note": "hooks note it in the process that serves",
    "episodes.search": "`search(…, episodes=True)` asks for both",
    "episodes.owners": "whose words are searched",
    "episodes.check_visible": "a check that the server makes for the key of an agent",
}
ONLY_REMOTE = {
    "server": "the status, readiness and metrics of a server",
    "within": "only who asks over a network waits for an answer",
    "workspace.watch": "a store in a file tells nobody when something happens",
}
LEFT_OUT = {
    "sessions.compact": {"summarizer": "an object of this process; the server has its own"},
    "archive.import_from": {
        "only_for": "whose import it is, the key says",
        "org_rules": "whether it may bring them in, the role of the key says",
    },
}
HELD = {
    "memories": (MemoriesProtocol, Memories, RemoteMemories, AsyncMemories),
    "turns": (TurnsProtocol, Turns, RemoteTurns, AsyncTurns),
    "sessions": (SessionsProtocol, Sessions, RemoteSessions, AsyncSessions),
    "episodes": (EpisodesProtocol, Episodes, RemoteEpisodes, AsyncEpisodes),
    "reviews": (ReviewsProtocol, Reviews, RemoteReviews, AsyncReviews),
    "conflicts": (ConflictsProtocol, Conflicts, RemoteConflicts, AsyncConflicts),
    "changes": (ChangesProtocol, Changes, RemoteChanges, AsyncChanges),
    "archive": (ArchiveProtocol, Archive, RemoteArchive, AsyncArchive),
    "items": (ItemsProtocol, Items, RemoteItems, AsyncItems),
    "documents": (DocumentsProtocol, Documents, RemoteDocuments, AsyncDocuments),
    "grounding": (GroundingProtocol, GroundedPrompts, RemoteGrounding, AsyncGrounding),
    "workspace": (WorkspaceProtocol, Workspace, RemoteWorkspace, AsyncWorkspace),
    "settings": (SettingsProtocol, Settings, RemoteSettings, AsyncSettings),
    "keys": (KeysProtocol, Keyring, RemoteKeyring, AsyncKeys),
}
NOT_ASYNC = {
    "any",
    "find_by_token",
    "begin_turn",
    "await_warm_up",
    "commit_found",
    "rebuild",
    "warm",
    "owners",
}
"""What other objects of the library use, and programs do not."""


_EPISODES = {"search", "owners", "check_visible"}


def _methods(kind):
    found = inspect.getmembers(kind, inspect.isfunction)
    return {name: method for name, method in found if not name.startswith("_")}


def _names(kind):
    return {name for name in dir(kind) if not name.startswith("_")}


def _parameters(method, left_out=()):
    """The parameters without `self`; of defaults that are functions, only that they are."""
    found = list(inspect.signature(method).parameters.values())[1:]
    return [
        (each.name, each.kind, each.annotation, callable(each.default) or each.default)
        for each in found
        if each.name not in left_out
    ]


def _only(holder, named):
    return {name.removeprefix(f"{holder}.") for name in named if name.startswith(f"{holder}.")}


def test_the_face_is_small_enough_to_read():
    for kind in (Tacit, RemoteTacit, AsyncTacit):
        with Tacit.open(":memory:", embedder="none") as tacit:
            held = {Tacit: tacit, AsyncTacit: AsyncTacit(tacit)}.get(kind, kind)
            assert len(_names(kind)) <= 40
            assert len(_names(held)) <= 40
        assert len(kind.__mro__) <= 3
        assert len(inspect.signature(kind).parameters) <= 6
    assert len(pydoc.render_doc(Tacit).splitlines()) <= 135


def test_the_library_and_the_client_hold_the_same_objects_and_calls():
    here, there = _methods(Tacit), _methods(RemoteTacit)
    shared = _methods(BaseTacit).keys() | {"connect"}
    assert here.keys() | {"connect"} == shared | {"warm"}
    assert there.keys() | {"connect"} == shared | {"within"}
    for holder in HELD:
        assert holder in BaseTacit.__annotations__ or hasattr(BaseTacit, holder)


@pytest.mark.parametrize("holder", list(HELD))
def test_an_object_has_the_calls_of_its_protocol_in_the_library_and_at_a_server(holder):
    protocol, here, there, later = HELD[holder]
    shared = _methods(protocol).keys()
    assert _methods(here).keys() - shared <= _only(holder, ONLY_LOCAL)
    assert _methods(there).keys() - shared == _only(holder, ONLY_REMOTE)
    offered = (_methods(here).keys() | _methods(there).keys()) - NOT_ASYNC
    if holder == "episodes":
        offered -= _EPISODES
    assert _methods(later).keys() == offered


@pytest.mark.parametrize(
    ("holder", "name"),
    [(holder, name) for holder, kinds in HELD.items() for name in _methods(kinds[0])],
)
def test_a_call_has_the_signature_and_the_words_of_its_protocol_everywhere(holder, name):
    protocol, here, there, later = HELD[holder]
    wanted = getattr(protocol, name)
    progress = ["progress"] if here is Documents else []
    left_out = [*LEFT_OUT.get(f"{holder}.{name}", ()), *progress]
    for kind in (here, there):
        offered = getattr(kind, name)
        assert _parameters(offered, left_out) == _parameters(wanted)
        result = inspect.signature(wanted).return_annotation
        if (holder, name) != ("workspace", "open"):
            assert inspect.signature(offered).return_annotation == result
        assert inspect.getdoc(offered) == inspect.getdoc(wanted) or here is Documents
    awaited = getattr(later, name)
    assert _parameters(awaited, left_out) == _parameters(wanted)
    assert inspect.iscoroutinefunction(awaited) == (
        (holder, name) not in {("turns", "begin"), ("workspace", "open")}
    )


@pytest.mark.parametrize("name", ["open", "connect"])
def test_async_programs_open_and_connect_with_the_arguments_of_the_library(name):
    own, other = (inspect.signature(getattr(each, name)) for each in (AsyncTacit, Tacit))
    assert own.parameters == other.parameters


@pytest.mark.parametrize("name", [*_methods(BaseTacit), "warm"])
def test_async_programs_have_every_call_of_the_library_to_be_awaited(name):
    wanted, offered = getattr(Tacit, name), getattr(AsyncTacit, name)
    assert _parameters(offered) == _parameters(wanted, LEFT_OUT.get(f"sessions.{name}", ())) or (
        name == "compact"
    )
    assert inspect.iscoroutinefunction(offered) == (name not in ("turn", "wrap"))


def test_every_public_class_and_method_of_the_api_is_documented():
    for module in pkgutil.walk_packages(tacit.api.__path__, "tacit.api."):
        for name, kind in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if kind.__module__ != module.name or name.startswith("_"):
                continue
            assert inspect.getdoc(kind), name
            for own, value in vars(kind).items():
                is_call = isinstance(value, FunctionType | property | classmethod)
                if is_call and not own.startswith("_") and own not in NOT_ASYNC:
                    held = getattr(MemoriesProtocol, own, None)
                    assert inspect.getdoc(getattr(kind, own)) or held, (name, own)


def _endpoints():
    for kind in (kinds[2] for kinds in HELD.values()):
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
            lambda: remote.sessions.fork("a", session="b", into="c"),
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
    hidden = {
        *(f"{holder}.{name}" for holder in ("keys", "turns") for name in NOT_ASYNC),
        *(f"episodes.{name}" for name in _EPISODES),
    }
    for name in sorted({*named} - hidden):
        assert f"`{name}`" in page or f"`{name}(" in page, name
