"""The real server as a process: it starts, answers, refuses and stops."""

import json
import os
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

from tacit import FakeEmbedder, Tacit
from tacit.cli.serve import fill_sample
from tacit.settings.config import Config
from tacit.store.sqlite.in_memory import SqliteInMemoryStore
from tests.serving import running


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_it_answers_curl(tmp_path):
    with running(tmp_path / "m.db") as server:
        asked = ["curl", "-s", "-w", "\n%{http_code}", f"{server.url}/v1/memories"]
        kept = subprocess.run(
            [*asked, "-H", "Content-Type: application/json", "-d", '{"content": "tea at four"}'],
            capture_output=True,
            text=True,
            check=True,
        )
        listed = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert kept.stdout.endswith("201")
    assert '"content":"tea at four"' in listed.stdout
    assert listed.stdout.endswith("200")


def test_the_sample_is_made_of_whole_turns_however_short_the_deadline_is():
    hurried = Config(defaults={"deadline_ms": 1})
    with Tacit(
        SqliteInMemoryStore.open(), "sample", embedder=FakeEmbedder(), config=hurried
    ) as tacit:
        fill_sample(tacit)
        receipts = tacit.turns.list()
    assert len(receipts) == 5
    assert [each.degraded for each in receipts if each.degraded] == []


def test_it_stops_when_told_and_says_so(tmp_path):
    with running(tmp_path / "m.db") as server:
        with server.client() as client:
            assert client.get("/health").json()["status"] == "ok"
            for path in ("/health", "/ready"):
                looked = client.head(path)
                assert (looked.status_code, looked.content) == (200, b"")
        assert server.stop() == 0


def test_told_to_stop_it_finishes_what_it_has_begun(tmp_path):
    items = [{"content": f"crate {number} holds nails"} for number in range(1_000)]
    answers = []
    with running(tmp_path / "m.db") as server:

        def send():
            with server.client() as client:
                answers.append(client.post("/v1/memories/bulk", json={"items": items}))

        sender = threading.Thread(target=send)
        sender.start()
        _wait_for_work(server)
        assert server.stop() == 0
        sender.join(30)
    assert answers[0].status_code == 200
    with Tacit.open(tmp_path / "m.db", embedder="none") as tacit:
        assert tacit.workspace.stats().counts.by_state["live"] == 1_000


def test_a_turn_begun_before_a_restart_is_committed_after_it(tmp_path):
    with running(tmp_path / "m.db") as first, first.client() as client:
        client.post("/v1/memories", json={"content": "the gate is green", "scope": "org"})
        asked = {
            "session": "s",
            "text": "Is the gate green?",
            "settings": {"contextual_min_score": 0},
        }
        turn = client.post("/v1/turns", json=asked).json()
        assert turn["block"] is not None
    with running(tmp_path / "m.db") as second, second.client() as client:
        ended = client.post(f"/v1/turns/{turn['id']}/commit", json={}).json()
        report = client.get("/v1/sessions/s").json()
    assert ended["was_open"]
    assert (ended["turn"], ended["block_stays"]) == (1, True)
    assert [each["id"] for each in report["blocks"]] == [turn["block"]["id"]]


def test_the_answer_has_both_blocks_in_one_piece_and_one_by_one(tmp_path):
    told = [
        {"content": "the gate is green", "scope": "org"},
        {"content": "always answer in German", "type": "preference", "scope": "org"},
    ]
    lenient = {"contextual_min_score": 0, "max_injected_blocks_in_history": 0}
    asked = {"session": "s", "text": "Is the gate green?", "settings": lenient}
    with running(tmp_path / "m.db") as server, server.client() as client:
        for memory in told:
            client.post("/v1/memories", json=memory)
        turn = client.post("/v1/turns", json=asked).json()
        ended = client.post(f"/v1/turns/{turn['id']}/commit", json={}).json()
        kept = client.get(f"/v1/receipts/{turn['id']}").json()
        with Tacit.connect(server.url) as remote:
            begun = remote.turn(session="t", text="Is the gate green?", history=[], **lenient)
            begun.commit("Yes.")
    standing, other = turn["blocks"]
    assert "answer in German" in standing["text"]
    assert "gate is green" in other["text"]
    whole = f"{standing['text']}\n\n{other['text']}"
    assert turn["block"] == {"id": other["id"], "text": whole}
    assert [each["content"] for each in turn["messages"]] == [
        standing["text"],
        other["text"],
        "Is the gate green?",
    ]
    assert (kept["standing_block"], kept["block"]) == (standing["id"], other["id"])
    assert (ended["standing_block_stays"], ended["block_stays"]) == (True, False)
    stays, _ = begun.blocks.values()
    assert [each["content"] for each in begun.history] == [stays, "Is the gate green?", "Yes."]


@pytest.mark.slow
def test_several_processes_serve_together_and_one_that_dies_is_replaced(tmp_path):
    with running(tmp_path / "m.db", "--workers", "2") as server:
        members = _children(server)
        assert len(members) == 2
        with server.client() as client:
            for number in range(20):
                content = {"content": f"oar {number} is long"}
                assert client.post("/v1/memories", json=content).status_code == 201
            assert 'tacit_writes_total{status="created"} 20.0' in client.get("/metrics").text
        os.kill(members[0], signal.SIGKILL)
        _wait_until(lambda: len(set(_children(server)) - set(members[:1])) == 2)
        with server.client() as client:
            assert client.get("/v1/stats").json()["by_state"] == {"live": 20}
        members = _children(server)
        assert server.stop() == 0
    _wait_until(lambda: not any(Path(f"/proc/{each}").exists() for each in members))


@pytest.mark.slow
def test_no_process_stays_when_the_one_that_looks_after_them_is_killed(tmp_path):
    with running(tmp_path / "m.db", "--workers", "2") as server:
        members = _children(server)
        server.kill()
        _wait_until(lambda: not any(Path(f"/proc/{each}").exists() for each in members))


def test_the_log_of_a_server_is_json_where_that_is_wanted(tmp_path):
    with running(tmp_path / "m.db", "--log-format", "json") as server:
        with server.client() as client:
            client.get("/v1/memories", headers={"X-Request-ID": "abc"})
        server.stop()
    lines = [json.loads(line) for line in server.log if line.startswith("{")]
    (asked,) = [line for line in lines if line.get("path") == "/v1/memories"]
    assert (asked["request_id"], asked["status"]) == ("abc", 200)


def test_a_server_says_by_which_urls_programs_get_memory(tmp_path):
    with running(tmp_path / "m.db") as server:
        server.stop()
    urls = f"OPENAI_BASE_URL={server.url}/openai/v1 or ANTHROPIC_BASE_URL={server.url}/anthropic"
    assert urls in "".join(server.log)


def test_a_port_that_is_taken_is_said(tmp_path, run):
    with running(tmp_path / "m.db") as server:
        ran = run("serve", "--port", server.url.rpartition(":")[2], db=tmp_path / "n.db")
    assert ran.code == 2
    assert "--port" in ran.err


def _wait_for_work(server):
    """Until the server has begun to read the request; it is the only connection."""
    port = int(server.url.rpartition(":")[2])
    for _ in range(1_000):
        lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
        if any(f":{port:04X}" in line.split()[1] and line.split()[3] == "01" for line in lines):
            time.sleep(1)
            return
        time.sleep(0.01)


def _children(server):
    """The processes that a server started."""
    stats = filter(None, map(_stat, Path("/proc").glob("[0-9]*/stat")))
    fields = [(text.split()[0], text.rpartition(")")[2].split()[1]) for text in stats]
    return [int(pid) for pid, parent in fields if parent == str(server.process.pid)]


def _stat(path):
    try:
        return path.read_text()
    except OSError:  # it has just ended
        return None


def _wait_until(holds):
    for _ in range(3_000):
        if holds():
            return
        time.sleep(0.01)
    raise AssertionError("it did not come to that")
