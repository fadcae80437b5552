"""The daemon behind the hooks: who reaches it, and when it ends."""

import asyncio
import json
import os
import signal
import stat
import subprocess
import sys
import threading
from types import SimpleNamespace

import httpx
import pytest
from anyio import to_thread

from tacit.core.errors import PlaceRefused
from tacit.integrations.daemon import DaemonActivity, DaemonApp, reason_to_stop
from tacit.integrations.hooks.daemon_client import daemon_address, send_request
from tacit.runtime.prompt_spool import PromptSpool
from tests.hooking import is_alive, surroundings, wait_until


@pytest.fixture
def here():
    with surroundings() as made:
        yield made


def _mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.slow
def test_folder_socket_and_log_are_for_their_user_alone(here):
    here.hook()
    assert _mode(here.place.folder) == 0o700
    assert _mode(here.place.socket) == 0o600
    assert stat.S_ISSOCK(here.place.socket.stat().st_mode)
    assert _mode(here.folder / "log/daemon.log") == 0o600


@pytest.mark.slow
def test_the_rest_of_the_server_is_there_too(here):
    here.hook(remember="We ship on Tuesdays")
    found = send_request(here.place, "GET", "/v1/memories", seconds=30)
    assert [each["content"] for each in found.document["items"]] == ["We ship on Tuesdays"]


@pytest.mark.slow
def test_status_tells_of_the_daemon_and_stop_ends_it(here):
    none = here.tacit("daemon", "status", "--json")
    assert (none.code, json.loads(none.out)["running"]) == (1, False)
    here.hook()
    told = json.loads(here.tacit("daemon", "status", "--json").out)
    assert told["running"] is True
    assert told["served"] == 1
    assert told["socket"] == str(here.place.socket)
    assert told["database"] == str(here.folder / "memory.db")
    assert told["log"] == str(here.folder / "log/daemon.log")
    shown = here.tacit("daemon", "status")
    assert shown.code == 0
    assert f"process {told['pid']}" in shown.out
    assert here.tacit("daemon", "stop").out == "Stopped.\n"
    wait_until(lambda: not is_alive(told["pid"]))
    assert not here.place.socket.exists()
    assert here.tacit("daemon", "stop").out == "No daemon runs.\n"


@pytest.mark.slow
def test_told_to_stop_it_finishes_the_event_that_it_has_begun(here):
    here.hook()
    pid = here.told()["pid"]
    waiting = _waiting_hook(here, {"sleep": 1, "answer": "finished", "remember": "We ship"})
    os.kill(pid, signal.SIGTERM)
    assert waiting.communicate(timeout=60)[0] == b"finished"
    wait_until(lambda: not is_alive(pid))
    assert here.log.count("listens on") == 1


def _waiting_hook(here, event):
    """A hook whose event the daemon has begun to handle."""
    before = here.log.count("logged")
    hook = subprocess.Popen(
        [sys.executable, "-m", "tacit", "hook", "claude-code"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=here.environment,
    )
    hook.stdin.write(json.dumps(event).encode())
    hook.stdin.flush()
    hook.stdin.close()
    hook.stdin = None
    wait_until(lambda: here.log.count("logged") > before)
    return hook


@pytest.mark.slow
def test_with_nothing_to_do_it_stops_and_takes_its_socket_with_it():
    with surroundings(TACIT_DAEMON_IDLE_MINUTES="0.05") as here:
        here.hook()
        wait_until(lambda: "the daemon has stopped" in here.log)
        assert "nothing to do" in here.log
        assert not here.place.socket.exists()
        assert here.hook(answer="another").out == "another"


@pytest.mark.parametrize("is_replaced", [False, True])
@pytest.mark.slow
def test_a_daemon_that_cannot_be_found_any_more_stops(here, is_replaced):
    here.hook()
    pid = here.told()["pid"]
    here.place.socket.unlink()
    if is_replaced:
        here.place.socket.write_text("something else")
    wait_until(lambda: not is_alive(pid))
    assert here.place.socket.exists() is is_replaced


@pytest.mark.slow
def test_a_second_one_leaves_the_first_alone(here):
    here.hook()
    first = here.told()["pid"]
    ran = here.tacit("daemon", "run", "--json")
    assert (ran.code, json.loads(ran.out)) == (0, {"ran": False})
    assert here.told()["pid"] == first


@pytest.mark.slow
def test_settings_that_are_wrong_are_said_in_the_log(here):
    (here.folder / "bad.toml").write_text("[daemon]\nidle_minutes = 'long'\n")
    here.environment["TACIT_CONFIG"] = str(here.folder / "bad.toml")
    ran = here.tacit("daemon", "run")
    assert ran.code == 2
    assert "daemon.idle_minutes" in ran.err
    assert "the daemon cannot start: " in here.log


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TACIT_DB", "other.db"),
        ("TACIT_CONFIG", "other.toml"),
        ("TACIT_EMBEDDER", "minilm"),
        ("HOME", "/home/ben"),
    ],
)
def test_another_database_or_other_settings_have_another_daemon(name, value):
    usual = {"HOME": "/home/ann", "TACIT_RUNTIME_DIR": "/run/x"}
    assert daemon_address({**usual, name: value}).name != daemon_address(usual).name
    assert daemon_address({**usual, "TACIT_USER": "ann"}) == daemon_address(usual)


def test_without_a_folder_for_such_things_there_is_one_of_the_user(tmp_path):
    assert (
        daemon_address({"XDG_RUNTIME_DIR": "/run/user/7"}).folder.as_posix() == "/run/user/7/tacit"
    )
    assert (
        daemon_address({"TMPDIR": "/var/tmp"}).folder.as_posix() == f"/var/tmp/tacit-{os.getuid()}"
    )


def test_a_link_in_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    place = daemon_address({"TACIT_RUNTIME_DIR": str(tmp_path / "link"), "TACIT_HOOKS_TCP": "1"})
    with pytest.raises(PlaceRefused, match="is no folder"):
        place.ensure_folder()


def test_the_rest_of_the_server_is_not_loaded_before_it_listens():
    program = "import sys, tacit.integrations.daemon; print(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = set(ran.stdout.split())
    assert "tacit.server.service" in loaded
    assert not {"fastapi", "tacit.server.app"} & loaded


def test_it_stays_while_there_is_something_to_do():
    usual = {"idle_seconds": 50, "limit_seconds": 60, "jobs": 0, "is_reachable": True}
    assert reason_to_stop(**usual) is None
    assert reason_to_stop(**usual | {"idle_seconds": 60}) is not None
    assert reason_to_stop(**usual | {"idle_seconds": 60, "jobs": 1}) is None
    assert reason_to_stop(**usual | {"is_reachable": False}) is not None


@pytest.mark.slow
def test_doctor_says_whether_a_daemon_answers(here):
    assert _daemon_findings(here) == [("ok", "none runs; a hook starts one")]
    here.hook()
    pid = here.told()["pid"]
    assert _daemon_findings(here) == [("ok", f"process {pid} answers, 1 events served")]


@pytest.mark.slow
def test_doctor_says_that_a_folder_is_open_to_others(here):
    here.place.folder.mkdir()
    here.place.folder.chmod(0o755)
    ((level, found),) = _daemon_findings(here)
    assert level == "error"
    assert f"chmod 700 {here.place.folder}" in found


def _daemon_findings(here):
    found = json.loads(here.tacit("doctor", "--json").out)["findings"]
    return [(each["level"], each["found"]) for each in found if each["what"] == "daemon"]


def test_a_project_that_is_stuck_leaves_threads_for_the_others(monkeypatch, tmp_path):
    release = threading.Event()

    def stuck(tacit, client, body, spool):
        if body["event"]["cwd"] == "/stuck":
            release.wait(60)
        return body["event"]["cwd"]

    monkeypatch.setattr("tacit.integrations.daemon.handle_event", stuck)
    service = SimpleNamespace(
        config=SimpleNamespace(server=SimpleNamespace(threads=4)), tacit=lambda name: None
    )
    front = DaemonApp(service, DaemonActivity(), PromptSpool(tmp_path))

    async def sent(client, folder):
        answer = await client.post("/hooks/codex", json={"event": {"cwd": folder}})
        return answer.json()["stdout"]

    async def main():
        to_thread.current_default_thread_limiter().total_tokens = 4
        transport = httpx.ASGITransport(front)
        async with httpx.AsyncClient(transport=transport, base_url="http://d") as client:
            late = [asyncio.create_task(sent(client, "/stuck")) for _ in range(8)]
            await asyncio.sleep(0.1)
            others = [await asyncio.wait_for(sent(client, f"/{n}"), 20) for n in range(3)]
            release.set()
            return others, await asyncio.gather(*late)

    try:
        assert asyncio.run(main()) == (["/0", "/1", "/2"], ["/stuck"] * 8)
    finally:
        release.set()
    assert not front._limiters
