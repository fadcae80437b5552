"""`tacit hook` as clients call it: an answer or nothing, in time, and never a failure."""

import json
import os
import pty
import socket
import stat
import subprocess
import sys

import apsw
import pytest

from tacit import Tacit
from tacit.integrations.hooks import sender
from tacit.integrations.hooks.clients import CLIENTS
from tests.hooking import is_alive, surroundings, wait_until


@pytest.fixture
def here():
    with surroundings() as made:
        yield made


@pytest.mark.slow
def test_a_hook_starts_the_daemon_and_the_next_one_finds_it(here):
    first, second = here.hook(answer="one"), here.hook(answer="two")
    assert (first.code, first.out, first.err) == (0, "one", "")
    assert (second.code, second.out, second.err) == (0, "two", "")
    assert here.told()["served"] == 2
    assert here.log.count("listens on") == 1


@pytest.mark.slow
def test_the_event_arrives_with_where_and_for_whom(here):
    here.environment |= {"TACIT_USER": "ann", "TACIT_WORKSPACE": "team"}
    ran = here.hook(client="codex", answer="{client} {served} {user} {cwd} {event[session_id]}")
    assert ran.out == f"codex team ann {here.folder} s"


@pytest.mark.slow
def test_hooks_that_come_at_once_start_one_daemon(here):
    ran = here.hooks(4)
    assert sorted(each.out for each in ran) == ["0", "1", "2", "3"]
    assert here.log.count("listens on") == 1


@pytest.mark.slow
def test_after_a_daemon_was_killed_the_next_hook_works(here):
    assert here.hook(answer="before", remember="We ship on Tuesdays").out == "before"
    killed = here.kill()
    assert here.place.socket.exists()
    assert here.hook(answer="{count}").out == "1"
    assert here.told()["pid"] != killed


@pytest.mark.slow
def test_a_daemon_that_is_killed_while_it_works_is_replaced(here):
    here.hook(answer="there is one")
    running = subprocess.Popen(
        [sys.executable, "-m", "tacit", "hook", "claude-code"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=here.environment,
    )
    running.stdin.write(json.dumps({"sleep": 3, "answer": "twice asked"}).encode())
    running.stdin.close()
    wait_until(lambda: here.told()["idle_seconds"] == 0 and running.poll() is None)
    here.kill()
    assert running.stdout.read() == b"twice asked"
    assert running.wait(60) == 0
    running.stdout.close()


@pytest.mark.slow
def test_nothing_but_the_answer_is_printed_by_a_hook_that_works_alone(here):
    (here.folder / "run").mkdir(mode=0o777)
    (here.folder / "run").chmod(0o777)
    ran = here.hook(answer="Größe: {count}", remember="We ship on Tuesdays")
    assert (ran.code, ran.out, ran.err) == (0, "Größe: 1", "")
    assert "is open to others; run: chmod 700" in here.log
    assert list((here.folder / "run").iterdir()) == []


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give folders away")
@pytest.mark.slow
def test_a_folder_of_somebody_else_is_refused(here):
    (here.folder / "run").mkdir(mode=0o700)
    os.chown(here.folder / "run", 12345, 12345)
    assert here.hook(answer="alone").out == "alone"
    assert "belongs to somebody else" in here.log


@pytest.mark.parametrize(
    ("stdin", "said"),
    [
        (b"", "no event"),
        (b"{", "no event"),
        (b"\xff\xfe\x00", "no event"),
        (b"[1]", "no event"),
        (b"[" * 100_000, "no event"),
        (b'{"prompt": "' + b"x" * (10 * 1024 * 1024) + b'"}', "more than 10 MB"),
    ],
    ids=["nothing", "half", "bytes", "list", "deep", "huge"],
)
@pytest.mark.slow
def test_what_is_no_event_is_left_alone(here, stdin, said):
    ran = here.hook(stdin=stdin)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert said in here.log
    assert not here.place.marker.exists()


@pytest.mark.slow
def test_a_closed_input_is_no_failure(here):
    command = f"'{sys.executable}' -m tacit hook claude-code <&-"
    ran = subprocess.run(
        ["sh", "-c", command], env=here.environment, capture_output=True, check=False
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


def test_every_client_is_served_within_its_time():
    assert tuple(CLIENTS) == sender.CLIENTS
    for client in CLIENTS.values():
        for event in client.events:
            assert sender.timeout_for(event) == client.timeout_for(event)


@pytest.mark.slow
def test_a_client_that_is_not_known_is_no_failure(here):
    ran = here.hook(client="no-such-client")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert "none of claude-code, codex, gemini" in here.log


@pytest.mark.parametrize(
    ("client", "said"), [("codex", "tacit install codex"), ("nobody", "one of claude-code")]
)
@pytest.mark.slow
def test_people_at_a_terminal_are_told_what_it_is_for(here, client, said):
    person, terminal = pty.openpty()
    ran = subprocess.run(
        [sys.executable, "-m", "tacit", "hook", client],
        stdin=terminal,
        env=here.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    os.close(person)
    os.close(terminal)
    assert ran.returncode == 1
    assert said in ran.stderr
    assert ran.stdout == ""


@pytest.mark.slow
def test_what_fails_in_the_daemon_is_silence(here):
    ran = here.hook(fail="secret words of the user")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert "an event of claude-code was not handled: RuntimeError in sitecustomize.py" in here.log
    assert "secret words" not in here.log


@pytest.mark.slow
def test_what_fails_in_a_hook_that_works_alone_is_silence(here):
    (here.folder / "run").write_text("no folder")
    ran = here.hook(fail="secret words of the user")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert "the hook failed: RuntimeError in sitecustomize.py" in here.log
    assert "secret words" not in here.log


@pytest.mark.slow
def test_a_hook_that_takes_too_long_is_given_up(here):
    here.hook()
    here.environment["TACIT_HOOKS_SECONDS"] = "0.5"
    ran = here.hook(answer="late", sleep=5)
    assert (ran.code, ran.out, ran.err) == (0, "", "")


@pytest.mark.slow
def test_the_end_of_a_session_waits_for_a_second_at_most(here):
    ran = here.hook("end", answer="late", sleep=5)
    assert (ran.code, ran.out) == (0, "")
    assert "took longer than 1 seconds" in here.log
    wait_until(lambda: "listens on" in here.log)


@pytest.mark.slow
def test_a_damaged_database_is_silence_and_a_line_in_the_log(here):
    (here.folder / "memory.db").write_bytes(b"Dear diary, " * 5_000)
    ran = here.hook(answer="never")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert "the daemon cannot start" in here.log
    assert "NotADatabase" in here.log


@pytest.mark.slow
def test_a_database_that_cannot_be_made_is_silence(here):
    here.environment["TACIT_DB"] = "/proc/no/such/place.db"
    ran = here.hook(answer="never")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert "StoreUnavailable" in here.log


@pytest.mark.slow
def test_a_database_that_another_process_holds_is_silence(here):
    Tacit.open(here.folder / "memory.db").close()
    here.environment["TACIT_HOOKS_SECONDS"] = "3"
    holder = apsw.Connection(str(here.folder / "memory.db"))
    holder.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
    holder.execute("BEGIN EXCLUSIVE").fetchall()
    try:
        ran = here.hook(answer="held", remember="We ship on Tuesdays")
        assert (ran.code, ran.out, ran.err) == (0, "", "")
    finally:
        holder.close()
    wait_until(lambda: "listens on" in here.log or "cannot start" in here.log)


@pytest.mark.slow
def test_a_missing_database_is_made(here):
    assert here.hook(answer="{count}", remember="We ship on Tuesdays").out == "1"
    assert stat.S_IMODE((here.folder / "memory.db").stat().st_mode) == 0o600


@pytest.mark.slow
def test_a_relative_database_is_the_one_of_the_folder_in_which_the_client_works(here):
    here.environment["TACIT_DB"] = "own.db"
    assert here.hook(answer="{count}", remember="We ship on Tuesdays").out == "1"
    assert (here.folder / "own.db").exists()


@pytest.mark.slow
def test_where_a_socket_would_have_too_long_a_name_it_is_elsewhere(here):
    here.environment["TACIT_RUNTIME_DIR"] = str(here.folder / ("x" * 100))
    assert str(here.place.folder) == f"/tmp/tacit-{os.getuid()}"


@pytest.mark.slow
def test_a_folder_named_like_us_in_the_users_home_is_not_run(here):
    (here.folder / "tacit").mkdir()
    (here.folder / "tacit/__main__.py").write_text("raise SystemExit('not this one')")
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "tacit", "hook", "claude-code"],
        input=b'{"answer": "right"}',
        env=here.environment,
        cwd=here.folder,
        capture_output=True,
        check=False,
    )
    assert ran.stdout == b"right"
    assert is_alive(here.told()["pid"])


@pytest.mark.slow
def test_over_tcp_the_token_opens_the_daemon_and_nothing_else_does():
    with surroundings(TACIT_HOOKS_TCP="1") as here:
        assert here.hook(answer="over tcp").out == "over tcp"
        address = here.place.port_file
        assert stat.S_IMODE(address.stat().st_mode) == 0o600
        port = json.loads(address.read_text())["port"]
        for header in ("", "Authorization: Bearer wrong\r\n"):
            for path in ("/daemon", "/health", "/v1/memories"):
                assert _get(port, path, header).startswith(b"HTTP/1.1 401")
        address.write_text(json.dumps({"port": port, "token": "wrong"}))
        assert here.hook(answer="never").out == ""
        assert "refused an event (401)" in here.log


def _get(port, path, header):
    with socket.create_connection(("127.0.0.1", port)) as line:
        head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{header}\r\n"
        line.sendall(head.encode())
        return b"".join(iter(lambda: line.recv(4096), b""))


def test_a_hook_loads_next_to_nothing():
    program = (
        "import sys, os, io; sys.argv = ['tacit', 'hook', 'claude-code']\n"
        "sys.stdin = io.TextIOWrapper(io.BytesIO(b''))\n"
        "os._exit = lambda code: (print(*sys.modules, file=sys.stderr), sys.exit(code))\n"
        "from tacit.cli.entry import main; main()"
    )
    with surroundings() as here:
        ran = subprocess.run(
            [sys.executable, "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}\n{program}"],
            env=here.environment,
            capture_output=True,
            text=True,
            check=False,
        )
    loaded = set(ran.stderr.split())
    assert "tacit.integrations.hooks.sender" in loaded
    heavy = {"typer", "rich", "asyncio", "dataclasses", "subprocess", "logging", "tacit.api.tacit"}
    assert not heavy & loaded


@pytest.mark.parametrize(
    "is_alone",
    [
        pytest.param(False, id="daemon"),
        pytest.param(True, id="alone", marks=pytest.mark.slow),
    ],
)
def test_a_memory_reaches_the_prompt_and_the_turn_is_kept(here, is_alone):
    del here.environment["PYTHONPATH"]
    if is_alone:
        (here.folder / "run").write_text("no folder")
    here.tacit("remember", "We chose JWT over session tokens for the API", "--type", "decision")
    asked = here.hook(prompt="Why did we choose JWT over session tokens for the API?")
    assert (asked.code, asked.err) == (0, "")
    told = json.loads(asked.out)["hookSpecificOutput"]
    assert told["hookEventName"] == "UserPromptSubmit"
    assert "We chose JWT over session tokens" in told["additionalContext"]
    ended = here.hook("stop", last_assistant_message="Because the mobile client needs it.")
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    last = json.loads(here.tacit("last", "--session", "s", "--json").out)
    assert last["session"] == "s"
