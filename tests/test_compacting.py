"""Compaction through the public interface: what goes, what stays, and what may come again."""

import json
import threading

import pytest

from tacit import Tacit
from tacit.core.messages import text_of
from tacit.turn.summarizer import ExtractiveSummarizer

REPLICAS = "Replicas live in Frankfurt"
BACKUPS = "Backups run at midnight"


@pytest.fixture
def tacit():
    with Tacit.open(":memory:", embedder="none") as tacit:
        tacit.memories.remember_all([REPLICAS, BACKUPS])
        yield tacit


def _say(tacit, text, history, reply="Understood."):
    with tacit.turn(session="s", history=history, text=text) as turn:
        turn.commit(reply)
    return turn.history


@pytest.fixture
def talked(tacit):
    """Two memories were shown, at the beginning and at the end."""
    history = _say(tacit, "Where do replicas live?", [])
    for number in range(10):
        history = _say(tacit, f"We decided that hall {number} gets lamp {number + 40}.", history)
    return _say(tacit, "When do backups run?", history)


class Told:
    """A summariser that keeps what it was given."""

    def __init__(self):
        self.transcripts = []

    def summarize(self, transcript, characters):
        self.transcripts.append(transcript)
        return "They talked about lamps."


def _texts(messages):
    return [text_of(message) for message in messages]


def test_exactly_the_memories_of_dropped_blocks_come_again(tacit, talked):
    done = tacit.compact(session="s", history=talked, level="aggressive")
    assert (len(done.blocks), done.released) == (1, 1)
    asked = {"session": "s", "history": list(done.messages)}
    assert REPLICAS in tacit.preview(text="Where do replicas live?", **asked).block
    assert tacit.preview(text="When do backups run?", **asked).block is None


def test_no_summariser_ever_sees_a_block(tacit, talked):
    told = Told()
    done = tacit.compact(session="s", history=talked, level="aggressive", summarizer=told)
    (transcript,) = told.transcripts
    assert transcript.startswith("User: Where do replicas live?\nAssistant: Understood.")
    assert REPLICAS not in transcript
    assert "[Context from memory]" not in transcript
    assert _texts(done.messages)[0] == "[Compaction Summary]: They talked about lamps."


def test_what_stays_is_untouched_and_the_list_is_not_changed(tacit, talked):
    before = list(talked)
    done = tacit.compact(session="s", history=talked, level="background")
    assert talked == before
    kept = done.messages[1:]
    assert all(one is other for one, other in zip(kept, talked[-len(kept) :], strict=True))
    assert done.tokens_after < done.tokens_before
    assert done.dropped + len(kept) == len(talked)


@pytest.mark.parametrize(
    ("window", "level"),
    [(100_000, "none"), (1.22, "background"), (1.16, "aggressive"), (1.02, "emergency")],
)
def test_how_full_the_window_is_decides(tacit, talked, window, level):
    tokens = tacit.compact(session="s", history=talked, level="none").tokens_before
    asked = window if window > 1_000 else max(1_000, int(tokens * window))
    long = talked * max(1, 1_000 // tokens + 1)
    if window < 1_000:
        tokens = tacit.compact(session="s", history=long, level="none").tokens_before
        asked = int(tokens * window)
    done = tacit.compact(session="s", history=long, context_window=asked)
    assert done.level == level
    assert bool(done.dropped) == (level != "none")


def test_an_emergency_asks_nobody_and_counts(tacit, talked):
    told = Told()
    done = tacit.compact(session="s", history=talked, level="emergency", summarizer=told)
    assert told.transcripts == []
    assert done.summary is None
    assert str(done.dropped) in _texts(done.messages)[0]


def test_a_summariser_that_fails_leaves_the_marker(tacit, talked):
    class Broken:
        def summarize(self, transcript, characters):
            raise OSError("no endpoint")

    done = tacit.compact(session="s", history=talked, level="aggressive", summarizer=Broken())
    assert done.degraded == ("summary: failed (no endpoint)",)
    assert _texts(done.messages)[0].startswith("[Compaction Summary]: ")
    assert done.released == 1


def test_a_store_that_fails_does_not_stop_a_compaction(tacit, talked, monkeypatch):
    def fail(*_):
        raise OSError("the disk is gone")

    monkeypatch.setattr(type(tacit._context.store), "read", fail)
    done = tacit.compact(session="s", history=talked, level="aggressive")
    assert done.dropped
    assert done.degraded == ("store: failed (the disk is gone)",)


def _fail(*_):
    raise OSError("the disk of mysql://root:Hunter2xyz@db is gone")


def test_a_summary_that_is_not_there_yet_does_not_hide_what_is_degraded(tacit, talked, monkeypatch):
    monkeypatch.setattr(type(tacit._context.store), "read", _fail)
    asked = {"session": "s", "level": "background", "wait": False}
    slow = Slow()
    first = tacit.compact(history=talked, summarizer=slow, **asked)
    slow.ready.set()
    assert first.is_pending
    (part,) = first.degraded
    assert part.startswith("store: failed (the disk of")
    assert "Hunter2xyz" not in part


def test_what_cannot_be_learned_or_written_is_degraded(tacit, talked, monkeypatch):
    monkeypatch.setattr(type(tacit._context.store), "write", _fail)
    done = tacit.compact(session="s", history=talked, level="aggressive")
    assert [part.partition(":")[0] for part in done.degraded] == ["learning", "ledger"]
    kept = tacit.compact(session="s", history=talked, level="none")
    assert [part.partition(":")[0] for part in kept.degraded] == ["learning"]


class Slow(Told):
    """A summariser that waits until it is let go."""

    def __init__(self):
        super().__init__()
        self.ready = threading.Event()

    def summarize(self, transcript, characters):
        self.ready.wait(10)
        return super().summarize(transcript, characters)


def _finished(tacit, history, slow):
    """The compaction of a history, once its summary is there."""
    slow.ready.set()
    asked = {"session": "s", "level": "background", "summarizer": slow, "wait": False}
    while (done := tacit.compact(history=history, **asked)).is_pending:
        pass
    return done


def test_a_summary_is_used_though_the_conversation_went_on(tacit, talked):
    slow = Slow()
    asked = {"session": "s", "level": "background", "summarizer": slow, "wait": False}
    assert tacit.compact(history=talked, **asked).is_pending
    longer = list(talked)
    for number in range(6):
        longer = _say(tacit, f"We decided that room {number} gets no lamp.", longer)
    done = _finished(tacit, longer, slow)
    assert len(slow.transcripts) == 1
    assert done.dropped + len(done.messages) - 1 == len(longer)
    assert list(done.messages[1:]) == longer[done.dropped :]


def test_callers_with_other_histories_do_not_take_each_others_summaries_away(tacit, talked):
    slow = Slow()
    asked = {"session": "s", "level": "background", "summarizer": slow, "wait": False}
    other = talked[4:]
    for history in (talked, other, talked, other):
        assert tacit.compact(history=history, **asked).is_pending
    for history in (talked, other):
        done = _finished(tacit, history, slow)
        assert list(done.messages[1:]) == history[done.dropped :]
    assert len(slow.transcripts) == 2


def test_no_summariser_sees_what_was_erased(tacit, talked):
    (erased,) = tacit.search("replicas").hits
    tacit.erase(erased.memory.id)
    told = Told()
    tacit.compact(session="s", history=talked, level="aggressive", summarizer=told)
    assert REPLICAS not in told.transcripts[0]


def test_what_is_erased_while_a_summary_is_written_stays_erased(tacit, talked):
    (found,) = tacit.search("replicas").hits

    class Erasing(Told):
        def summarize(self, transcript, characters):
            tacit.erase(found.memory.id)
            return super().summarize(transcript, characters)

    tacit.compact(session="s", history=talked, level="aggressive", summarizer=Erasing())
    blocks = tacit.sessions.get("s").blocks
    assert not [block for block in blocks if REPLICAS in block.placement.text]


def test_what_a_reset_freed_while_a_summary_was_written_is_not_freed_again(tacit, talked):
    class Resetting(Told):
        def summarize(self, transcript, characters):
            tacit.sessions.reset_memory_injection_tracking("s")
            _say(tacit, "Where do replicas live?", [])
            return super().summarize(transcript, characters)

    done = tacit.compact(session="s", history=talked, level="aggressive", summarizer=Resetting())
    assert done.released == 0


def test_in_the_background_the_summary_is_used_once_it_is_there(tacit, talked):
    slow = Slow()
    asked = {"session": "s", "level": "background", "summarizer": slow, "wait": False}
    first = tacit.compact(history=talked, **asked)
    assert first.is_pending
    assert list(first.messages) == talked
    done = _finished(tacit, talked, slow)
    assert done.summary == "They talked about lamps."
    assert len(slow.transcripts) == 1


def test_a_second_compaction_carries_the_first_summary_over(tacit, talked):
    told = Told()
    once = tacit.compact(session="s", history=talked, level="aggressive", summarizer=told)
    tacit.compact(session="s", history=list(once.messages), level="aggressive", summarizer=told)
    assert "They talked about lamps." in told.transcripts[1]


def test_the_default_summary_keeps_decisions_and_numbers(tacit, talked):
    done = tacit.compact(session="s", history=talked, level="aggressive")
    assert "lamp 4" in done.summary
    assert "Understood" not in done.summary
    assert REPLICAS not in done.summary


def test_the_command_line_compacts_a_history_in_a_file(run, tmp_path, monkeypatch):
    with Tacit.open(tmp_path / "cli.db", embedder="none") as tacit:
        tacit.remember(REPLICAS)
        history = _say(tacit, "Where do replicas live?", [])
        for number in range(6):
            history = _say(tacit, f"We decided that hall {number} gets a lamp.", history)
    file, out = tmp_path / "history.json", tmp_path / "out.json"
    file.write_text(json.dumps(history))
    asked = ("session", "compact", "s", "--history", file, "--level", "aggressive")
    ran = run(*asked, "--out", out)
    assert ran.code == 0
    assert "1 memories may come again" in ran.out
    assert json.loads(out.read_text())[0]["content"].startswith("[Compaction Summary]")
    assert len(json.loads(run(*asked, "--json").out)["messages"]) < len(history)
    monkeypatch.setattr(ExtractiveSummarizer, "summarize", _fail)
    assert "degraded: summary: failed (the disk of" in run(*asked).err
    assert run("session", "compact", "s").code == 2
    assert run("session", "show", "s", "--history", file).code == 2
