"""What coding CLIs say, read; what they are told, written; and what they show by themselves."""

import json
import os
import threading
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.integrations.hooks.client_instructions import read_instructions
from tacit.integrations.hooks.clients import CLIENTS, find_touched_files
from tacit.integrations.workflows.events import WorkflowTrigger

CLAUDE, CODEX, GEMINI = (CLIENTS[name] for name in ("claude-code", "codex", "gemini"))
EVERY = pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)


def event(name, **fields):
    return {"session_id": "s1", "cwd": "/work/app", "hook_event_name": name, **fields}


def triggers(readings):
    return [each.trigger for each in readings]


@pytest.mark.parametrize(
    ("client", "raw", "turn"),
    [
        (CLAUDE, event("UserPromptSubmit", prompt_id="p1", prompt="Which port?"), "p1"),
        (CODEX, event("UserPromptSubmit", turn_id="t1", prompt="Which port?"), "t1"),
        (GEMINI, event("BeforeAgent", timestamp="2026-11-15T19:54:20Z", prompt="Which port?"), ""),
    ],
)
def test_a_prompt_is_read_from_every_client(client, raw, turn):
    (read,) = client.read_events(raw)
    assert read.trigger is WorkflowTrigger.BEFORE_AGENT
    assert read.session == "s1"
    assert read.data["prompt"] == "Which port?"
    assert read.data["turn"] == turn
    assert read.data["client"] == client.name


@pytest.mark.parametrize(
    ("client", "raw"),
    [
        (CLAUDE, event("Stop", stop_hook_active=False, last_assistant_message="8080.")),
        (CODEX, event("Stop", stop_hook_active=False, last_assistant_message="8080.")),
        (GEMINI, event("AfterAgent", prompt="Which port?", prompt_response="8080.")),
    ],
)
def test_the_end_of_a_turn_is_an_after_agent_and_a_stop_with_the_reply(client, raw):
    read = client.read_events(raw)
    assert triggers(read) == [WorkflowTrigger.AFTER_AGENT, WorkflowTrigger.STOP]
    assert {each.data["reply"] for each in read} == {"8080."}


@EVERY
@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_the_start_of_a_session_says_where_it_comes_from(client, source):
    (read,) = client.read_events(event("SessionStart", source=source))
    assert read.trigger is WorkflowTrigger.SESSION_START
    assert read.data["source"] == source


@EVERY
def test_the_end_of_a_session_says_why(client):
    (read,) = client.read_events(event("SessionEnd", reason="clear"))
    assert (read.trigger, read.data["reason"]) == (WorkflowTrigger.SESSION_END, "clear")


@pytest.mark.parametrize(
    ("client", "raw"),
    [
        (CLAUDE, event("SubagentStop", agent_id="a1", last_assistant_message="Done.")),
        (CLAUDE, event("SubagentStop", agent_id="a1", agent_type="")),
        (CLAUDE, event("PreToolUse", agent_id="a1", agent_type="Explore", tool_name="Read")),
        (CODEX, event("SubagentStart", agent_id="a1", agent_type="default")),
        (CODEX, event("UserPromptSubmit", agent_id="a1", prompt="Look for the port")),
        (CODEX, event("Stop", agent_id="a1", last_assistant_message="Done.")),
        (GEMINI, event("PreCompress", trigger="auto")),
    ],
)
def test_what_a_subagent_does_is_no_moment_of_the_session(client, raw):
    assert client.read_events(raw) == ()


def test_the_news_that_a_task_has_ended_is_nobodys_prompt():
    told = "<task-notification>\n<task-id>a1</task-id>\n<result>We use port 9</result>"
    assert CLAUDE.read_events(event("UserPromptSubmit", prompt=told)) == ()


def test_what_a_session_began_with_is_no_part_of_the_prompt_in_gemini():
    prompt = "<hook_context>We like &lt;tabs&gt;</hook_context>\n\nWhich port?\nAnd why?"
    (read,) = GEMINI.read_events(event("BeforeAgent", prompt=prompt))
    assert read.data["prompt"] == "Which port?\nAnd why?"
    done = GEMINI.read_events(event("AfterAgent", prompt=prompt, prompt_response="8080."))
    assert done[0].data["prompt"] == "Which port?\nAnd why?"


@EVERY
@given(
    raw=st.dictionaries(
        st.sampled_from(
            ["session_id", "hook_event_name", "prompt", "source", "transcript_path", "agent_id"]
        ),
        st.one_of(
            st.none(),
            st.integers(),
            st.text(max_size=20),
            st.lists(st.text(max_size=3), max_size=3),
            st.sampled_from(["SessionStart", "BeforeAgent", "PreCompact", "Stop", "/", "s1"]),
        ),
    )
)
def test_nothing_that_a_client_writes_is_too_odd_to_read(client, raw):
    assert isinstance(client.read_events(raw), tuple)
    assert isinstance(client.format_output(raw, "text"), str)


@EVERY
def test_a_text_reaches_the_model_in_the_clients_own_words(client):
    prompt = "BeforeAgent" if client is GEMINI else "UserPromptSubmit"
    for name in ("SessionStart", prompt):
        answer = json.loads(client.format_output(event(name), "Café <8080>"))
        assert answer == {
            "hookSpecificOutput": {"hookEventName": name, "additionalContext": "Café <8080>"}
        }
        assert client.format_output(event(name), "") == ""


@EVERY
@pytest.mark.parametrize("name", ["Stop", "AfterAgent", "PreCompact", "SessionEnd", "Other"])
def test_nothing_is_said_where_it_would_do_something_else(client, name):
    assert client.format_output(event(name), "text") == ""


@EVERY
def test_we_give_up_before_the_client_does(client):
    assert client.timeout_for("SessionEnd") <= 1
    assert all(client.timeout_for(name) <= 5 for name in client.events)
    assert set(client.events) <= set(client.readers)
    assert client.room < 10_000


def gemini_transcript(path, *lines):
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))


def replaced(*messages):
    kept = [
        {"id": str(place), "type": kind, "content": [{"text": text}] if kind == "user" else text}
        for place, (kind, text) in enumerate(messages)
    ]
    return {"$set": {"messages": kept}}


THANKS = "Got it. Thanks for the additional context!"


def test_a_compaction_in_gemini_is_noticed_with_the_next_prompt_and_counts_once(tmp_path):
    path = tmp_path / "session.jsonl"
    begun = [{"sessionId": "s1", "kind": "main"}, replaced(("user", "<session_context>"))]
    gemini_transcript(path, *begun)
    raw = event("BeforeAgent", prompt="Which port?", transcript_path=str(path))
    assert triggers(GEMINI.read_events(raw)) == [WorkflowTrigger.BEFORE_AGENT]

    cut = replaced(("user", "<session_context>"), ("user", "<state_snapshot>A"), ("gemini", THANKS))
    gemini_transcript(path, *begun, cut)
    before, start, prompt = GEMINI.read_events(raw)
    assert triggers([before, start, prompt]) == [
        WorkflowTrigger.PRE_COMPACT,
        WorkflowTrigger.SESSION_START,
        WorkflowTrigger.BEFORE_AGENT,
    ]
    assert start.data["source"] == "compact"
    assert before.once == start.once
    assert before.once
    assert prompt.once is None

    said = {"id": "9", "type": "user", "content": [{"text": "Which port?"}]}
    gemini_transcript(path, *begun, cut, said)
    assert GEMINI.read_events(raw)[1].once == start.once

    again = replaced(("user", "<session_context>"), ("user", "No tags: B"), ("gemini", THANKS))
    gemini_transcript(path, *begun, cut, said, again)
    assert GEMINI.read_events(raw)[1].once != start.once


@pytest.mark.parametrize(
    "line",
    [
        '{"$set":{"messages":[',
        '{"$set":{"messages":7}}',
        '{"$set":{"messages":[{"type":"user"}]}}',
        '{"$set":{"messages":[{"type":"user","content":[7]}]}}',
        '{"$set":{"messages":[{"type":"user","content":7}]}}',
    ],
)
def test_a_transcript_that_makes_no_sense_is_passed_over(tmp_path, line):
    path = tmp_path / "session.jsonl"
    path.write_text(line + "\n")
    raw = event("BeforeAgent", prompt="Which port?", transcript_path=str(path))
    assert triggers(GEMINI.read_events(raw)) == [WorkflowTrigger.BEFORE_AGENT]


def test_the_files_that_were_worked_on_are_known_before_a_compaction(tmp_path):
    path = tmp_path / "session.jsonl"
    uses = [
        {"type": "tool_use", "name": "Read", "input": {"file_path": "/work/app/old.py"}},
        {"type": "tool_use", "name": "Edit", "input": {"file_path": "/work/app/src/port.py"}},
        {"type": "tool_use", "name": "Bash", "input": {"command": "cat /etc/hosts"}},
        {"type": "tool_use", "name": "Read", "input": {"file_path": "/etc/hosts"}},
    ]
    lines = [{"type": "assistant", "message": {"content": [use]}} for use in uses]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    raw = event("PreCompact", trigger="manual", transcript_path=str(path))
    for client in (CLAUDE, CODEX):
        (read,) = client.read_events(raw)
        assert read.trigger is WorkflowTrigger.PRE_COMPACT
        assert read.data["trigger"] == "manual"
        assert read.data["files"] == ["/etc/hosts", "src/port.py", "old.py"]
        assert read.data["confirms_compaction"] is True


@pytest.mark.parametrize(
    "record",
    [
        {"payload": {"type": "function_call", "arguments": json.dumps({"path": "/p/a.py"})}},
        {"payload": {"type": "custom_tool_call", "input": "*** Begin\n*** Update File: a.py\n@@"}},
        {"type": "gemini", "toolCalls": [{"name": "read_file", "args": {"file_path": "a.py"}}]},
    ],
)
def test_files_are_found_in_the_transcript_of_every_client(tmp_path, record):
    path = tmp_path / "session.jsonl"
    path.write_text("no JSON\n[1, null]\n" + json.dumps(record) + "\n")
    assert find_touched_files(path, Path("/p")) == ("a.py",)
    assert find_touched_files(tmp_path, Path("/p")) == ()


@pytest.fixture
def app(tmp_path):
    """A repository in a folder of its own, with a home beside it."""
    folder = tmp_path / "team" / "app" / "src"
    folder.mkdir(parents=True)
    (folder.parent / ".git").mkdir()
    (folder.parent / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return folder


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_claude_code_shows_its_files_from_the_folder_up_and_what_they_import(app, tmp_path):
    home, root = tmp_path / "home", tmp_path / "team" / "app"
    write(home / ".claude" / "CLAUDE.md", "Answer briefly.\n\n@~/own.md")
    write(home / ".claude" / "rules" / "tone.md", "Be kind.")
    write(home / "of_project.md", "Claude Code asks before.")
    write(root.parent / "CLAUDE.md", "The team is Blue.")
    write(root / "CLAUDE.md", "# Build\n- We use pnpm\n\nSee @docs/more.md and @~/of_project.md.")
    write(root / "docs" / "more.md", "The port is 8080.\n\n@../CLAUDE.md")
    write(home / "own.md", "I like tabs.")
    write(root / "CLAUDE.local.md", "My branch is blue.")
    write(root / ".claude" / "CLAUDE.md", "Deploys run on Friday.")
    write(root / ".claude" / "rules" / "all.md", "---\nname: x\n---\nTests come first.")
    write(root / ".claude" / "rules" / "some.md", "---\npaths: '*.py'\n---\nTypes are strict.")
    write(app / "deeper" / "CLAUDE.md", "Never seen.")
    write(root / "AGENTS.md", "For others.")
    shown = read_instructions("claude-code", app, home)
    for statement in (
        "Answer briefly.",
        "Be kind.",
        "The team is Blue.",
        "Build",
        "We use pnpm",
        "The port is 8080.",
        "I like tabs.",
        "My branch is blue.",
        "Deploys run on Friday.",
        "Tests come first.",
    ):
        assert statement in shown
    hidden = {"Types are strict.", "Never seen.", "For others.", "name: x"}
    assert not hidden & set(shown)
    assert "Claude Code asks before." not in shown


@pytest.mark.parametrize(
    "denial",
    [
        "## Never\n- {}",
        "## Outdated\n### Hosts\n{}",
        "Don't:\n\n- {}\n- Push to main",
        "**Falsch:**\n* {}",
        "C'est faux :\n1. {}",
        "No es verdad:\n- {}",
        "> {}",
        "- > {}",
    ],
)
def test_what_a_file_denies_or_quotes_is_not_counted_as_shown(app, tmp_path, denial):
    write(app / "CLAUDE.md", denial.format("Deploy to db7") + "\n\n# Then\nWe use pnpm.\n")
    shown = read_instructions("claude-code", app, tmp_path / "home")
    assert "Deploy to db7" not in shown
    assert "We use pnpm." in shown


@pytest.mark.parametrize(
    "naming",
    [
        "```\n@sup.md\n```",
        "````\n```\n@sup.md\n```\n````",
        "~~~md\n```\n~~~ no end\n@sup.md\n",
        "See `@sup.md`.",
        "See `` ` @sup.md ``.",
        "See `over\n@sup.md\nlines`.",
        "    @sup.md",
        "<!-- @sup.md -->",
        "<!-- open\n@sup.md",
        "@../../outside.md",
        "@/etc/hostname",
        "@link.md",
    ],
)
def test_what_claude_code_does_not_import_is_not_counted_as_shown(app, tmp_path, naming):
    write(app / "CLAUDE.md", f"We use pnpm.\n\n{naming}\n")
    write(app / "sup.md", "Never push to main.")
    write(tmp_path / "team" / "outside.md", "Never push to main.")
    (app / "link.md").symlink_to(tmp_path / "team" / "outside.md")
    shown = read_instructions("claude-code", app, tmp_path / "home")
    assert "We use pnpm." in shown
    assert "Never push to main." not in shown


def test_an_import_beside_code_is_counted(app, tmp_path):
    write(app / "CLAUDE.md", "```\nmake\n```\nRun `make`, see @docs/a.md\n\n- @docs/b.md")
    write(app / "docs" / "a.md", "The port is 8080.")
    write(app / "docs" / "b.md", "The host is blue.")
    shown = read_instructions("claude-code", app, tmp_path / "home")
    assert {"The port is 8080.", "The host is blue."} <= set(shown)


@pytest.mark.parametrize("client", ["claude-code", "codex", "gemini"])
def test_pipes_and_devices_in_place_of_instructions_hold_nothing_up(app, tmp_path, client):
    for folder in (app, app / ".claude" / "rules", app / "docs"):
        folder.mkdir(parents=True, exist_ok=True)
    names = ("CLAUDE.local.md", "AGENTS.override.md", ".claude/rules/a.md", "docs/b.md")
    for name in names:
        os.mkfifo(app / name)
    (app / ".claude" / "rules" / "zero.md").symlink_to("/dev/zero")
    for name in ("CLAUDE.md", "GEMINI.md", "AGENTS.md"):
        write(app / name, "We use pnpm.\n\n@docs/b.md")
    found = []
    read = partial(read_instructions, client, app, tmp_path / "home")
    worker = threading.Thread(target=lambda: found.append(read()), daemon=True)
    worker.start()
    worker.join(20)
    assert [each[0] for each in found] == ["We use pnpm."]


def test_rules_that_lead_out_of_the_repository_are_not_walked(app, tmp_path, monkeypatch):
    elsewhere = tmp_path / "elsewhere"
    write(elsewhere / "a.md", "From elsewhere.")
    rules = app / ".claude" / "rules"
    write(rules / "in.md", "From inside.")
    write(app / "shared" / "b.md", "Shared.")
    (rules / "out").symlink_to(elsewhere)
    (rules / "root").symlink_to("/")
    (rules / "loop").symlink_to(rules)
    (rules / "shared").symlink_to(app / "shared")
    (app.parent / ".claude").mkdir()
    (app.parent / ".claude" / "rules").symlink_to("/")
    walked = []
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: walked.append(Path(path)) or scandir(path))
    shown = read_instructions("claude-code", app, tmp_path / "home")
    assert set(shown) == {"From inside.", "Shared."}
    assert [path for path in walked if path.exists()] == [rules, rules / "shared"]


def test_of_endless_rules_only_some_are_looked_at(app, tmp_path):
    deep = app / ".claude" / "rules"
    for _ in range(12):
        deep = deep / "d"
    write(deep / "deep.md", "Too deep.")
    for number in range(1_200):
        write(app / ".claude" / "rules" / f"{number}.md", f"Rule {number} is here.")
    assert 0 < len(read_instructions("claude-code", app, tmp_path / "home")) <= 200


def test_the_user_s_own_rules_may_be_links(app, tmp_path):
    home = tmp_path / "home"
    write(home / "dotfiles" / "rules" / "tone.md", "Be kind.")
    (home / ".claude").mkdir()
    (home / ".claude" / "rules").symlink_to(home / "dotfiles" / "rules")
    assert read_instructions("claude-code", app, home) == ("Be kind.",)


@pytest.mark.parametrize(
    ("client", "own", "name"),
    [("codex", ".codex", "AGENTS.md"), ("gemini", ".gemini", "GEMINI.md")],
)
def test_codex_and_gemini_show_their_files_from_the_root_down(app, tmp_path, client, own, name):
    home, root = tmp_path / "home", tmp_path / "team" / "app"
    write(home / own / name, "Answer briefly.")
    write(root.parent / name, "Outside of the repository.")
    write(root / name, "We use pnpm.")
    write(app / name, "The port is 8080.")
    write(root / "CLAUDE.md", "For others.")
    assert read_instructions(client, app, home) == (
        "Answer briefly.",
        "We use pnpm.",
        "The port is 8080.",
    )


def test_rules_and_comments_are_no_statements_and_items_below_each_other_are(app, tmp_path):
    text = "We use pnpm. <!-- not\nthis --> Always.\n\n- - -\n***\n\n- Tea\n- Milk\n\n<!-- open"
    write(app / "AGENTS.md", text)
    shown = read_instructions("codex", app, tmp_path / "home")
    assert shown == ("We use pnpm.", "Always.", "Tea", "Milk", "<!-- open")


def test_an_override_takes_the_place_of_instructions_in_codex(app, tmp_path):
    write(app / "AGENTS.md", "The port is 8080.")
    write(app / "AGENTS.override.md", "The port is 9090.")
    assert read_instructions("codex", app, tmp_path / "home") == ("The port is 9090.",)


def test_instructions_are_read_without_their_markup(app, tmp_path):
    write(
        app / "AGENTS.md",
        "## Style\n\n1. Use **two** spaces, as the\n   [guide](http://x) says\n"
        "* [x] Run `make test`. Then push.\n\n<!-- not this -->\n```sh\nmake build\nmake run\n```\n"
        "> Somebody said\nso.\n---\n",
    )
    assert read_instructions("codex", app, tmp_path / "home") == (
        "Style",
        "Use two spaces, as the guide says",
        "Run make test.",
        "Then push.",
        "make build",
        "make run",
    )


def test_a_change_of_the_instructions_is_seen(app, tmp_path):
    write(app / "AGENTS.md", "The port is 8080.")
    assert read_instructions("codex", app, tmp_path) == ("The port is 8080.",)
    write(app / "AGENTS.md", "The port is now 9090.")
    assert read_instructions("codex", app, tmp_path) == ("The port is now 9090.",)


def test_instructions_without_end_are_read_to_a_limit(app, tmp_path):
    write(app / "AGENTS.md", "".join(f"- Rule number {number}\n" for number in range(2_000)))
    assert len(read_instructions("codex", app, tmp_path)) == 400
    write(app / "AGENTS.md", "- A rule\n" * 100_000)
    assert read_instructions("codex", app, tmp_path) == ()
    assert read_instructions("unknown", app, tmp_path) == ()
