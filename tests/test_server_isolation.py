"""Every call of the API: a stranger's key sees and touches nothing that is not its own.

Strangers come from another workspace, or are another agent, another user, or of a lesser role.
"""

import contextlib
import json
import re
import zlib
from dataclasses import replace
from itertools import product

import pytest

from tacit.core.episodes import Episode, EpisodeRole, to_episode_id
from tacit.core.kinds import Scope
from tacit.core.open_turn import CapturedTurn, QueuedTurn, QueueStage
from tacit.runtime.clock import new_id
from tacit.store.episodes import EpisodeTable
from tacit.store.sqlite.in_memory import SqliteInMemoryStore
from tacit.store.workspaces import episodes_workspace, items_workspace
from tests.isolation import OPERATIONS, absent, calls, in_other_words
from tests.serving import served

_SECRET = "zanzibar"
_OF_THE_USER = "timbuktu"
"""What the victim said in a session of its agent, which is refused to other agents."""
_SETTINGS = {"contextual_min_score": 0.05}
_VICTIM = {"agent": "coder", "user": "wilhelmina"}
_BARE = ("GET /health", "GET /ready")

_STRANGERS = {
    "of another workspace": {"workspace": "south"},
    "another agent": {"workspace": "north", "agent": "planner", "speaks_for_users": True},
    "another user": {"workspace": "north", "user": "bob"},
}
_CLAIMING = {
    "POST /v1/turns",
    "POST /v1/turns/preview",
    "POST /v1/sessions/{session}/variables",
    "POST /v1/sessions/{session}/compact",
    "POST /v1/sessions/{session}/pause",
}
"""Calls that begin something under a name: one that others use is refused."""


class World:
    """A store with a workspace north, in which one agent and one user have all that there is."""

    def __init__(self, house):
        self.house = house
        self.client = house.client
        self.north = house.tacit.workspace.open("north")
        house.tacit.workspace.open("south").remember("a bell")
        self.store = house.tacit._context.store
        house.key("admin", workspace="north", **_VICTIM)
        self.things = self._fill()
        self.private = [_SECRET, _OF_THE_USER, *(self.things[name] for name in _IDS)]
        self.kept, self.files, self.seen = self._rows(), self._files(), set()
        self.begun = ""
        """What strangers committed under an id of their choice, and may read again."""

    def _fill(self):
        north, who = self.north, {**_VICTIM, "project": "pavilion"}
        own = {"agent": "coder", "scope": "user", "scope_id": "wilhelmina", "tags": ["zanzibar"]}
        memory, other = north.memories.remember_all(
            [
                {"content": "The xylophone is kept in the zanzibar hall", "key": "x.hall", **own},
                {"content": "The xylophone is kept in the zanzibar mill", **own},
            ]
        )
        for hue in ("red", "blue"):
            north.remember(f"The zanzibar door is {hue}", key="x.door", by="agent", **own)
        (change,) = north.changes.list()
        talk = north.remember("The zanzibar talk", scope="session", scope_id="northern")
        north.memories.link(memory.id, other.id)
        wish = north.edit(memory.id, content="the zanzibar", by="agent").review
        asked = {"session": "northern", "text": "Where is the xylophone of zanzibar kept?"}
        with north.turn(**asked, **who, **_SETTINGS) as turn:
            turn.commit("In zanzibar.")
        assert turn.block is not None
        opened = north.turn(**asked, **who, **_SETTINGS, history=turn.history)
        place = {"connector": "slack", "external_id": "C024", "context": "launch"}
        for context in (place, {"context": "launch"}):
            north.ground("We meet in zanzibar, as we discussed.", **context, **who).commit("Yes.")
        grounded = north.ground("Is it zanzibar?", context="launch", **who)
        north.sessions.set_variables("northern", {"phase": "zanzibar"})
        north.sessions.pause(project="pavilion")
        said = CapturedTurn(
            id=turn.receipt.id, session="northern", at=turn.receipt.at, said=(_SECRET,), **_VICTIM
        )
        with self.store.write("north") as unit:
            unit.heard.put(QueuedTurn(turn=said, stage=QueueStage.READ))
            unread = replace(said, id=new_id())
            unit.heard.put(QueuedTurn(turn=unread, stage=QueueStage.FRESH))
            unit.heard.set_aside([unread.id], "too deep")
        episode = Episode(
            id=to_episode_id(new_id()),
            session="northern",
            place=1,
            role=EpisodeRole.USER,
            at=turn.receipt.at,
            text="The xylophone of zanzibar is kept in the hall",
            scope=Scope.SESSION,
        )
        own = replace(
            episode,
            id=to_episode_id(new_id()),
            text=f"The xylophone of {_OF_THE_USER} is kept in the hall",
            user="wilhelmina",
            scope=Scope.USER,
        )
        with self.store.write(episodes_workspace("north")) as unit:
            assert EpisodeTable(unit).add(episode, "s1")
            assert EpisodeTable(unit).add(own, "s2")
        self.own_episode = own.id
        namespace = ("agents", "coder", "users", "wilhelmina")
        north.items.put(namespace, "x.hall", {"xylophone": "zanzibar"}, minutes=60)
        north.archive.embed_missing()
        return {
            "memory": memory.id,
            "other": other.id,
            "talk": talk.id,
            "memory_key": "x.hall",
            "tag": "zanzibar",
            "turn": opened.receipt.id,
            "grounded": grounded.receipt.id,
            "receipt": turn.receipt.id,
            "block": turn.receipt.block,
            "episode": episode.id,
            "mark": north.turns.mark_irrelevant_for("another question", other.id),
            "review": wish.id,
            "change": change.id,
            "unread": unread.id,
            "session": "northern",
            "context": "launch",
            "external": "C024",
            "project": "pavilion",
            "agent": "coder",
            "user": "wilhelmina",
            "key_id": self.house.tacit.keys.list()[0].id,
            "cursor": north.sessions.list()[0].cursor,
            "event": "0",
        }

    def ask(self, call, key, things=None):
        """Make a call with a key about things, the victim's if none are given."""
        method, path, given = call.filled(self.things if things is None else things)
        headers = {**key, **given.pop("headers", {})}
        answer = self.client.request(method, path, headers=headers, **given)
        asked = f"{path} {given}"
        if "'begun'" in asked and answer.is_success:
            self.begun += path
        return answer, asked + self.begun

    def told(self):
        """What the person is told of their own words, by every way in which the library reads."""
        who = {"user": "wilhelmina", "agent": "coder"}
        asked, seen = "Where is the xylophone kept?", set()
        found = self.north.search(asked, episodes=True, **who)
        seen |= {("searched", each.memory.content) for each in found.hits if each.memory.explicit}
        seen |= {("said", each.episode.text) for each in found.episodes}
        said = self.north.episodes.list(user="wilhelmina")
        seen |= {("listed", each.text) for each in said if not each.forgotten}
        shown = self._preview(asked, **who)
        words = (f"of {_OF_THE_USER} is kept", "in the zanzibar hall", "in the zanzibar mill")
        return seen | {("shown", each) for each in words if each in shown}

    def _preview(self, text, **who):
        """What a turn shows; one of which a part was late says nothing, and is asked again."""
        for _ in range(5):
            preview = self.north.preview(session="another", text=text, **who, **_SETTINGS)
            if not preview.receipt.degraded:
                return preview.block or ""
        raise AssertionError(preview.receipt.degraded)

    def check_untouched(self, user=None):
        """Everything that the victim had is as it was, and nothing new names it.

        Others may serve the same user, unless they are bound to another.
        """
        rows, files = self._rows(), self._files()
        changed = [place for place, row in self.kept.items() if rows.get(place) != row]
        changed += [place for place, held in self.files.items() if files.get(place) != held]
        self.kept = {place: rows.get(place) for place in self.kept}
        self.files = {place: files.get(place) for place in self.files}
        assert not changed
        names = [self.things[name] for name in (*_OWN, *(["user"] if user else []))]
        new = rows.keys() - self.kept.keys() - self.seen
        self.seen |= new
        for place in new:
            told = f"{place} {rows[place]!r}"
            named = [name for name in names if name in told]
            assert place[0] in _SERVERS or not named, (named, told)

    def _rows(self):
        """All rows of the workspace, by table and key."""
        found = {}
        spaces = "SELECT id, name FROM workspaces WHERE name IN (?, ?, ?)"
        beside = episodes_workspace("north"), items_workspace("north")
        with self.store._connections.reading() as connection:
            names = dict(connection.execute(spaces, ("north", *beside)))
            for table, keys, columns in _tables(connection):
                rows = (
                    f"SELECT {', '.join(columns)} FROM {table} WHERE workspace IN ({_marks(names)})"
                )
                for values in connection.execute(rows, tuple(names)):
                    row = dict(zip(columns, map(_unpack, values), strict=True))
                    key = tuple(row[each] for each in keys)
                    found[table, names[row["workspace"]], key] = row
        return found

    def _files(self):
        folder = self.north._context.workspaces.folder("north")
        return {
            path: path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file() and path.suffix != ".lock"
        }


_IDS = (
    "memory",
    "other",
    "talk",
    "turn",
    "grounded",
    "receipt",
    "block",
    "mark",
    "review",
    "change",
    "unread",
    "cursor",
    "episode",
)
_OWN = (
    *("memory", "other", "talk", "turn", "grounded", "receipt", "block", "session", "context"),
    "episode",
)


def _tables(connection):
    """The tables that have rows of workspaces: their names, keys and columns."""
    named = "SELECT name FROM sqlite_master WHERE type = 'table'"
    for (table,) in connection.execute(named).fetchall():
        described = connection.execute(f"PRAGMA table_info({table})").fetchall()
        columns = [each[1] for each in described]
        keys = [each[1] for each in described if each[5]] or columns
        if "workspace" in columns and table not in _COMPARED:
            yield table, keys, columns


def _marks(values):
    return ", ".join("?" for _ in values)


def _unpack(value):
    """A value as text, whether it is packed or not."""
    with contextlib.suppress(TypeError, ValueError, zlib.error):
        return zlib.decompress(value).decode()
    return value


_COMPARED = ("keys", "comparisons", "uncompared")
"""Tables of no workspace, and what the background does with the words of anybody."""

_SERVERS = (
    "answers",
    "events",
    "texts",
    "claims",
    "vectors",
    "token_codes",
    "removals",
    "progress",
)
"""Tables that say what the server did, or are made from others."""


@contextlib.contextmanager
def _opened(folder):
    (folder / "tacit.toml").write_text(
        f"[server]\nrequests_per_minute = 0\n"
        f"[grounding]\nworkspaces_folder = '{folder / 'files'}'\n"
    )
    with served(SqliteInMemoryStore.open(), config=folder / "tacit.toml") as house:
        house.service.streams.end()  # a stream tells what is kept, and does not wait for more
        workers = house.tacit._context.shared.learning_workers
        workers.closing.set()  # nothing is learned beside the requests
        yield World(house)
        house.tacit.close()


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    with _opened(tmp_path_factory.mktemp("isolation")) as world:
        yield world


@pytest.fixture(scope="module")
def own_world(tmp_path_factory):
    with _opened(tmp_path_factory.mktemp("hiding")) as world:
        yield world


@pytest.fixture(scope="module")
def keys(world):
    return {
        name: world.house.key("admin", **whose, name=name) for name, whose in _STRANGERS.items()
    }


def _check(world, key, operation, user=None):
    """Ask in every way there is, and look whether anything was told or touched."""
    for call in calls(operation):
        answer, asked = world.ask(call, key)
        assert answer.status_code < 500, answer.text
        for private in world.private:
            assert private in asked or private not in answer.text, (asked, answer.text)
    world.check_untouched(user)


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("stranger", _STRANGERS)
def test_a_stranger_sees_and_touches_nothing_of_others(world, keys, stranger, operation):
    _check(world, keys[stranger], operation, _STRANGERS[stranger].get("user"))


@pytest.mark.parametrize("operation", [each for each in OPERATIONS if "{" in each])
@pytest.mark.parametrize("stranger", _STRANGERS)
def test_what_is_others_is_answered_as_if_it_were_not_there(world, keys, stranger, operation):
    call, key = next(iter(calls(operation))), keys[stranger]
    if stranger == "of another workspace":  # one in which nothing of the victim's was ever named
        key = world.house.key("admin", workspace=operation)
    both = (world.things, absent(world.things))
    told = [_plain(world.ask(call, key, things)[0], things) for things in both]
    if stranger != "of another workspace" and operation in _CLAIMING:
        assert told[0][0] == 409
    else:
        assert told[0] == told[1]


def _plain(answer, things):
    """An answer without the names that were sent, and what differs from one to the next."""
    text = answer.text
    for name in sorted(set(things) - {"event", "cursor"}):
        text = text.replace(things[name], "…")
    body = json.loads(text) if text else None
    if isinstance(body, dict):
        body = {name: each for name, each in body.items() if name not in ("request_id", "mark")}
    return answer.status_code, body


@pytest.mark.parametrize("operation", OPERATIONS)
def test_what_an_agent_may_not_change_it_may_not_hide(own_world, operation):
    """The agent in whose sessions the person speaks sees their words, and takes none away."""
    key = own_world.house.key("write", workspace="north", **_VICTIM, name=operation)
    told = own_world.told()
    assert _OF_THE_USER in str(told)
    known = {*own_world.things.values(), own_world.own_episode}
    own = {**own_world.things, "episode": own_world.own_episode}
    for call, things in product(in_other_words(operation), (own_world.things, own)):
        answer, _ = own_world.ask(call, key, things)
        for id in set(_ID.findall(answer.text)) - known:
            path = f"/v1/memories/{id}"
            own_world.client.patch(path, json={"content": "nothing"}, headers=key)
            own_world.client.delete(path, headers=key)
        assert told <= own_world.told(), call


_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")


@pytest.mark.parametrize("role", ["read", "write"])
def test_a_lesser_role_changes_nothing(world, role):
    key, refused = world.house.key(role, workspace="north"), set()
    for operation in OPERATIONS:
        for call in calls(operation):
            if _needs_more(operation, role):
                answer, _ = world.ask(call, key)
                assert answer.status_code == 403, (operation, answer.text)
                refused.add(operation)
    world.check_untouched()
    assert len(refused) >= {"read": 53, "write": 20}[role]


_READS = {
    *("turns/preview", "extract", "bulk/get", "search", "memory/select"),
    *("items/get", "items/namespaces"),
}
_ADMINS = {"erase", "upkeep", "documents/index", "policy"}


def _needs_more(operation, role):
    """Whether a call needs more than a role, in one workspace."""
    method, _, path = operation.partition(" ")
    if path.startswith(("/v1/settings", "/v1/agents", "/v1/keys", "/v1/workspaces", "/metrics")):
        return True
    if path == "/v1/documents" and method != "GET":
        return True
    if any(path.endswith(end) for end in _ADMINS):
        return True
    writes = method != "GET" and not any(path.endswith(end) for end in _READS)
    return role == "read" and writes


def test_the_header_for_workspaces_opens_no_other(world, keys):
    key = {**keys["of another workspace"], "Tacit-Workspace": "north"}
    for operation in OPERATIONS:
        if operation not in _BARE:
            answer, _ = world.ask(next(iter(calls(operation))), key)
            assert answer.status_code == 403, (operation, answer.text)


_WORKSPACES, _AGENTS = ("north", "south"), (None, "coder", "planner")
_USERS = (None, "wilhelmina", "bob")


@pytest.mark.slow
@pytest.mark.parametrize("role", ["read", "write", "admin"])
@pytest.mark.parametrize(
    ("workspace", "agent", "user"),
    [
        each
        for each in product(_WORKSPACES, _AGENTS, _USERS)
        if each[0] != "north" or each[1] == "planner" or each[2] == "bob"
    ],
)
def test_no_stranger_of_any_kind_sees_or_touches_anything(world, workspace, agent, user, role):
    key = world.house.key(role, workspace=workspace, agent=agent, user=user, speaks_for_users=True)
    for operation in OPERATIONS:
        _check(world, key, operation, user if user == "bob" else None)


def test_a_parameter_that_nobody_has_thought_of_fails(monkeypatch):
    operation = "GET /v1/receipts"
    known = OPERATIONS[operation]
    new = {"name": "folder_of", "in": "query", "schema": {"type": "string"}}
    monkeypatch.setitem(OPERATIONS, operation, {**known, "parameters": [*known["parameters"], new]})
    with pytest.raises(AssertionError, match="folder_of"):
        list(calls(operation))
    monkeypatch.setitem(OPERATIONS, "GET /v1/secrets/{id}", {"parameters": []})
    with pytest.raises(AssertionError, match="id in its path"):
        list(calls("GET /v1/secrets/{id}"))
