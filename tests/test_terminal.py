"""What a terminal is shown: text, never commands to it, and JSON that says the same."""

import io
import json
import logging
import os
import pty
import re
import sys
import threading
import tty

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit import Tacit
from tacit.api.calls.observation import Workspace
from tacit.cli.terminal_text import escape_json, escape_unseen
from tests.conftest import Ran

HOSTILE = "\x1b[2J\x1b]0;title\x07\x9b31m\x7f\x85\r\u2028\u202e\u2066\u200b\u2060\ufeff\U000e0041"
CONTENT = f"The vault{HOSTILE} opens with heliotrope"
_OWN = re.compile(r"\r(?=[\n\x1b])|\x1b\[\??[0-9;]*[mKAhl]")
"""Colours, and what a progress bar does to its own line."""


def _steering(shown):
    return set(HOSTILE) & set(_OWN.sub("", shown)) - set("[2J]0;title31m")


@pytest.fixture
def on_terminal(tmp_path, monkeypatch):
    """Run `tacit` in this process with standard output and error on a pseudo terminal."""
    from tacit.cli.entry import main

    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("TACIT_DB", str(tmp_path / "cli.db"))

    def on_terminal(*arguments) -> Ran:
        person, terminal = pty.openpty()
        tty.setraw(terminal)
        shown: list[bytes] = []
        reader = threading.Thread(target=_drain, args=(person, shown))
        reader.start()
        code = 0
        with monkeypatch.context() as patch:
            stream = io.TextIOWrapper(os.fdopen(terminal, "wb", 0), write_through=True)
            patch.setattr(sys, "argv", ["tacit", *arguments])
            patch.setattr(sys, "stdout", stream)
            patch.setattr(sys, "stderr", stream)
            try:
                main()
            except SystemExit as stop:
                code = stop.code if isinstance(stop.code, int) else int(bool(stop.code))
            stream.close()
        reader.join()
        os.close(person)
        return Ran(code, b"".join(shown).decode(), "")

    return on_terminal


def _drain(person, shown):
    try:
        while piece := os.read(person, 65_536):
            shown.append(piece)
    except OSError:  # the other side was closed
        return


@pytest.fixture
def id(tmp_path):
    """A store with hostile text in everything that is shown."""
    with Tacit.open(tmp_path / "cli.db", embedder="none") as tacit:
        memory = tacit.remember(CONTENT, type="decision", metadata={"note": HOSTILE})
        tacit.edit(memory.id, by="agent", content=f"{CONTENT} today")
        said = f"What{HOSTILE} does the vault open with?"
        with tacit.turn(session="s", text=said) as turn:
            turn.commit(f"Heliotrope{HOSTILE}")
        tacit.sessions.set_variables("s", {"note": HOSTILE})
    return memory.id


def _commands(id):
    return [
        ("list",),
        ("get", id),
        ("history", id),
        ("search", "vault"),
        ("explain", f"vault {HOSTILE}"),
        ("last",),
        ("sessions",),
        ("session", "show", "s"),
        ("review",),
        ("conflicts", "list"),
        ("extract", f"We decided on green lamps {HOSTILE}."),
        ("stats",),
        ("settings", "show"),
        ("project", "show"),
        ("workflow", "list"),
        ("prompt", "show"),
        ("keys", "list"),
    ]


def test_json_on_a_terminal_is_escaped_and_says_the_same(run, on_terminal, id):
    for command in _commands(id):
        shown = on_terminal(*command, "--json")
        assert shown.code == 0, (command, shown.out)
        assert not _steering(shown.out), command
        assert "\x1b" not in shown.out, command
        if command[0] not in ("explain", "search"):  # these tell how long they took
            assert json.loads(shown.out) == json.loads(run(*command, "--json").out), command


def test_an_export_is_escaped_on_a_terminal_and_as_it_is_in_a_pipe(run, on_terminal, id):
    shown, piped = on_terminal("export").out, run("export").out
    assert not _steering(shown)
    assert "\u202e" in piped
    lines = [json.loads(line) for line in shown.splitlines()]
    assert lines[1:] == [json.loads(line) for line in piped.split("\n") if line][1:]


def test_json_in_a_pipe_is_as_it_is(run, id):
    assert "\u202e\u2066\u200b" in run("get", id, "--json").out


def test_tables_on_a_terminal_show_what_could_steer_it(on_terminal, id):
    for command in (*_commands(id), ("erase", "--contains", "vault", "--dry-run")):
        shown = on_terminal(*command)
        assert shown.code == 0, (command, shown.out)
        assert not _steering(shown.out), (command, shown.out)


@pytest.mark.parametrize(
    "arguments",
    [
        ("get", f"x{HOSTILE}"),
        ("list", f"--{HOSTILE}"),
        (f"li{HOSTILE}",),
        ("list", "--type", f"x{HOSTILE}"),
        ("list", "--limit", f"x{HOSTILE}"),
        ("session", "show", f"x{HOSTILE}"),
        ("import", f"/nowhere/{HOSTILE}"),
        ("get", f"x{HOSTILE}", "--json"),
        ("explain", "x", "--set", f"a{HOSTILE}=1"),
    ],
)
def test_complaints_on_a_terminal_show_what_could_steer_it(on_terminal, id, arguments):
    shown = on_terminal(*arguments)
    assert shown.code == 2, shown.out
    assert not _steering(shown.out), shown.out


def test_faults_and_warnings_cannot_steer_a_terminal(monkeypatch, on_terminal, id):
    def fail(*_, **__):
        logging.getLogger("tacit.anything").warning("odd: %s", HOSTILE)
        raise ZeroDivisionError(HOSTILE)

    monkeypatch.setattr(logging.lastResort, "formatter", None)
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    monkeypatch.setattr(Workspace, "stats", fail)
    shown = on_terminal("stats")
    assert shown.code == 1
    assert "odd: " in shown.out
    assert "ZeroDivisionError: " in shown.out
    assert not _steering(shown.out)


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_escaped_json_is_the_same_value_and_has_nothing_unseen(value):
    written = escape_json(json.dumps(value, ensure_ascii=False, indent=2))
    assert json.loads(written) == value
    assert escape_unseen(written) == written


def test_scripts_and_emoji_stay_whole():
    for text in ("👩‍👩‍👧", "می‌خواهم", "שלום\u200f!", "❤️", "a\u3000b\u00a0c"):
        assert escape_unseen(text) == text
