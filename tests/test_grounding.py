"""Grounded prompts, from what was said to the messages to send."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tacit import InvalidInput, Tacit
from tacit.api import bulk_erase
from tacit.core.errors import ChatLogUnavailable
from tacit.grounding import file_layout
from tacit.grounding.file_layout import ConversationAddress, WorkspaceRoot
from tacit.settings.config import Config
from tacit.settings.grounding import GroundingSettings
from tacit.settings.writing import WritingSettings
from tacit.store.backends import open_store
from tests.fake_llm import fake_llm
from tests.properties import examples
from tests.support import CountedIds, HandClock

JWT = "We chose JWT over session tokens for the API"
QUESTION = "What is the secret word here?"
ASK = "Which tokens did we choose for the API?"
LENIENT = {"contextual_min_score": 0.01}
GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture
def root(tmp_path):
    return tmp_path / "files"


@pytest.fixture
def tacit(tmp_path, root):
    config = Config(grounding=GroundingSettings(workspaces_folder=str(root)))
    store = open_store(tmp_path / "memory.db")
    with Tacit(store, "w", config=config, clock=HandClock(), new_id=CountedIds()) as tacit:
        yield tacit


def _say(tacit, text, reply="Noted.", **asked):
    with tacit.ground(text, **{**LENIENT, "context": "c", **asked}) as grounding:
        grounding.commit(reply)
    return grounding


def _log(root, context="c", connector="local", external_id=""):
    path = WorkspaceRoot(root).log(ConversationAddress("w", context, connector, external_id))
    return path.read_text() if path.exists() else ""


@pytest.fixture(params=["a file", "no rights", "read-only"])
def broken_log(request, root, monkeypatch):
    """A log folder that is a file, may not be entered, or is on a read-only disk."""
    if request.param == "a file":
        (root / "w").mkdir(parents=True)
        (root / "w/logs").write_text("not a folder")
    elif request.param == "no rights":
        monkeypatch.setattr(file_layout, "read_start", _refuse)
        monkeypatch.setattr(file_layout, "make_private_folder", _refuse)
    else:
        monkeypatch.setattr(file_layout, "make_private_folder", _refuse_to_write)
    return request.param


def _refuse(*_):
    raise PermissionError(13, "Permission denied")


def _refuse_to_write(*_):
    raise OSError(errno.EROFS, "Read-only file system")


def _has_log_problem(parts):
    return any(each.startswith("chat log: failed") for each in parts)


def test_a_log_folder_that_cannot_be_used_costs_the_log_and_nothing_else(tacit, broken_log):
    tacit.remember(JWT, type="decision")
    grounding = tacit.ground(ASK, context="c", **LENIENT)
    assert JWT in grounding.messages[1]["content"]
    is_unreadable = broken_log != "read-only"
    assert _has_log_problem(grounding.grounded.degraded) is is_unreadable
    assert _has_log_problem(grounding.receipt.degraded) is is_unreadable
    ended = grounding.commit("JWT.")
    assert (ended.was_open, ended.not_recorded, ended.turn) == (True, None, 1)
    assert _has_log_problem(ended.degraded)
    (receipt,) = tacit.turns.list()
    assert ended.degraded[0] in receipt.degraded
    assert set(grounding.receipt.degraded) <= set(receipt.degraded)


def test_what_was_said_is_learned_without_a_chat_log(tacit, broken_log):
    _say(tacit, "From now on always write commit messages in French.")
    tacit.learn()
    assert "French" in str(tacit.list())


def test_another_process_commits_without_a_chat_log_and_says_so(tacit, broken_log):
    begun = tacit.ground(ASK, context="c", **LENIENT)
    ended = tacit.grounding.end(begun.receipt.id, "JWT.")
    assert (ended.was_open, ended.not_recorded) == (True, None)
    assert _has_log_problem(ended.degraded)
    assert ended.degraded[0] in tacit.turns.get(begun.receipt.id).degraded


def test_a_chat_log_that_cannot_be_written_is_an_error_that_says_what_to_do(tacit, broken_log):
    with pytest.raises(ChatLogUnavailable, match="you may write to, or set workspaces_folder"):
        tacit.grounding.log_chat("INBOUND", "Our port is 8080.", context="c")


def test_a_chat_log_that_is_written_degrades_nothing(tacit):
    ended = tacit.ground(ASK, context="c", **LENIENT).commit("JWT.")
    assert ended.degraded == ()
    assert tacit.turns.list()[0].degraded == ()


def test_a_policy_that_cannot_be_read_is_named_in_the_receipt(tacit, monkeypatch):
    monkeypatch.setattr("tacit.grounding.grounder.load_layers", _refuse)
    grounding = tacit.ground(ASK, context="c", **LENIENT)
    grounding.commit("JWT.")
    assert any(each.startswith("policy: failed") for each in tacit.turns.list()[0].degraded)


def test_a_message_comes_with_its_memory_and_the_policy(tacit):
    tacit.remember(JWT, type="decision")
    grounding = tacit.ground(ASK, context="c", **LENIENT)
    system, user = grounding.messages
    assert (system["role"], user["role"]) == ("system", "user")
    assert system["content"]
    assert user["content"].startswith(f"{ASK}\n\n[Context from memory] #")
    assert JWT in user["content"]
    assert grounding.receipt.injected
    grounding.roll_back()


def test_every_prompt_stands_by_itself_so_memory_comes_with_each(tacit):
    tacit.remember(JWT, type="decision")
    assert all(JWT in _say(tacit, ASK).user for _ in range(3))


def test_what_was_said_and_replied_is_in_the_log_and_in_the_next_prompt(tacit, root):
    _say(tacit, "Our port is 8080.", "I will use port 8080.", external_id="room")
    assert "INBOUND\nOur port is 8080.\n" in _log(root, external_id="room")
    assert "OUTBOUND\nI will use port 8080.\n" in _log(root, external_id="room")
    following = _say(tacit, "And what about the host of the service?", external_id="room")
    assert "Recent conversation:\nUser: Our port is 8080.\nAssistant: I will" in following.user
    assert following.metrics.used_tail
    assert following.metrics.summary_turns == 1


def test_a_prompt_is_committed_elsewhere_by_its_id_alone(tacit, root, tmp_path):
    place = {"context": "launch", "connector": "slack", "external_id": "C1"}
    said = "Our port is 8080, the token is ghp_16C7e42F292c6912E7710c838347Ae178B4a."
    id = tacit.ground(said, session="s", **place, **LENIENT).receipt.id
    config = Config(grounding=GroundingSettings(workspaces_folder=str(root)))
    with Tacit(open_store(tmp_path / "memory.db"), "w", config=config) as elsewhere:
        assert "ghp_" not in elsewhere.turns.find(id).chat.text
        assert elsewhere.grounding.end(id, "I will use it.").session == "s"
        assert not elsewhere.grounding.end(id, "I will use it.").was_open
    log = _log(root, **place)
    assert "Our port is 8080" in log
    assert "I will use it." in log
    assert "ghp_" not in log
    assert log.count("INBOUND") == 1
    assert [each.name for each in (root / "w" / "logs" / "chats").iterdir()] == ["slack"]


def test_a_grounded_prompt_that_is_committed_as_a_turn_is_in_its_log_too(tacit, root):
    id = tacit.ground("Our port is 8080.", context="c", **LENIENT).receipt.id
    tacit.commit_turn(id, {"role": "assistant", "content": "I will use it."})
    assert "Our port is 8080." in _log(root)
    assert "I will use it." in _log(root)


def test_a_turn_that_was_not_grounded_has_no_log_to_go_to(tacit):
    turn = tacit.turn(session="s", text=ASK, **LENIENT)
    with pytest.raises(InvalidInput, match="not grounded"):
        tacit.grounding.end(turn.receipt.id, "JWT.")
    assert tacit.commit_turn(turn.receipt.id, "JWT.").was_open


def test_what_the_recent_conversation_says_is_told_once(tacit):
    tacit.remember("Our port is 8080", type="fact")
    tacit.remember("Our port forwards to the blue host", type="fact")
    _say(tacit, "Our port is 8080.", "I set the port to 8080.")
    following = tacit.ground(
        "Which port was it, and where does it forward to?", context="c", **LENIENT
    )
    assert following.user.count("Our port is 8080") == 1
    assert following.user.count("I set the port to 8080") == 1
    assert "forwards to the blue host" in following.user
    assert not following.metrics.used_summary


def test_what_the_recent_conversation_only_asks_is_still_told(tacit):
    tacit.remember("Our port is 8080", type="fact")
    _say(tacit, "Our port is 8080?", "Let me see.")
    following = tacit.ground("Which port is it?", context="c", **LENIENT)
    assert "[Fact] Our port is 8080" in following.user


def test_what_left_the_recent_conversation_is_told_by_memory_and_summary(root):
    short = GroundingSettings(
        workspaces_folder=str(root), chat_tail_lines=2, memory_summary_refresh_turns=1
    )
    config = Config(grounding=short, writing=WritingSettings(learn=False))
    with Tacit(open_store(":memory:"), "w", config=config, clock=HandClock()) as tacit:
        _say(tacit, "Our port is 8080.", "I set the port to 8080.")
        _say(tacit, "Please look at the login page.", "I looked at the login page.")
        gone = tacit.ground("What is our port?", context="c", **LENIENT).user
        assert "- Our port is 8080" in gone
        assert gone.count("look at the login page") == 1
        assert gone.count("I looked at the login page") == 1
        tacit.remember("Our port is 8080", type="fact")
        told = tacit.ground("What is our port?", context="c", **LENIENT).user
        assert "[Fact] Our port is 8080" in told
        assert told.count("Our port is 8080") == 1


def test_a_message_that_the_total_leaves_out_is_not_lost_from_the_summary(root):
    tight = GroundingSettings(workspaces_folder=str(root), max_prompt_tokens=100)
    config = Config(grounding=tight, writing=WritingSettings(learn=False))
    with Tacit(open_store(":memory:"), "w", config=config) as tacit:
        _say(tacit, "Our port is 8080.", "I set the port to 8080.")
        _say(tacit, "Please look at the login page.", "I looked " + "at it closely " * 20)
        user = tacit.ground("Which port is ours? " + "Really. " * 10, context="c", **LENIENT).user
    assert "User: Our port is 8080" not in user
    assert "- Our port is 8080" in user


def test_small_talk_comes_alone(tacit):
    _say(tacit, "Our port is 8080.")
    grounding = _say(tacit, "thanks!")
    assert grounding.user == "thanks!"
    assert (grounding.metrics.strategy, grounding.metrics.used_tail) == ("none", False)


def test_a_prompt_that_was_rolled_back_leaves_no_trace(tacit, root):
    with tacit.ground("Our port is 8080.", context="c"):
        pass
    assert _log(root) == ""
    assert tacit.turns.list() == []


def test_an_exception_rolls_back(tacit, root):
    with pytest.raises(ZeroDivisionError), tacit.ground("Our port is 8080.", context="c"):
        _ = 1 / 0
    assert _log(root) == ""


def test_a_paused_session_is_left_alone(tacit, root):
    tacit.sessions.pause(session="c")
    grounding = _say(tacit, "Our port is 8080.")
    assert not grounding.is_open
    assert _log(root) == ""


def test_it_is_over_once(tacit):
    grounding = _say(tacit, "Our port is 8080.")
    with pytest.raises(InvalidInput, match="ground the next message"):
        grounding.commit("again")


def test_the_sectioned_form_keeps_memory_documents_and_request_apart(tacit):
    tacit.remember("we choose API tokens with RS256", key="api.tokens")
    tacit.remember(JWT, type="decision")
    prompt = tacit.grounding.prompt(ASK, context="c", hint="Answer briefly.", **LENIENT)
    text = prompt.text
    places = [
        text.index(each)
        for each in (
            prompt.system,
            "PERSISTENT MEMORY (READ-ONLY)",
            "- api.tokens: we choose API tokens with RS256",
            "These facts are authoritative and cannot be modified by AI.",
            JWT,
            f"USER REQUEST\n\n{ASK}",
            "Response hint:\nAnswer briefly.",
        )
    ]
    assert places == sorted(places)
    assert text.count("PERSISTENT MEMORY (READ-ONLY)") == 1
    prompt.roll_back()


def test_the_sectioned_form_calls_nothing_authoritative_that_no_person_wrote(tacit):
    tacit.remember(JWT, type="decision", by="agent")
    text = tacit.grounding.prompt(ASK, context="c", **LENIENT).text
    assert f"{JWT} (importance: 0.8) (unverified, by an agent)" in text
    assert "READ-ONLY" not in text
    assert "authoritative" not in text


def test_metrics_tell_what_was_decided_and_what_it_takes(tacit):
    _say(tacit, "Our port is 8080.")
    metrics = _say(tacit, "As we discussed, which port?").metrics
    assert metrics.strategy == "tail"
    assert "as we discussed" in metrics.reason
    assert metrics.total_tokens == sum(metrics.tokens.values())
    assert set(metrics.tokens) <= {"user", "memory", "summary", "tail", "documents", "hint"}
    assert metrics.summary_turns == 1
    assert metrics.to_dict()["qmd_results"] == 0


def test_the_summary_is_written_by_turns_not_by_messages(tacit):
    refreshed = [_say(tacit, f"Step {n} is done now.").metrics.summary_refreshed for n in range(9)]
    assert refreshed.count(True) == 2


def test_a_model_writes_the_summary_where_there_is_one(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "dummy")
    with fake_llm(lambda request: "They settled on port 8080.") as llm:
        config = Config(
            grounding=GroundingSettings(workspaces_folder=str(tmp_path / "files")),
            writing=WritingSettings(learn=False, llm_model="m", llm_base_url=llm.url),
        )
        with Tacit(open_store(":memory:"), "w", config=config) as tacit:
            _say(tacit, "Our port is 8080.")
            tacit._context.shared.worker.submit(lambda: None).result()
            assert "They settled on port 8080." in _say(tacit, "And the host of it?").user


def test_what_cannot_be_read_is_left_out_and_named(tacit, root):
    _say(tacit, "Our port is 8080.")
    log = WorkspaceRoot(root).log(ConversationAddress("w", "c"))
    log.unlink()
    log.mkdir()
    grounding = tacit.ground("And the host?", context="c", **LENIENT)
    assert grounding.user == "And the host?"
    assert any(each.startswith("chat log: failed") for each in grounding.grounded.degraded)
    grounding.commit("Unknown.")  # the reply is there, whatever becomes of the log


def test_secrets_never_reach_the_files(tacit, root):
    secret = "sk-proj-" + "a1B2" * 12
    _say(tacit, f"The key is {secret}, keep it.", f"I keep {secret}.")
    _say(tacit, "Which key do we have?")
    written = [path.read_text() for path in root.rglob("*") if path.is_file()]
    assert written
    assert not any(secret in text for text in written)


def test_a_workspace_extends_the_cues(tacit, root):
    (root / "w").mkdir(parents=True)
    (root / "w" / "cues.toml").write_text('strong = ["handbook"]\n')
    assert _say(tacit, "Look into the handbook please").metrics.strategy == "qmd"


def test_a_broken_file_of_cues_is_named_and_ours_hold(tacit, root):
    (root / "w").mkdir(parents=True)
    (root / "w" / "cues.toml").write_text("strong = 3\n")
    grounding = _say(tacit, "Which file has the readme?")
    assert grounding.metrics.strategy == "qmd"
    assert any("cues.toml" in each for each in grounding.grounded.degraded)


@pytest.mark.parametrize(
    ("asked", "field"),
    [({"text": " "}, "text"), ({"role": "king"}, "role"), ({"context": 3}, "context")],
)
def test_bad_input_says_what_would_be_right(tacit, asked, field):
    with pytest.raises(InvalidInput, match=field):
        tacit.ground(**{"text": "Hello there", **asked})


def test_erasing_reaches_logs_and_summaries(tacit, root):
    memory = tacit.remember("The vault opens with heliotrope")
    _say(tacit, "The vault opens with heliotrope, note that.")
    _say(tacit, "What opens it?")
    tacit.erase(memory.id)
    written = "".join(path.read_text() for path in root.rglob("*.md"))
    assert "heliotrope" not in written


def test_words_leave_the_chat_logs_before_the_memory_that_tells_them_is_gone(
    tacit, root, monkeypatch
):
    tacit.remember("The vault opens with heliotrope")
    _say(tacit, "The vault opens with heliotrope, note that.")
    with monkeypatch.context() as patch:
        patch.setattr(bulk_erase, "erase_memories", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            tacit.memories.erase_matching(contains="heliotrope")
    assert "heliotrope" not in "".join(path.read_text() for path in root.rglob("*.md"))
    assert tacit.memories.erase_matching(contains="heliotrope").removed["memories"] == 1


def test_erasing_a_session_drops_the_chat_logs_that_have_its_name(tacit, root):
    mine = {"context": "mine", "external_id": "room"}
    for asked in ({"context": "other", "external_id": "room"}, mine, {"context": "mine"}):
        _say(tacit, f"We plant heliotrope, says {asked}.", **asked)
        _say(tacit, "What did we plant?", **asked)
    chats, summaries = root / "w" / "logs" / "chats" / "local", root / "w" / "memory" / "contexts"
    assert {each.name for each in chats.glob("*.md")} == {"room.md", "room+mine.md", "+mine.md"}
    swept = tacit.memories.erase_session("mine")
    assert swept.removed["chat_entries"] > 4
    assert any("chat logs" in place for place in swept.not_reached)
    assert [each.name for each in chats.glob("*.md")] == ["room.md"]
    assert "heliotrope" in (chats / "room.md").read_text()
    assert not (summaries / "mine.md").exists()


def test_a_conversation_in_another_context_has_a_log_of_its_own(tacit, root):
    _say(tacit, "Our port is 8080.", external_id="room")
    other = _say(tacit, "And the port of this one?", context="d", external_id="room")
    assert "8080" not in other.user
    assert "8080" in _say(tacit, "Which port was it?", external_id="room").user
    assert "8080" in (root / "w" / "logs" / "chats" / "local" / "room.md").read_text()


names = st.sampled_from(
    ["a", "b", "A", "../b", "b/../a", "ü", "a b", "con", "..", "a.md", "x" * 300]
)


@given(talks=st.lists(st.tuples(names, names, names), min_size=2, max_size=6, unique=True))
@settings(max_examples=examples(5, 12), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_of_one_conversation_or_workspace_is_in_anothers_prompt(talks, tmp_path_factory):
    root = tmp_path_factory.mktemp("files")
    config = Config(grounding=GroundingSettings(workspaces_folder=str(root)))
    with Tacit(open_store(":memory:"), "w", config=config) as main:
        marks = {talk: f"mark{number}x" for number, talk in enumerate(talks)}
        for (workspace, context, room), mark in marks.items():
            here = main.workspace.open(workspace)
            asked = {"context": context, "external_id": room}
            here.remember(f"The secret word is {mark}", scope="session", scope_id=_key(asked))
            for _ in range(2):
                grounding = here.ground(f"The secret word is {mark}", **asked)
                grounding.commit(f"I noted {mark}.")
        for (workspace, context, room), mark in marks.items():
            asked = {"context": context, "external_id": room}
            text = main.workspace.open(workspace).grounding.prompt(QUESTION, **asked).text
            others = [each for talk, each in marks.items() if talk[:2] != (workspace, context)]
            assert mark in text
            assert not [other for other in others if other in text]
    inside = root.resolve()
    assert all(path.resolve().is_relative_to(inside) for path in root.rglob("*"))
    assert not list(root.parent.glob("*.md"))


def _key(asked):
    return ConversationAddress("w", asked["context"], "local", asked["external_id"]).key


SCRIPT = """
import sys
from tests.test_grounding import golden_prompt
sys.stdout.buffer.write(golden_prompt(sys.argv[1]).encode())
"""


def golden_prompt(folder):
    """The same conversation, each time with the same clock and ids."""
    config = Config(
        grounding=GroundingSettings(workspaces_folder=folder, chat_tail_lines=4),
        writing=WritingSettings(learn=False),
    )
    store = open_store(":memory:")
    with Tacit(store, "w", config=config, clock=HandClock(), new_id=CountedIds()) as tacit:
        tacit.remember("4 spaces", key="editor.indent", type="preference")
        tacit.remember(JWT, type="decision")
        for said, reply in (
            ("We deploy to Oslo on Tuesdays.", "Noted: Oslo, on Tuesdays."),
            ("Can you look at src/auth/login.py?", "I looked at it; the refresh is missing."),
            ("What is left to do?", "The refresh of tokens."),
        ):
            _say(tacit, said, reply)
        page = Path(folder) / "w" / "auth.md"
        page.write_text("# Login\n\n## Tokens\n\nTokens of the API last one hour.\n", "utf-8")
        tacit.documents.index()
        asked = f"{ASK} Look into the docs."
        return (
            tacit.grounding.prompt(asked, context="c", hint="Answer briefly.", **LENIENT).text
            + "\n"
        )


def test_an_erasure_leaves_it_known_whose_a_log_is(tacit):
    _say(tacit, "The vault opens with heliotrope.", context="mine", external_id="room")
    tacit.erase(tacit.remember("We deploy on Tuesdays").id)
    other = tacit.ground("What opens the vault?", context="other", external_id="room", **LENIENT)
    assert "heliotrope" not in "".join(other.user.partition("Recent conversation:")[1:])


@pytest.mark.parametrize("seed", ["0", "4711"])
@pytest.mark.slow
def test_the_same_conversation_gives_the_same_bytes_in_every_process(seed, tmp_path):
    environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": "Asia/Tokyo"}
    root = Path(__file__).parent.parent
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path / "files")],
        capture_output=True,
        check=True,
        cwd=root,
        env=environment,
    )
    assert ran.stdout == (GOLDEN / "prompt.txt").read_bytes()
