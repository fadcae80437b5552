"""What was said, through every door: the server, its client, the command line and MCP."""

import asyncio
import json

import pytest
from mcp import Client

from tacit import FakeEmbedder, Tacit
from tacit.core.permissions import Viewer
from tacit.integrations.mcp.caller import McpCaller
from tacit.integrations.mcp.server import create_server
from tests.serving import running, served

pytestmark = pytest.mark.episodes

SAID = "the cashews give me a rash, Jonas knows"
ASKED = "the rash of cashews"


def _say(tacit, text=SAID, session="s", **who):
    with tacit.turn(session=session, text=text, **who) as turn:
        turn.commit("I see.")
    tacit.learn()


def test_a_server_lists_searches_keeps_and_forgets_what_a_user_said():
    with served() as house:
        key = house.key("admin")
        _say(house.service.tacit("default"), user="ann")
        whose = {"user": "ann"}
        (item,) = house.client.get("/v1/episodes", params=whose, headers=key).json()["items"]
        assert (item["text"], item["user"], item["role"]) == (SAID, "ann", "user")
        asked = {"text": ASKED, "episodes": True, **whose}
        found = house.client.post("/v1/search", json=asked, headers=key).json()["episodes"]
        assert [each["episode"]["id"] for each in found] == [item["id"]]
        path = f"/v1/episodes/{item['id']}"
        assert house.client.post(f"{path}/forget", headers=key).json()["forgotten"]
        assert not house.client.post("/v1/search", json=asked, headers=key).json()["episodes"]
        assert not house.client.post(f"{path}/restore", headers=key).json()["forgotten"]
        kept = house.client.post(f"{path}/promote", json={"type": "constraint"}, headers=key).json()
        assert (kept["memory"]["content"], kept["memory"]["scope_id"]) == (SAID, "ann")
        assert house.client.get(path, headers=key).json()["text"] == SAID


def test_without_keys_the_owner_of_the_machine_reads_what_they_said_without_a_name():
    with served() as house:
        _say(house.tacit)
        found = house.client.get("/v1/episodes").json()["items"]
        assert [each["text"] for each in found] == [SAID]
        asked = {"text": ASKED, "episodes": True}
        assert house.client.post("/v1/search", json=asked).json()["episodes"]
        begun = house.client.post("/v1/turns", json={"session": "t", "text": ASKED}).json()
        assert begun["block"] is None
        _say(house.service.tacit("default"), "the cashews of nobody", session="web")
        of_session = house.client.get("/v1/episodes", params={"session": "web"}).json()["items"]
        assert [each["text"] for each in of_session] == ["the cashews of nobody"]
        key = house.key("admin")
        assert house.client.get("/v1/episodes", headers=key).json()["items"] == []
        assert not house.client.post("/v1/search", json=asked, headers=key).json()["episodes"]


def test_a_user_sees_and_changes_only_their_own_words():
    with served() as house:
        _say(house.service.tacit("default"), user="ann")
        (episode,) = house.tacit.episodes.list(user="ann")
        bob = house.key("write", workspace="default", user="bob")
        path = f"/v1/episodes/{episode.id}"
        assert house.client.get("/v1/episodes", headers=bob).json()["items"] == []
        refused = house.client.get("/v1/episodes", params={"user": "ann"}, headers=bob)
        assert refused.status_code == 403
        assert house.client.get(path, headers=bob).status_code == 404
        for act in ("promote", "forget", "restore"):
            assert house.client.post(f"{path}/{act}", headers=bob).status_code == 404
        agent = house.key("write", workspace="default", agent="coder")
        assert house.client.post(f"{path}/forget", headers=agent).status_code == 404
        _say(house.service.tacit("default"), "the almonds", session="c", user="ann", agent="coder")
        (own,) = house.tacit.episodes.list(user="ann", session="c")
        path = f"/v1/episodes/{own.id}"
        assert house.client.post(f"{path}/forget", headers=agent).status_code == 422


def test_an_agents_key_that_speaks_for_nobody_leaves_no_words_of_a_person():
    with served() as house:
        agent = house.key("write", workspace="default", agent="coder")
        asked = {"session": "s", "text": SAID, "user": "ann"}
        turn = house.client.post("/v1/turns", json=asked, headers=agent).json()
        house.client.post(f"/v1/turns/{turn['id']}/commit", json={"reply": "ok"}, headers=agent)
        house.service.tacit("default").learn()
        assert house.tacit.episodes.list(user="ann") == []


def test_the_client_has_the_same_calls(tmp_path):
    with running(tmp_path / "memory.db") as server, Tacit.connect(server.url) as tacit:
        _say(tacit, user="ann")
        (episode,) = tacit.episodes.list(user="ann", limit=10)
        assert tacit.episodes.get(episode.id) == episode
        (hit,) = tacit.search(ASKED, user="ann", episodes=True).episodes
        assert hit.episode == episode
        assert tacit.episodes.forget(episode.id).forgotten
        assert tacit.episodes.list(user="ann") == []
        assert not tacit.episodes.restore(episode.id).forgotten
        assert tacit.episodes.promote(episode.id, tags=["food"]).memory.tags == ("food",)


def test_the_command_line_lists_finds_keeps_and_forgets(run, tmp_path):
    with Tacit.open(tmp_path / "memory.db", embedder="none") as tacit:
        _say(tacit)
    place = ("--db", str(tmp_path / "memory.db"))
    (listed,) = json.loads(run("episodes", "--json", *place).out)
    assert listed["text"] == SAID
    assert "the cashews give me a rash" in run("episodes", *place).out
    found = json.loads(run("search", ASKED, "--said", "--json", *place).out)
    assert [each["episode"]["id"] for each in found["episodes"]] == [listed["id"]]
    assert "Said:" in run("search", ASKED, "--said", *place).out
    ending = listed["id"][-8:]
    assert SAID in run("get", ending, *place).out
    assert "forgotten" in run("forget", ending, *place).out
    assert json.loads(run("episodes", "--json", *place).out) == []
    assert "restored" in run("restore", ending, *place).out
    kept = json.loads(run("keep", ending, "--type", "constraint", "--json", *place).out)
    assert (kept["memory"]["content"], kept["memory"]["explicit"]) == (SAID, True)
    again = run("keep", kept["memory"]["id"], *place)
    assert again.code == 2
    assert "is a memory already" in again.err


def test_mcp_finds_what_the_user_said_in_this_project_and_in_none(tmp_path):
    async def search(caller):
        async with Client(create_server(tacit, caller)) as client:
            result = await client.call_tool("search", {"text": ASKED, "said": True})
            return [each["text"] for each in result.structured_content["said"]]

    with Tacit.open(tmp_path / "memory.db", embedder=FakeEmbedder()) as tacit:
        _say(tacit, user="ann", project="shop")
        _say(tacit, "the cashews gave Ann a rash at home", session="s2", user="ann")
        shop = asyncio.run(search(McpCaller(user="ann", project="shop")))
        assert sorted(shop) == sorted([SAID, "the cashews gave Ann a rash at home"])
        mill = asyncio.run(search(McpCaller(user="ann", project="mill")))
        assert mill == ["the cashews gave Ann a rash at home"]
        assert asyncio.run(search(McpCaller(user="bob", project="shop"))) == []


def test_mcp_finds_for_an_agents_key_what_was_said_in_its_own_sessions_only(tmp_path):
    async def ask(agent, tool, **asked):
        caller = McpCaller(user="ann", agent=agent, reach=Viewer(agent=agent))
        async with Client(create_server(tacit, caller)) as client:
            result = await client.call_tool(tool, {"text": ASKED, **asked})
            return json.dumps(result.structured_content)

    with Tacit.open(tmp_path / "memory.db", embedder=FakeEmbedder()) as tacit:
        _say(tacit, user="ann", agent="coder")
        for tool, asked in (("search", {"said": True}), ("explain", {})):
            assert SAID in asyncio.run(ask("coder", tool, **asked))
            assert SAID not in asyncio.run(ask("planner", tool, **asked))
