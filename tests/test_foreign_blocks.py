"""Blocks of other sessions in a history: recognised, and neither kept, summed up nor learned."""

import pytest

from tacit import INJECTION_BLOCK_PREFIX, Tacit
from tacit.settings.config import Config
from tacit.settings.grounding import GroundingSettings
from tacit.store.backends import open_store
from tests.support import HandClock

TOPICS = ("harbour", "garden", "kitchen", "library", "tower")
ALL = {"contextual_min_score": 0.0, "max_injected_blocks_in_history": 10}


@pytest.fixture
def tacit(tmp_path):
    config = Config(grounding=GroundingSettings(workspaces_folder=str(tmp_path)))
    with Tacit(open_store(":memory:"), "default", clock=HandClock(), config=config) as tacit:
        for topic in TOPICS:
            tacit.remember(f"The {topic} key hangs behind the {topic} door")
        yield tacit


def _talk(tacit, session, topics=TOPICS, **asked):
    """A history with a block for each topic."""
    history = []
    for topic in topics:
        text = f"Where is the {topic} key?"
        turn = tacit.turn(session=session, text=text, history=history, max_total=1, **ALL, **asked)
        assert turn.block
        turn.commit("Behind the door.")
        history = turn.history
    return history


def _blocks(messages):
    contents = [message["content"] for message in messages]
    return [content for content in contents if content.startswith(INJECTION_BLOCK_PREFIX)]


def test_a_history_under_a_new_session_id_keeps_the_cap_and_none_of_the_others_blocks(tacit):
    history = _talk(tacit, "first")
    asked = {"contextual_min_score": 0.0, "max_injected_blocks_in_history": 3}
    turn = tacit.turn(session="second", text="Where is the tower key?", history=history, **asked)
    assert _blocks(turn.messages) == [turn.block]
    assert len(turn.receipt.pruned) == len(TOPICS)
    assert turn.block.count("behind the tower door") == 1
    turn.commit("Behind the door.")
    spoken = [message for message in history if not _blocks([message])]
    assert [message for message in turn.history if not _blocks([message])][:-2] == spoken
    silent = tacit.turn(session="third", text="ok", history=history, **asked)
    assert _blocks(silent.messages) == []
    assert silent.receipt.pruned


def test_the_session_that_made_blocks_keeps_them_whatever_others_do_with_its_history(tacit):
    history = _talk(tacit, "first", TOPICS[:2])
    tacit.turn(session="second", text="Where is the tower key?", history=history, **ALL).commit("x")
    again = tacit.turn(session="first", text="ok", history=history)
    assert _blocks(again.messages) == _blocks(history)


def test_a_block_of_a_turn_that_never_ended_is_recognised_in_another_session(tacit):
    begun = tacit.turn(session="first", text="Where is the tower key?", max_total=1, **ALL)
    history = [*begun.messages, {"role": "assistant", "content": "Behind the door."}]
    assert _blocks(history)
    assert _blocks(tacit.turn(session="second", text="ok", history=history).messages) == []


def test_an_erased_block_is_recognised_in_another_session(tacit):
    history = _talk(tacit, "first", ["tower"])
    tacit.memories.erase_matching(contains="tower key")
    turn = tacit.turn(session="second", text="ok", history=history)
    assert "behind the tower door" not in str(turn.messages)


def test_what_only_looks_like_a_block_and_blocks_of_other_workspaces_are_left_alone(tacit):
    theirs = tacit.workspace.open("theirs")
    theirs.remember("The tower key is under the mat")
    (block,) = _blocks(_talk(theirs, "first", ["tower"]))
    (known,) = _blocks(_talk(tacit, "first", ["tower"]))
    header, _, _ = known.partition("\n")
    texts = [block, f"{INJECTION_BLOCK_PREFIX} is what the line says", f"{header}\nmy own words"]
    history = [{"role": "user", "content": text} for text in texts]
    turn = tacit.turn(session="second", text="ok", history=history)
    assert turn.messages[: len(history)] == history


def test_what_one_person_was_shown_is_not_shown_to_another_under_a_new_session(tacit):
    tacit.remember("Ann keeps the attic key in a shoe", scope="user", scope_id="ann")
    history = _talk(tacit, "hers", ["attic"], user="ann")
    assert "in a shoe" in str(history)
    for user in ("bob", "ann", None):
        turn = tacit.turn(session=f"of {user}", text="ok", history=history, user=user)
        assert "in a shoe" not in str(turn.messages)


def test_the_summariser_is_not_given_the_blocks_of_another_session(tacit):
    class Listening:
        heard = ""

        def summarize(self, transcript, characters):
            self.heard = transcript
            return "They talked."

    history = _talk(tacit, "first")
    listening = Listening()
    done = tacit.compact(
        session="second", history=history, level="aggressive", summarizer=listening
    )
    assert "Where is the harbour key?" in listening.heard
    assert "hangs behind" not in listening.heard
    assert "hangs behind" not in done.summary


def test_blocks_of_another_session_are_neither_learned_nor_put_into_a_chat_log(tacit, tmp_path):
    tacit.remember("I always prefer tabs over spaces in the tower", type="preference")
    (block,) = _blocks(_talk(tacit, "first", ["tower"]))
    before = {memory.content for memory in tacit.list()}
    tacit.ground(f"{block}\n\nWhat of that?", context="c", session="second").commit(
        f"You showed me this: {block}"
    )
    tacit.learn()
    assert {memory.content for memory in tacit.list()} == before
    (log,) = tmp_path.rglob("+c.md")
    assert "What of that?" in log.read_text()
    assert "hangs behind" not in log.read_text()
    assert "tabs over spaces" not in log.read_text()
