"""Grounding through a server: the same prompts, files and refusals."""

import shutil

import httpx2
import pytest

from tacit import Tacit
from tacit.core.errors import ChatLogUnavailable
from tests.serving import running

JWT = "We chose JWT over session tokens for the API"
ASK = "Which tokens did we choose for the API?"
LENIENT = {"contextual_min_score": 0.01}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def server(folder):
    with running(folder / "memory.db") as server:
        yield server


@pytest.fixture
def remote(server, request):
    with Tacit.connect(server.url, workspace=request.node.name[:40]) as remote:
        yield remote


def test_a_prompt_comes_from_the_server_and_its_reply_goes_there(remote):
    remote.remember(JWT, type="decision")
    with remote.ground(ASK, context="c", hint="Answer briefly.", **LENIENT) as grounding:
        assert JWT in grounding.user
        assert grounding.messages[1]["content"] == grounding.user
        assert grounding.metrics.total_tokens > 0
        grounding.commit("JWT.")
    following = remote.ground("As we discussed, why?", context="c", **LENIENT)
    assert f"User: {ASK}\nAssistant: JWT." in following.user
    assert following.metrics.strategy == "tail"
    assert "USER REQUEST" in following.text
    following.roll_back()
    assert len(remote.turns.list()) == 1


def test_the_sectioned_form_is_the_same_there(remote):
    remote.remember("4 spaces", key="editor.indent", type="preference")
    text = remote.grounding.prompt("Which indent do we use in code?", context="c", **LENIENT).text
    assert text.count("PERSISTENT MEMORY (READ-ONLY)") == 1


def test_a_reply_that_is_told_twice_is_in_the_log_once(remote):
    grounding = remote.ground("Our port is 8080.", context="c", **LENIENT)
    told = (grounding.receipt.id, "I will use it.")
    assert remote.grounding.end(*told).was_open
    assert not remote.grounding.end(*told).was_open
    following = remote.ground("Which port was it again?", context="c", **LENIENT)
    assert following.user.count("User: Our port is 8080.") == 1


def test_a_commit_with_the_reply_alone_lands_in_the_log_of_its_conversation(remote, server):
    headers = {"Tacit-Workspace": remote.workspace.name}
    asked = {"text": "Is port 8080 free?", "context": "launch", "settings": LENIENT}
    with httpx2.Client(base_url=server.url, headers=headers) as client:
        id = client.post("/v1/ground", json=asked).json()["id"]
        path = f"/v1/ground/{id}/commit"
        refused = client.post(path, json={"reply": "Fine.", "context": "other"})
        assert (refused.status_code, refused.json()["field"]) == (422, "context")
        assert client.post(path, json={"reply": "Fine."}).json()["was_open"]
    shown = "User: Is port 8080 free?\nAssistant: Fine."
    assert shown in remote.ground("Which port was it?", context="launch", **LENIENT).user
    assert "8080" not in remote.ground("Which port was it?", **LENIENT).user


def test_tools_are_logged_and_stay_out_of_prompts(remote):
    remote.grounding.log_chat("TOOL", "ran 12 tests", context="c")
    remote.grounding.log_chat("INBOUND", "Our port is 8080.", context="c")
    user = remote.ground("Which port was it?", context="c", **LENIENT).user
    assert "8080" in user
    assert "12 tests" not in user


def test_a_server_that_cannot_write_chat_logs_records_turns_and_says_so(folder, remote):
    remote.grounding.log_chat("INBOUND", "It is about tokens.", context="other")
    (logs,) = folder.rglob("*a_server_that_cannot*/logs")
    shutil.rmtree(logs)
    logs.write_text("not a folder")
    grounding = remote.ground(ASK, context="c", **LENIENT)
    ended = grounding.commit("JWT.")
    assert (ended.was_open, ended.not_recorded) == (True, None)
    assert ended.degraded[0] in remote.turns.get(grounding.receipt.id).degraded
    assert str(folder) not in str(ended.degraded)
    with pytest.raises(ChatLogUnavailable, match="the server's log says why"):
        remote.grounding.log_chat("INBOUND", "Our port is 8080.", context="c")


def test_the_policy_tells_where_each_line_is_from(remote):
    policy = remote.grounding.policy(role="admin")
    assert policy.text
    assert policy.lines[0].layer.kind == "role"


def test_without_a_server_the_message_goes_on_alone():
    with Tacit.connect("http://127.0.0.1:9", workspace="w", timeout=1) as nobody:
        grounding = nobody.ground(ASK, context="c")
    assert grounding.user == ASK
    assert not grounding.is_open
    assert grounding.grounded.degraded
    grounding.commit("JWT.")
