"""Prompts that no hook got through in time: kept safely, then recorded, learned, or erased."""

import json
import socket
import stat
import threading
from datetime import timedelta
from types import SimpleNamespace

import pytest

from tacit import Tacit
from tacit.core.permissions import Viewer
from tacit.integrations import daemon
from tacit.integrations.hooks.event_handler import handle_event, record_waiting_prompts
from tacit.integrations.hooks.prompt_spooler import spool_prompt
from tacit.runtime import prompt_spool
from tacit.runtime.clock import system_clock
from tacit.runtime.prompt_spool import PromptSpool, SpooledPrompt
from tests.hooking import surroundings, wait_until

SAID = "From now on always write commit messages in French."
SECRET = "AKIAIOSFODNN7EXAMPLE"


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("TACIT_RUNTIME_DIR", str(tmp_path / "run"))
    (tmp_path / "project").mkdir()
    return tmp_path


@pytest.fixture
def tacit(place):
    with Tacit.open(place / "memory.db", embedder="none") as tacit:
        yield tacit


@pytest.fixture
def spool(place):
    return PromptSpool.of_database(
        str(place / "memory.db"), {"TACIT_RUNTIME_DIR": str(place / "run")}
    )


def _body(place, prompt=SAID, session="s", id="p1", event="UserPromptSubmit", **fields):
    raw = {"session_id": session, "hook_event_name": event, "cwd": str(place / "project")}
    return {"id": id, "event": {**raw, "prompt": prompt, **fields}, "workspace": "default"}


def _keep(spool, place, *arguments, **fields):
    return spool_prompt(spool, "claude-code", _body(place, *arguments, **fields), "it took long")


def _files(place):
    return sorted((place / "run").glob("spool-*/*.prompt"))


# What is kept


def test_a_kept_prompt_is_for_its_user_alone_and_has_no_secrets(place, spool):
    prompt = f"My key is {SECRET}. <private>I am ill.</private> We deploy on Tuesdays."
    assert _keep(spool, place, prompt)
    (file,) = _files(place)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    written = file.read_text()
    assert "We deploy on Tuesdays" in written
    assert SECRET not in written
    assert "ill" not in json.loads(written)["prompt"]
    assert [path.suffix for path in file.parent.iterdir()] == [".prompt"]


@pytest.mark.parametrize(
    "fields",
    [
        {"prompt": "<private>I am ill.</private>"},
        {"prompt": "   "},
        {"agent_id": "a subagent"},
        {"event": "Stop"},
        {"prompt": "<task-notification>done</task-notification>"},
    ],
    ids=str,
)
def test_what_is_no_prompt_of_a_person_is_not_kept(place, spool, fields):
    assert not _keep(spool, place, **fields)
    assert _files(place) == []


def test_of_too_many_prompts_the_oldest_go(place, spool, monkeypatch, caplog):
    monkeypatch.setattr(prompt_spool, "MOST_PROMPTS", 3)
    for number in range(5):
        _keep(spool, place, f"Prompt {number}", id=f"p{number}")
    assert [each.prompt for each in spool.prompts()] == ["Prompt 2", "Prompt 3", "Prompt 4"]
    assert "dropped the oldest 1" in caplog.text
    monkeypatch.setattr(prompt_spool, "MOST_BYTES", sum(map(_size, _files(place)[1:])))
    _keep(spool, place, "Prompt 5", id="p5")
    assert [each.prompt for each in spool.prompts()] == ["Prompt 4", "Prompt 5"]


def _size(file):
    return file.stat().st_size


def test_a_session_that_was_seen_paused_keeps_nothing(place, tacit, spool):
    _keep(spool, place, "Said before the pause")
    tacit.sessions.pause(session="s")
    assert handle_event(tacit, "claude-code", _body(place), spool) == ""
    assert _files(place) == []
    assert not _keep(spool, place)
    tacit.sessions.resume(session="s")
    handle_event(tacit, "claude-code", _body(place, id="p2"), spool)
    assert _keep(spool, place, id="p3")


def test_prompts_of_a_paused_project_are_dropped_unread(place, tacit, spool):
    tacit.sessions.pause(project=str(place / "project"))
    _keep(spool, place)
    (waiting,) = spool.prompts()
    record_waiting_prompts(tacit, spool, waiting)
    assert _files(place) == []
    assert tacit.turns.list() == []


def test_without_a_folder_for_it_nothing_is_kept_and_nothing_fails(place, tacit, spool):
    tacit.remember("We chose JWT over session tokens for the API", type="decision")
    (place / "run").write_text("no folder")
    assert not _keep(spool, place)
    asked = _body(place, "Which tokens did we choose for the API?")
    assert "JWT" in handle_event(tacit, "claude-code", asked, spool)
    tacit.sessions.pause(session="s")
    assert handle_event(tacit, "claude-code", asked, spool) == ""


def test_a_damaged_file_is_no_failure(place, spool):
    _keep(spool, place)
    (file,) = _files(place)
    file.with_name("0.prompt").write_bytes(b"{half")
    assert len(spool.prompts()) == 1


def test_a_session_paused_by_hand_keeps_nothing_from_then_on(place, tacit, spool, run):
    _keep(spool, place, "Said before the pause")
    run("session", "pause", "s", db=place / "memory.db")
    assert _files(place) == []
    assert not _keep(spool, place)
    run("session", "resume", "s", db=place / "memory.db")
    assert _keep(spool, place)


# How they are recorded


def test_a_kept_prompt_is_recorded_and_learned_with_the_next_event_of_its_session(
    place, tacit, spool
):
    _keep(spool, place)
    handle_event(tacit, "claude-code", _body(place, "And now?", id="p2"), spool)
    handle_event(tacit, "claude-code", _body(place, id="r2", event="Stop"), spool)
    later, first = tacit.turns.list(session="s")
    assert (first.turn, first.query, later.query) == (1, SAID, "And now?")
    note = first.notes[-1]
    assert note == "this prompt got no memory and was recorded later: it took long"
    tacit.learn()
    assert [each for each in tacit.list() if "French" in each.content]
    assert _files(place) == []


def test_the_reply_to_a_kept_prompt_belongs_to_it(place, tacit, spool):
    _keep(spool, place, "Which crane is ours?")
    stop = _body(place, id="r1", event="Stop", last_assistant_message="The yellow one.")
    handle_event(tacit, "claude-code", stop, spool)
    (receipt,) = tacit.turns.list(session="s")
    assert receipt.query == "Which crane is ours?"
    kept = tacit.sessions.variables("s")["tacit.host"]["exchanges"]
    assert kept == [["Which crane is ours?", "The yellow one."]]


def test_kept_prompts_are_recorded_in_order(place, tacit, spool):
    for number in range(3):
        _keep(spool, place, f"Prompt {number}", id=f"p{number}")
    _keep(spool, place, "Elsewhere", session="other", id="p9")
    record_waiting_prompts(tacit, spool, spool.prompts()[0])
    told = [receipt.query for receipt in reversed(tacit.turns.list(session="s"))]
    assert told == ["Prompt 0", "Prompt 1", "Prompt 2"]
    assert [each.prompt for each in spool.prompts()] == ["Elsewhere"]


def test_a_prompt_that_was_received_after_all_is_not_recorded_again(place, tacit, spool):
    handle_event(tacit, "claude-code", _body(place), spool)
    _keep(spool, place)
    handle_event(tacit, "claude-code", _body(place, id="r1", event="Stop"), spool)
    assert [receipt.query for receipt in tacit.turns.list()] == [SAID]
    assert _files(place) == []


@pytest.mark.parametrize("reply_comes_first", [False, True])
def test_a_prompt_that_is_read_after_its_hook_gave_up_is_recorded_once(
    place, tacit, spool, reply_comes_first
):
    """The daemon was stopped; what hooks had sent it waits in its socket, and in the spool."""
    _keep(spool, place)
    prompt = _body(place)
    stop = _body(place, id="r1", event="Stop", last_assistant_message="D'accord.")
    for each in (stop, prompt) if reply_comes_first else (prompt, stop):
        assert handle_event(tacit, "claude-code", each, spool) == ""
    (receipt,) = tacit.turns.list()
    assert (receipt.turn, receipt.query) == (1, SAID)
    assert receipt.notes[-1].endswith("it took long")
    assert _files(place) == []
    state = tacit.sessions.variables("s")["tacit.host"]
    assert (state["turn"], state["exchanges"]) == (None, [[SAID, "D'accord."]])
    tacit.learn()
    assert len([each for each in tacit.list() if "French" in each.content]) == 1


def test_a_prompt_that_the_daemon_recorded_by_itself_is_not_recorded_when_it_arrives(
    place, tacit, spool
):
    _keep(spool, place)
    record_waiting_prompts(tacit, spool, spool.prompts()[0])
    assert handle_event(tacit, "claude-code", _body(place), spool) == ""
    assert [receipt.query for receipt in tacit.turns.list()] == [SAID]
    assert tacit.sessions.variables("s")["tacit.host"]["turn"] is None


def test_a_reply_that_arrives_twice_does_not_end_the_next_turn(place, tacit, spool):
    stop = _body(place, id="r1", event="Stop", last_assistant_message="The yellow one.")
    handle_event(tacit, "claude-code", _body(place, "Which crane is ours?"), spool)
    handle_event(tacit, "claude-code", stop, spool)
    handle_event(tacit, "claude-code", _body(place, "And the ladder?", id="p2"), spool)
    assert handle_event(tacit, "claude-code", stop, spool) == ""
    assert [receipt.query for receipt in tacit.turns.list()] == ["Which crane is ours?"]
    ended = _body(place, id="r2", event="Stop", last_assistant_message="The long one.")
    handle_event(tacit, "claude-code", ended, spool)
    exchanges = tacit.sessions.variables("s")["tacit.host"]["exchanges"]
    assert exchanges[-1] == ["And the ladder?", "The long one."]


def test_a_prompt_that_is_still_being_handled_is_not_recorded_twice(
    place, tacit, spool, monkeypatch
):
    begun, release, begin = threading.Event(), threading.Event(), tacit.turn

    def slow(**given):
        begun.set()
        release.wait(60)
        return begin(**given)

    monkeypatch.setattr(tacit, "turn", slow)
    stop = _body(place, id="r1", event="Stop", last_assistant_message="Late.")
    events = [_body(place), stop]
    threads = [
        threading.Thread(target=handle_event, args=(tacit, "claude-code", each, spool))
        for each in events
    ]
    threads[0].start()
    assert begun.wait(60)
    _keep(spool, place)
    threads[1].start()
    release.set()
    for each in threads:
        each.join(60)
    (receipt,) = tacit.turns.list()
    assert (receipt.query, receipt.skipped) == (SAID, None)
    assert _files(place) == []


def test_what_fails_is_kept_and_recorded_later(place, tacit, spool, monkeypatch):
    with monkeypatch.context() as broken:
        broken.setattr(tacit.sessions, "variables", lambda session: 1 / 0)
        assert handle_event(tacit, "claude-code", _body(place), spool) == ""
    (waiting,) = spool.prompts()
    assert "ZeroDivisionError" in waiting.cause
    record_waiting_prompts(tacit, spool, waiting)
    assert [receipt.query for receipt in tacit.turns.list()] == [SAID]


def test_a_prompt_whose_recording_fails_stays(place, tacit, spool, monkeypatch):
    _keep(spool, place)
    monkeypatch.setattr(tacit.turns, "note", lambda *_: False)
    (waiting,) = spool.prompts()
    with pytest.raises(TimeoutError):
        record_waiting_prompts(tacit, spool, waiting)
    assert len(_files(place)) == 1


def test_the_daemon_records_prompts_of_sessions_that_stay_silent(place, tacit, spool, monkeypatch):
    old = system_clock() - timedelta(minutes=5)
    said = {"client": "codex", "workspace": "default", "folder": str(place / "project")}
    spool.add(SpooledPrompt(id="p1", at=old, session="s", prompt=SAID, **said))
    spool.add(SpooledPrompt(id="p2", at=system_clock(), session="t", prompt="Just now", **said))
    waiting = daemon.WaitingPrompts(SimpleNamespace(tacit=lambda name: tacit), spool)
    with monkeypatch.context() as broken:
        broken.setattr(tacit.sessions, "variables", lambda session: 1 / 0)
        waiting.record()
    assert len(_files(place)) == 2
    monkeypatch.setattr(daemon, "_RETRY_SECONDS", 0)
    waiting.record()
    assert [receipt.query for receipt in tacit.turns.list()] == [SAID]
    assert [each.prompt for each in spool.prompts()] == ["Just now"]


def test_last_says_that_a_prompt_got_no_memory_and_why(place, tacit, spool, run):
    _keep(spool, place)
    told = run("last", db=place / "memory.db")
    assert (told.code, told.out) == (0, "")
    assert "in session s got no memory: it took long." in told.err
    assert "recorded with the next prompt" in told.err
    record_waiting_prompts(tacit, spool, spool.prompts()[0])
    told = run("last", db=place / "memory.db")
    assert SAID in told.out
    note = "this prompt got no memory and was recorded later: it took long"
    assert note in " ".join(told.out.split())
    _keep(spool, place, "Another", id="p2")
    (waiting,) = json.loads(run("last", "--json", db=place / "memory.db").out)["waiting_prompts"]
    assert waiting["cause"] == "it took long"


# How they are erased


def _erase_session(tacit, **options):
    return tacit.memories.erase_session("s", **options)


def _erase_owner(tacit, **options):
    return tacit.memories.erase_owner("user:ann", **options)


def _erase_matching(tacit, **options):
    return tacit.memories.erase_matching(contains="in french", **options)


@pytest.mark.parametrize("erase", [_erase_session, _erase_owner, _erase_matching])
def test_erasing_reaches_kept_prompts(place, tacit, spool, erase):
    body = {**_body(place), "user": "ann"}
    assert spool_prompt(spool, "claude-code", body, "it took long")
    _keep(spool, place, "Where is the crane?", session="t", id="p2")
    assert erase(tacit, dry_run=True).removed["waiting_prompts"] == 1
    assert len(_files(place)) == 2
    assert erase(tacit).removed["waiting_prompts"] == 1
    assert [each.prompt for each in spool.prompts()] == ["Where is the crane?"]


@pytest.mark.parametrize(
    ("filters", "count"),
    [
        ({"session": "s"}, 1),
        ({"session": "t"}, 0),
        ({"scope": "user", "scope_id": "ann"}, 1),
        ({"scope": "user", "scope_id": "ben"}, 0),
        ({"scope": "project"}, 0),
        ({"created_from": "2026-01-01"}, 1),
        ({"created_to": "2026-01-01"}, 0),
        ({"contains": "French", "state": "forgotten"}, 0),
        ({"contains": "French", "types": ["fact"]}, 0),
    ],
    ids=str,
)
def test_filters_take_a_kept_prompt_as_they_would_its_episode(place, tacit, spool, filters, count):
    assert spool_prompt(spool, "codex", {**_body(place), "user": "ann"}, "it took long")
    assert tacit.memories.erase_matching(**filters).removed["waiting_prompts"] == count
    assert len(_files(place)) == 1 - count


def test_nobody_erases_kept_prompts_of_others(place, tacit, spool):
    assert spool_prompt(spool, "codex", {**_body(place), "user": "ann"}, "it took long")
    bound = tacit.memories.erasures_of(Viewer.of(None, "ben"))
    bound.erase_session("s", dry_run=False, by="user")
    bound.erase_matching(contains="French", dry_run=False, by="user")
    with Tacit.open(place / "memory.db", "other", embedder="none") as other:
        other.memories.erase_session("s")
    assert len(_files(place)) == 1


def test_erasing_a_project_takes_the_prompts_of_its_folder(place, tacit, spool):
    (place / "project/src").mkdir()
    _keep(spool, place, cwd=str(place / "project/src"))
    _keep(spool, place, "Elsewhere", id="p2", cwd=str(place))
    handle_event(tacit, "claude-code", _body(place, "hi", session="t", id="p3"), None)
    done = tacit.memories.erase_owner(f"project:{place / 'project'}")
    assert done.removed["waiting_prompts"] == 1
    assert [each.prompt for each in spool.prompts()] == ["Elsewhere"]


def test_erasing_reaches_prompts_that_wait_where_another_environment_keeps_them(
    place, tacit, monkeypatch
):
    desktop = {"XDG_RUNTIME_DIR": str(place / "desktop")}
    (place / "desktop").mkdir()
    spool = PromptSpool.of_database(str(place / "memory.db"), desktop)
    _keep(spool, place)
    assert spool.prompts()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(place / "desktop"))
    assert tacit.memories.erase_session("s").removed["waiting_prompts"] == 1


def test_erasing_a_memory_takes_prompts_that_say_the_same(place, tacit, spool):
    kept = tacit.remember("We deploy on Tuesdays")
    _keep(spool, place, "As I said: we deploy on Tuesdays!")
    assert tacit.erase(kept.id).removed["waiting_prompts"] == 1
    assert _files(place) == []


# The hook itself


def test_a_hook_that_gives_up_keeps_its_prompt():
    with surroundings(TACIT_HOOKS_SECONDS="0.3") as here, socket.socket(socket.AF_UNIX) as deaf:
        here.place.ensure_folder()
        deaf.bind(str(here.place.socket))
        deaf.listen()
        ran = here.hook(prompt=f"We deploy on Tuesdays, with {SECRET}", cwd="/srv/shop")
        assert (ran.code, ran.out, ran.err) == (0, "", "")
        wait_until(lambda: _files(here.folder))
        (waiting,) = (json.loads(file.read_text()) for file in _files(here.folder))
        assert waiting["prompt"].startswith("We deploy on Tuesdays, with [")
        assert (waiting["session"], waiting["folder"]) == ("s", "/srv/shop")
        assert "took longer than 0.3 seconds while the daemon handled it" in waiting["cause"]
        here.hook("stop", last_assistant_message="Late")
        assert here.log.count("was given up") == 2
        assert len(_files(here.folder)) == 1
