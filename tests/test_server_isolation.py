"""Every call of the API: with a key of one workspace, nothing of another is seen or touched."""

import io
import json

import pytest

from tacit.conversation import Heard, HeardStage, Queued
from tests.serving import pattern, served
from tests.support import DEADLINE_MS

_OPERATIONS = [
    f"{method.upper()} {path}"
    for path, methods in pattern().openapi()["paths"].items()
    for method in methods
]
_SECRET = "xylophone"
_ASKED = "Where is the xylophone kept in the northern hall?"
_NOTHING, _FOREIGN, _SERVER = {200, 201, 204}, {404}, {403}

_CALLS = {
    "GET /health": (_NOTHING, {}),
    "GET /ready": (_NOTHING, {}),
    "GET /metrics": (_SERVER, {}),
    "GET /v1/status": (_NOTHING, {}),
    "POST /v1/turns": (_NOTHING, {"json": {"session": "talk", "text": _ASKED}}),
    "POST /v1/turns/preview": (_NOTHING, {"json": {"session": "talk", "text": _ASKED}}),
    "GET /v1/turns/{turn}": (_FOREIGN, {}),
    "POST /v1/turns/{turn}/commit": (_FOREIGN, {"json": {}}),
    "POST /v1/turns/{turn}/rollback": (_NOTHING, {}),
    "GET /v1/sessions": (_NOTHING, {}),
    "GET /v1/sessions/{session}": (_FOREIGN, {}),
    "POST /v1/sessions/{session}/reset": (_NOTHING, {}),
    "POST /v1/sessions/{session}/clear": (_NOTHING, {}),
    "POST /v1/sessions/{session}/compact": (_NOTHING, {"json": {"history": []}}),
    "POST /v1/sessions/{session}/fork": (_FOREIGN, {"json": {"into": "other"}}),
    "POST /v1/sessions/{session}/end": (_NOTHING, {}),
    "GET /v1/sessions/{session}/variables": (_NOTHING, {}),
    "POST /v1/sessions/{session}/variables": (
        _NOTHING,
        {"json": {"changes": {"phase": "theirs"}}},
    ),
    "POST /v1/ground": (_NOTHING, {"json": {"text": _ASKED, "context": "talk"}}),
    "POST /v1/prompt": (_NOTHING, {"json": {"text": _ASKED, "context": "talk"}}),
    "POST /v1/ground/{turn}/commit": (_FOREIGN, {"json": {"reply": "no"}}),
    "POST /v1/chat": (_NOTHING, {"json": {"kind": "INBOUND", "text": "mine", "context": "talk"}}),
    "GET /v1/policy": (_NOTHING, {}),
    "GET /v1/documents": (_NOTHING, {}),
    "POST /v1/documents": (_SERVER, {"json": {"path": "/tmp"}}),
    "DELETE /v1/documents": (_SERVER, {"params": {"folder": "/tmp"}}),
    "POST /v1/documents/index": (_NOTHING, {}),
    "GET /v1/documents/search": (_NOTHING, {"params": {"text": _ASKED}}),
    "POST /v1/learn": (_NOTHING, {}),
    "POST /v1/extract": (_NOTHING, {"json": {"text": _ASKED}}),
    "POST /v1/sessions/{session}/pause": (_NOTHING, {}),
    "POST /v1/sessions/{session}/resume": (_NOTHING, {}),
    "POST /v1/projects/{project}/pause": (_NOTHING, {}),
    "POST /v1/projects/{project}/resume": (_NOTHING, {}),
    "GET /v1/memories/export": (_NOTHING, {}),
    "POST /v1/memories/import": (
        _NOTHING,
        {"content": b'{"content": "a drum"}', "headers": {"Content-Type": "application/x-ndjson"}},
    ),
    "POST /v1/memories": (_NOTHING, {"json": {"content": "a flute"}}),
    "GET /v1/memories": (_NOTHING, {"params": {"any_state": True}}),
    "GET /v1/memories/count": (_NOTHING, {"params": {"contains": "northern"}}),
    "POST /v1/memories/bulk": (_NOTHING, {"json": {"items": [{"content": "a harp"}]}}),
    "POST /v1/memories/bulk/get": (_NOTHING, {"json": {"ids": ["{memory}", "{other}"]}}),
    "POST /v1/memories/bulk/forget": (_FOREIGN, {"json": {"ids": ["{memory}"]}}),
    "POST /v1/memories/bulk/restore": (_FOREIGN, {"json": {"ids": ["{memory}"]}}),
    "POST /v1/memories/assign": (_FOREIGN, {"json": {"user": "eve", "ids": ["{memory}"]}}),
    "GET /v1/memories/{memory}": (_FOREIGN, {}),
    "PATCH /v1/memories/{memory}": (_FOREIGN, {"json": {"content": "mine"}}),
    "DELETE /v1/memories/{memory}": (_FOREIGN, {}),
    "POST /v1/memories/{memory}/restore": (_FOREIGN, {}),
    "POST /v1/memories/{memory}/erase": (_FOREIGN, {}),
    "POST /v1/memories/erase": (_NOTHING, {"json": {"contains": "northern"}}),
    "POST /v1/sessions/{session}/erase": (_NOTHING, {}),
    "POST /v1/owners/erase": (_NOTHING, {"json": {"scope": "user", "scope_id": ""}}),
    "GET /v1/memories/{memory}/history": (_FOREIGN, {}),
    "GET /v1/memories/{memory}/links": (_FOREIGN, {}),
    "GET /v1/memories/{memory}/graph": (_FOREIGN, {}),
    "POST /v1/links": (_FOREIGN, {"json": {"source": "{own}", "target": "{memory}"}}),
    "DELETE /v1/links": (_FOREIGN, {"params": {"source": "{memory}", "target": "{other}"}}),
    "POST /v1/search": (_NOTHING, {"json": {"text": _ASKED}}),
    "GET /v1/reviews": (_NOTHING, {}),
    "GET /v1/reviews/{review}": (_FOREIGN, {}),
    "POST /v1/reviews/{review}/accept": (_FOREIGN, {"json": {"reason": "mine"}}),
    "POST /v1/reviews/{review}/reject": (_FOREIGN, {}),
    "GET /v1/receipts": (_NOTHING, {"params": {"session": "{session}"}}),
    "GET /v1/receipts/{receipt}": (_FOREIGN, {}),
    "POST /v1/receipts/{receipt}/irrelevant": (_FOREIGN, {"json": {"memory": "{memory}"}}),
    "POST /v1/memories/{memory}/irrelevant": (_FOREIGN, {"json": {"text": _ASKED}}),
    "GET /v1/memories/{memory}/marks": (_FOREIGN, {}),
    "DELETE /v1/marks/{mark}": (_FOREIGN, {}),
    "GET /v1/memory/context": (_NOTHING, {"params": {"user_request": _ASKED}}),
    "POST /v1/memory/select": (_NOTHING, {"json": {"user_request": _ASKED}}),
    "GET /v1/memory/conflicts": (_NOTHING, {}),
    "POST /v1/memory/conflicts/resolve": (
        _FOREIGN,
        {"json": {"keep": "{memory}", "supersede": ["{other}"]}},
    ),
    "POST /v1/upkeep": (_NOTHING, {"json": {}}),
    "GET /v1/stats": (_NOTHING, {}),
    "GET /v1/activity": (_NOTHING, {}),
    "GET /v1/events": (_NOTHING, {"params": {"after": 0}}),
    "GET /v1/events/list": (_NOTHING, {"params": {"after": 0}}),
    "GET /v1/settings": (_SERVER, {}),
    "PUT /v1/settings": (_SERVER, {"json": {"search": {"max_results": 3}}}),
    "GET /v1/settings/raw": (_SERVER, {}),
    "PUT /v1/settings/raw": (
        _SERVER,
        {"content": b"", "headers": {"Content-Type": "text/plain"}},
    ),
    "POST /v1/settings/check": (
        _SERVER,
        {"content": b"", "headers": {"Content-Type": "text/plain"}},
    ),
    "GET /v1/agents": (_SERVER, {}),
    "GET /v1/agents/{agent}/config": (_SERVER, {}),
    "PUT /v1/agents/{agent}/config": (
        _SERVER,
        {"json": {"reset_memory_injection_override": True}},
    ),
    "GET /v1/keys": (_SERVER, {}),
    "POST /v1/keys": (_SERVER, {"json": {"name": "n", "workspace": None, "role": "admin"}}),
    "DELETE /v1/keys/{key}": (_SERVER, {}),
    "GET /v1/workspaces": (_SERVER, {}),
}
"""The outcome that each call must have, and what is sent; names in braces are things of north."""


class Houses:
    """Two workspaces on one store: north, which has a secret, and south, which asks."""

    def __init__(self, house):
        self.client = house.client
        self.north = house.tacit.in_workspace("north")
        south = house.tacit.in_workspace("south")
        self.headers = house.key("admin", workspace="south")
        memory, other = self.north.remember_all(
            [
                {"content": f"The {_SECRET} is kept in the northern hall", "type": "fact"},
                {"content": f"The {_SECRET} is kept in the old mill", "type": "fact"},
            ]
        )
        self.north.link(memory.id, other.id)
        wish = self.north.edit(memory.id, content=f"the {_SECRET}", by="agent").review
        self.north.pause(project="northern")
        settings = {"contextual_min_score": 0.05}
        with self.north.turn(session="northern", text=_ASKED, **settings) as turn:
            turn.commit("There.")
        opened = self.north.turn(session="northern", text=_ASKED, history=turn.history, **settings)
        said = Heard(id=turn.receipt.id, session="northern", at=turn.receipt.at, said=(_SECRET,))
        self.store = house.tacit._store
        with self.store.write("north") as unit:
            unit.heard.put(Queued(heard=said, stage=HeardStage.READ))
        self.known = {
            "memory": memory.id,
            "other": other.id,
            "own": south.remember("a bell").id,
            "turn": opened.receipt.id,
            "receipt": turn.receipt.id,
            "mark": self.north.mark_irrelevant_for("another question", other.id),
            "review": wish.id,
            "session": "northern",
            "project": "northern",
            "agent": "coder",
            "key": house.tacit.keys.all()[0].id,
        }
        assert turn.block is not None
        self.private = [_SECRET, memory.id, other.id, wish.id, opened.receipt.id, turn.receipt.id]
        self.private += [turn.receipt.block, self.known["mark"]]

    def ask(self, operation, sent):
        """Make a call with the key of south; the answer, and what was sent as text."""
        method, _, path = operation.partition(" ")
        filled = json.loads(_filled(json.dumps(_plain(sent)), self.known))
        body = {"content": sent["content"]} if "content" in sent else {}
        headers = {**self.headers, **filled.pop("headers", {})}
        address = _filled(path, self.known)
        asked = address + json.dumps(filled)
        return self.client.request(method, address, headers=headers, **filled, **body), asked

    def kept(self):
        """Everything that north has."""
        file = io.BytesIO()
        self.north.export_to(file)
        report = self.north.session("northern").to_dict()
        receipts = [each.to_dict() for each in self.north.receipts()]
        with self.store.read("north") as unit:
            heard, marks = unit.heard.scan(None, 10), unit.marks.scan(None, 10)
        opened = self.north.find_turn(self.known["turn"])
        return file.getvalue(), report, receipts, opened, heard, marks


@pytest.fixture(scope="module")
def houses(tmp_path_factory):
    config = tmp_path_factory.mktemp("isolation") / "tacit.toml"
    deadline = f"[defaults.memory_injection]\ndeadline_ms = {DEADLINE_MS}\n"
    config.write_text(f"[server]\nrequests_per_minute = 0\n{deadline}")
    with served(config=config) as house:
        house.service.streams.end()  # a stream tells what is kept, and does not wait for more
        yield Houses(house)


def test_every_call_is_looked_at():
    templates = {_template(each) for each in _OPERATIONS}
    assert templates == {_template(each) for each in _CALLS}


@pytest.mark.parametrize("operation", _CALLS)
def test_a_key_of_one_workspace_sees_and_touches_nothing_of_another(houses, operation):
    expected, sent = _CALLS[operation]
    before = houses.kept()
    answer, asked = houses.ask(operation, sent)
    assert answer.status_code in expected, answer.text
    for private in houses.private:
        assert private in asked or private not in answer.text, (private, answer.text)
    assert _without_words(houses.kept()) == _without_words(before)


def test_the_header_for_workspaces_opens_no_other(houses):
    for operation, (_, sent) in _CALLS.items():
        if operation in ("GET /health", "GET /ready"):
            continue
        headers = {**sent.get("headers", {}), "Tacit-Workspace": "north"}
        answer, _ = houses.ask(operation, {**sent, "headers": headers})
        assert answer.status_code == 403, (operation, answer.text)


def _without_words(kept):
    """What can be compared: the first line of an export says when it was made."""
    exported, *others = kept
    return exported.split(b"\n", 1)[1:], *others


def _template(operation):
    method, _, path = operation.partition(" ")
    parts = ["{}" if part.startswith("{") else part for part in path.split("/")]
    return f"{method} {'/'.join(parts)}"


def _filled(text, known):
    for name, value in known.items():
        text = text.replace("{" + name + "}", value)
    return text


def _plain(sent):
    return {name: value for name, value in sent.items() if name != "content"}
