"""Events of coding tools, from what they write to what they read."""

import json
import subprocess
import threading

import pytest

from tacit import Tacit
from tacit.integrations.hooks.event_handler import handle_event
from tacit.integrations.hooks.folder_workers import folder_owner
from tacit.settings.config import Config
from tacit.store.sqlite.in_memory import SqliteInMemoryStore
from tacit.turn.record import LEFT_TO_COMMIT
from tests.support import HandClock
from tests.turn_doors import LATE_MS, LateStore

JWT = "We chose JWT over session tokens for the API"
ASK = "Which tokens did we choose for the API?"
EVENTS = {
    "claude-code": ("UserPromptSubmit", "Stop", "PreCompact"),
    "codex": ("UserPromptSubmit", "Stop", "PreCompact"),
    "gemini": ("BeforeAgent", "AfterAgent", None),
}
clients = pytest.mark.parametrize("client", EVENTS)
with_compaction = pytest.mark.parametrize("client", ["claude-code", "codex"])


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def tacit(clock, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with Tacit.open(":memory:", embedder="none", clock=clock) as tacit:
        tacit.memories.remember_all([f"Plant number {n} on the sill wants water" for n in range(8)])
        yield tacit


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", folder], check=True)
    return folder


class Host:
    """A client at work in a folder."""

    def __init__(self, tacit, client, folder, session="s"):
        self._tacit, self._client, self._folder = tacit, client, folder
        self.session = session

    def tell(self, event, session=None, **fields):
        raw = {
            "session_id": session or self.session,
            "cwd": str(self._folder),
            "hook_event_name": event,
            **fields,
        }
        written = handle_event(self._tacit, self._client, {"event": raw, "cwd": None, "user": None})
        if not written:
            return ""
        answer = json.loads(written)["hookSpecificOutput"]
        assert answer["hookEventName"] == event
        return answer["additionalContext"]

    def ask(self, prompt, **fields):
        return self.tell(EVENTS[self._client][0], prompt=prompt, **fields)

    def reply(self, reply="Noted.", **fields):
        name = "prompt_response" if self._client == "gemini" else "last_assistant_message"
        return self.tell(EVENTS[self._client][1], **{name: reply}, **fields)

    def say(self, prompt, reply="Noted."):
        context = self.ask(prompt)
        assert self.reply(reply) == ""
        return context

    def compact(self):
        self.tell("PreCompact", trigger="manual")
        return self.tell("SessionStart", source="compact")


@clients
def test_a_prompt_brings_what_is_relevant_once(tacit, project, client):
    tacit.remember(JWT, type="decision")
    host = Host(tacit, client, project)
    first = host.say(ASK)
    assert first.startswith("[Context from memory]")
    assert JWT in first
    assert host.say(ASK) == ""
    assert [receipt.turn for receipt in tacit.turns.list(session="s")] == [2, 1]


@clients
@pytest.mark.parametrize("loses_background", [False, True])
def test_a_prompt_that_the_store_took_too_late_is_recorded_with_its_reply(
    project, client, loses_background
):
    store = LateStore(SqliteInMemoryStore.open())
    hasty = Config(defaults={"deadline_ms": LATE_MS})
    with Tacit(store, "default", config=hasty) as tacit:
        tacit.warm()
        store.late_writes, store.loses_background = True, loses_background
        host = Host(tacit, client, project)
        assert host.ask("We moved the office to Lisbon in March.") == ""
        store.recover()
        host.reply()
        (receipt,) = tacit.turns.list(session="s")
        assert LEFT_TO_COMMIT in receipt.notes
        assert (receipt.turn, tacit.sessions.get("s").session.turns) == (1, 1)


@with_compaction
def test_what_a_compaction_took_away_comes_again(tacit, project, client):
    tacit.remember(JWT, type="decision")
    host = Host(tacit, client, project)
    assert JWT in host.say(ASK)
    host.compact()
    assert JWT in host.say(ASK)


@clients
def test_standing_rules_come_with_the_first_prompt_that_asks_and_no_later_one(
    tacit, project, client
):
    tacit.remember("Always answer in German", type="preference")
    tacit.remember(JWT, type="decision")
    host = Host(tacit, client, project)
    assert host.say("hi") == ""
    first = host.say(ASK)
    assert first.index("[Standing rules]\n[Preference] Always answer in German") < first.index(JWT)
    assert first.count("A selection from memory") == 1
    (receipt,) = [each for each in tacit.turns.list(session="s") if each.blocks]
    assert receipt.characters == len(first) - len("\n\n")
    for number in range(12):
        assert "[Standing rules]" not in host.say(f"And what about loaf {number}?")


@with_compaction
def test_standing_rules_come_again_after_a_confirmed_compaction(tacit, project, client):
    tacit.remember("Always answer in German", type="preference")
    host = Host(tacit, client, project)
    assert "[Standing rules]" in host.say("How do I bake bread?")
    host.tell("PreCompact", trigger="manual")
    assert host.say("How do I bake rye bread?") == ""
    host.compact()
    assert "[Standing rules]" in host.say("How do I bake white bread?")


@with_compaction
def test_what_was_said_before_the_client_cleared_its_history_is_no_context_after(
    tacit, project, client
):
    host = Host(tacit, client, project)
    host.say("We talk about the harbour crane")
    host.ask("And of its quokka?")
    host.tell("SessionStart", source="clear")
    host.reply("A late reply about the quokka")
    kept = tacit.sessions.variables("s")["tacit.host"]
    assert (kept["turn"], kept["prompt"], kept["exchanges"]) == (None, "", [])
    assert [receipt.turn for receipt in tacit.turns.list(session="s")] == [1]


@clients
def test_a_reply_to_a_turn_of_a_session_that_was_cleared_is_not_kept(tacit, project, client):
    host = Host(tacit, client, project)
    host.ask("We talk about the quokka")
    assert tacit.sessions.clear("s").abandoned_turns == 1
    host.reply("A late reply about the quokka")
    kept = tacit.sessions.variables("s")["tacit.host"]
    assert (kept["turn"], kept["prompt"], kept["exchanges"]) == (None, "", [])
    assert tacit.turns.list(session="s") == []


@with_compaction
def test_a_compaction_that_did_not_happen_brings_nothing_again(tacit, project, client):
    tacit.remember(JWT, type="decision")
    host = Host(tacit, client, project)
    host.say(ASK)
    host.tell("PreCompact", trigger="manual")
    assert host.say(ASK) == ""


@with_compaction
def test_a_hand_off_bridges_a_compaction_and_its_lines_do_not_come_again(tacit, project, client):
    goal = "Ship the exporter by Friday"
    tacit.remember(goal, type="goal", scope="project", scope_id=str(project))
    host = Host(tacit, client, project)
    host.say("Look at src/export/writer.py please", reply="It writes rows.")
    handed = host.compact()
    assert goal in handed
    assert "src/export/writer.py" in handed
    assert host.say("When do we ship the exporter?") == ""


@clients
def test_another_session_is_told_by_itself(tacit, project, client):
    tacit.remember(JWT, type="decision")
    assert JWT in Host(tacit, client, project).say(ASK)
    assert JWT in Host(tacit, client, project, session="s2").say(ASK)


@clients
def test_sub_folders_and_worktrees_are_one_project_and_others_are_not(
    tacit, project, tmp_path, client
):
    tacit.remember(JWT, type="decision", scope="project", scope_id=str(project))
    within = project / "src" / "deep"
    within.mkdir(parents=True)
    git = ["git", "-C", str(project), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(tmp_path / "tree")], check=True)
    for number, place in enumerate((project, within, tmp_path / "tree")):
        assert JWT in Host(tacit, client, place, session=f"s{number}").say(ASK)
    other = tmp_path / "other"
    other.mkdir()
    assert Host(tacit, client, other, session="t").say(ASK) == ""


@clients
def test_what_is_said_in_one_session_is_known_in_the_next(tacit, project, client):
    Host(tacit, client, project).say("From now on always write commit messages in French.")
    tacit.learn()
    asked = "Write the commit messages for this"
    assert "French" in Host(tacit, client, project, session="s2").say(asked)


@pytest.mark.episodes
@with_compaction
def test_what_was_said_in_passing_comes_again_after_a_compaction_and_in_another_session(
    tacit, project, clock, client
):
    said = "oh, and the staging box eats its disk again, Ines knows"
    host = Host(tacit, client, project)
    host.say(said)
    host.say("thanks")
    tacit.learn()
    asked = "what about the disk of the staging box, and Ines?"
    assert said not in host.say(asked)
    assert f"2026-03-01: {said}" in Host(tacit, client, project, session="s2").say(asked)
    clock.advance(minutes=1)
    host.compact()
    assert said in host.say("the disk of the staging box, and Ines?")


@clients
def test_a_turn_that_was_interrupted_is_a_turn_all_the_same(tacit, project, client):
    tacit.remember(JWT, type="decision")
    host = Host(tacit, client, project)
    assert JWT in host.ask(ASK)
    assert host.say(ASK) == ""
    assert len(tacit.turns.list(session="s")) == 2
    assert tacit.sessions.get("s").session.turns == 2


@clients
def test_the_last_replies_help_to_understand_a_follow_up(tacit, project, client):
    host = Host(tacit, client, project)
    host.say("How do clients of the API log in?", "They send a JWT with each request to the API.")
    host.ask("Why that one instead?")
    (last, _) = tacit.turns.list(session="s") if host.reply() == "" else ()
    assert {"jwt", "api"} <= set(last.context)


@clients
def test_what_the_client_shows_by_itself_is_not_injected(tacit, project, client):
    name = {"claude-code": "CLAUDE.md", "codex": "AGENTS.md", "gemini": "GEMINI.md"}[client]
    (project / name).write_text(f"# Rules\n\n- {JWT}.\n")
    tacit.remember(JWT, type="decision")
    assert Host(tacit, client, project).say(ASK) == ""


RULE = "Never push to main without review"


@pytest.mark.parametrize(
    "kind", [{"type": "constraint"}, {"pinned": True}, {"type": "preference"}], ids=str
)
@clients
def test_no_file_of_a_project_silences_what_has_to_hold(tacit, project, client, kind):
    name = {"claude-code": "CLAUDE.md", "codex": "AGENTS.md", "gemini": "GEMINI.md"}[client]
    (project / name).write_text(f"{RULE}.\n")
    tacit.remember(RULE, **kind)
    assert RULE in Host(tacit, client, project).ask("Should I push to main without a review?")


def test_a_folder_that_takes_too_long_holds_up_neither_its_prompts_nor_other_projects(
    tacit, project, tmp_path, monkeypatch
):
    tacit.remember(JWT, type="decision")
    release, begun = threading.Event(), []

    def stuck(client, folder, *_):
        if folder == project:
            begun.append(folder)
            release.wait(60)
        return ()

    monkeypatch.setattr("tacit.integrations.hooks.event_handler.read_instructions", stuck)
    monkeypatch.setattr("tacit.integrations.hooks.event_handler._SHARE_FOR_FILES", 0.002)
    try:
        for number in range(6):
            assert JWT in Host(tacit, "claude-code", project, f"s{number}").ask(ASK)
        assert len(begun) == 2
        (tmp_path / "other").mkdir()
        assert JWT in Host(tacit, "claude-code", tmp_path / "other", "t").ask(ASK)
    finally:
        release.set()


def test_folders_of_one_project_have_one_share_of_the_threads(tacit, project):
    (project / "src").mkdir()
    Host(tacit, "claude-code", project / "src").ask(ASK)
    assert folder_owner(project / "src") == str(project)
    assert folder_owner(project / "unknown") == str(project / "unknown")


@pytest.mark.parametrize(("client", "name"), [("claude-code", "CLAUDE.md"), ("codex", "AGENTS.md")])
def test_a_client_whose_settings_are_elsewhere_shows_what_is_there(
    tacit, project, tmp_path, client, name
):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / name).write_text(f"- {JWT}.\n")
    tacit.remember(JWT, type="decision")
    event = {"session_id": "s", "cwd": str(project), "hook_event_name": "UserPromptSubmit"}
    body = {"event": {**event, "prompt": ASK}}
    assert handle_event(tacit, client, {**body, "settings_folder": str(elsewhere)}) == ""
    assert JWT in handle_event(tacit, client, body)


@clients
def test_a_paused_project_is_left_alone(tacit, project, client):
    tacit.remember(JWT, type="decision")
    tacit.sessions.pause(project=str(project))
    assert Host(tacit, client, project).say(ASK) == ""
    assert tacit.turns.list(session="s") == []
    assert tacit.sessions.variables("s") == {}


@clients
def test_the_block_stays_under_what_the_client_takes(tacit, project, client):
    for number in range(40):
        tacit.remember(f"Token rule {number}: " + f"the API token {number} is checked " * 30)
    text = Host(tacit, client, project).ask(
        "Which token rules has the API?", permission_mode="default"
    )
    assert 0 < len(text) < 10_000


def test_a_subagent_is_no_part_of_the_session(tacit, project):
    tacit.remember(JWT, type="decision")
    host = Host(tacit, "claude-code", project)
    assert host.ask(ASK, agent_id="a1", agent_type="Explore") == ""
    host.tell("SubagentStop", agent_id="a1", last_assistant_message="x")
    assert tacit.turns.list(session="s") == []


@clients
def test_a_file_of_the_users_own_decides_what_is_done(tacit, project, client, tmp_path):
    folder = tmp_path / "config" / "tacit" / "workflows" / "lifecycle"
    folder.mkdir(parents=True)
    (folder / "session-lifecycle.yaml").write_text(
        "name: mine\non_before_agent:\n  - action: inject_context\n    text: Be kind.\n"
    )
    tacit.remember(JWT, type="decision")
    host = Host(tacit, client, project)
    assert host.say(ASK + " Always answer in French.") == "Be kind."
    assert [receipt.skipped for receipt in tacit.turns.list(session="s")] == ["disabled"]
    tacit.learn()
    assert not [each for each in tacit.list() if "French" in each.content]


@pytest.mark.parametrize("event", [None, [], {}, {"hook_event_name": 3}, {"session_id": "s"}])
@clients
def test_what_is_no_event_gets_no_answer(tacit, client, event):
    assert handle_event(tacit, client, {"event": event}) == ""


@clients
def test_a_memory_that_fails_says_nothing(tacit, project, client, monkeypatch, caplog):
    monkeypatch.setattr(tacit.sessions, "variables", lambda session: 1 / 0)
    assert Host(tacit, client, project).ask(ASK) == ""
    assert "ZeroDivisionError" in caplog.text
    assert ASK not in caplog.text


def test_an_unknown_client_gets_no_answer(tacit):
    assert handle_event(tacit, "emacs", {"event": {"hook_event_name": "Stop"}}) == ""
