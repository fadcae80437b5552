"""Statements are compared once, after they were written; turns only read what was found."""

import json
import time

import pytest

from tacit import FakeEmbedder, Tacit
from tacit.api import background_encoding
from tacit.api.tacit import learn_queued
from tacit.core.errors import ModelUnavailable
from tacit.statements import judge
from tacit.writing import comparisons
from tests.support import FixedPairReader, HandClock

OLD, NEW = "We use LaunchDarkly daily", "We dropped LaunchDarkly daily"
ASKED = "What about LaunchDarkly daily?"


class CountingReader(FixedPairReader):
    """Is sure that every later text replaces the earlier, and knows what it has read."""

    def __init__(self, likelihood=0.9):
        super().__init__(likelihood)
        self.read = []
        self.is_missing = False

    def read_pairs(self, pairs):
        if self.is_missing:
            raise ModelUnavailable("no network")
        self.read += pairs
        return super().read_pairs(pairs)


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def reader(monkeypatch):
    reader = CountingReader()
    reader.use(monkeypatch)
    return reader


@pytest.fixture
def tacit(clock, reader):
    with Tacit.open(":memory:", clock=clock, embedder=FakeEmbedder()) as opened:
        yield opened


def _write(tacit, clock, *contents, **fields):
    written = []
    for content in contents:
        written.append(tacit.remember(content, **fields).id)
        clock.advance(days=1)
    return written


def _say(tacit, clock, *texts, **who):
    for text in texts:
        with tacit.turn(session=text, text=text, history=[], **who) as turn:
            turn.commit("Noted.")
        clock.advance(days=1)
    tacit.learn()


def _ask(tacit, text=ASKED, **who):
    return tacit.preview(session="later", text=text, history=[], **who)


def _replaced(prepared):
    return {
        each.memory: each.by
        for each in prepared.receipt.candidates
        if each.note == "said otherwise later"
    }


def _notes(prepared):
    return [each for each in prepared.receipt.notes if each.startswith("comparisons")]


def test_a_turn_reads_no_pair(tacit, clock, reader):
    old, new = _write(tacit, clock, OLD, NEW)
    tacit.learn()
    reader.read.clear()
    reader.is_missing = True
    assert _replaced(_ask(tacit)) == {old: new}
    with tacit.turn(session="s", text=ASKED, history=[]) as turn:
        turn.commit("I see.")
    assert reader.read == []


def test_a_pair_is_read_once(tacit, clock, reader):
    _write(tacit, clock, OLD, NEW)
    tacit.learn()
    _write(tacit, clock, "The cellar floods in spring")
    tacit.learn()
    assert reader.read == [(OLD, NEW)]


def test_the_receipt_says_how_many_candidates_are_not_compared_yet(tacit, clock):
    (old,) = _write(tacit, clock, OLD)
    tacit.learn()
    _write(tacit, clock, NEW)
    told = "comparisons: 1 candidate was written lately, and not compared with others yet"
    assert _notes(_ask(tacit)) == [told]
    _write(tacit, clock, "They like LaunchDarkly daily")
    assert _notes(_ask(tacit)) == [told.replace("1 candidate was", "2 candidates were")]
    tacit.learn()
    assert _notes(_ask(tacit)) == []
    assert old in _replaced(_ask(tacit))


def test_nothing_is_said_of_comparing_where_nothing_has_a_vector(clock):
    with Tacit.open(":memory:", clock=clock, embedder="none") as tacit:
        _write(tacit, clock, OLD, NEW)
        assert _notes(_ask(tacit)) == []


@pytest.fixture
def on_command_line(reader, monkeypatch, run):
    """Commands with vectors, that end before anything is compared in the background."""
    monkeypatch.setattr("tacit.api.tacit.shared_embedder", lambda _: FakeEmbedder())
    monkeypatch.setattr(background_encoding.BackgroundPortions, "schedule", lambda _: None)
    monkeypatch.setattr(background_encoding.BackgroundPortions, "open", lambda _: None)
    monkeypatch.setattr("tacit.api.workspace._COMPARING_SECONDS", -1.0)
    monkeypatch.setattr(comparisons, "_PORTION", 1)
    for content in (OLD, NEW, "The cellar floods in spring", "Bo has a red bike"):
        run("remember", content)
    return run


def test_the_command_on_conflicts_compares_first_what_still_waits(on_command_line):
    shown = on_command_line("conflicts")
    assert OLD in shown.out
    assert NEW in shown.out
    assert shown.err == ""


def test_the_command_on_conflicts_says_how_many_are_too_many_to_compare(
    on_command_line, monkeypatch
):
    monkeypatch.setattr("tacit.cli.conflicts._MOST_COMPARED", 3)
    shown = on_command_line("conflicts")
    assert shown.err == (
        "4 statements are not compared with others yet; to do that now: tacit learn\n"
    )
    on_command_line("learn")
    shown = on_command_line("conflicts")
    assert (OLD in shown.out, shown.err) == (True, "")


def test_the_command_on_conflicts_says_how_many_could_not_be_compared(on_command_line, reader):
    reader.is_missing = True
    shown = on_command_line("conflicts", "--json")
    assert json.loads(shown.out) == []
    assert shown.err.startswith("1 statement is not compared with others")
    assert "tacit embed" in shown.err


@pytest.mark.encodes
def test_what_was_written_is_compared_in_the_background(tacit, clock):
    old, new = _write(tacit, clock, OLD, NEW)
    assert _wait_until(lambda: not _notes(_ask(tacit)))
    assert _replaced(_ask(tacit)) == {old: new}


def _wait_until(is_true, times=3_000):
    for _ in range(times):
        if is_true():
            return True
        time.sleep(0.01)
    return False


@pytest.mark.episodes
def test_what_was_said_is_compared_with_what_was_written_and_said(tacit, clock, reader):
    _write(tacit, clock, OLD, scope_id="ana")
    _say(tacit, clock, "ok so LaunchDarkly daily it is for them", user="ana")
    _say(tacit, clock, "hm they dropped LaunchDarkly daily it seems", user="ana")
    first, second = "ok so LaunchDarkly daily it is for them", "hm they dropped LaunchDarkly daily"
    read = {(old, new[: len(second)]) for old, new in reader.read}
    assert {(OLD, first[: len(second)]), (OLD, second), (first, second)} <= read


def test_words_of_two_users_or_projects_are_not_compared(tacit, clock, reader):
    _write(tacit, clock, OLD, scope_id="ana")
    _write(tacit, clock, NEW, scope_id="ben")
    _write(tacit, clock, "The build breaks daily", scope="project", scope_id="shop")
    _write(tacit, clock, "The build fails daily", scope="project", scope_id="ledger")
    tacit.learn()
    assert (OLD, NEW) not in reader.read
    assert ("The build breaks daily", "The build fails daily") not in reader.read


def test_a_private_memory_replaces_nothing_for_others(tacit, clock):
    (shared,) = _write(tacit, clock, OLD, scope="org", scope_id="acme")
    (private,) = _write(tacit, clock, NEW, scope_id="ana")
    tacit.learn()
    assert _replaced(_ask(tacit, user="ana", org="acme")) == {shared: private}
    seen = _ask(tacit, user="ben", org="acme")
    assert _replaced(seen) == {}
    assert [each.memory for each in seen.receipt.injected] == [shared]


def test_other_words_are_compared_anew(tacit, clock):
    old, new = _write(tacit, clock, OLD, NEW)
    tacit.learn()
    tacit.edit(new, content="They like LaunchDarkly daily a lot, it seems to me")
    assert _replaced(_ask(tacit)) == {}
    assert len(_notes(_ask(tacit))) == 1
    tacit.learn()
    assert (_replaced(_ask(tacit)), _notes(_ask(tacit))) == ({old: new}, [])


def test_what_is_stated_anew_is_the_later_one(tacit, clock):
    old, new = _write(tacit, clock, OLD, NEW)
    tacit.learn()
    tacit.edit(old, importance=0.9)
    assert _replaced(_ask(tacit)) == {}
    tacit.learn()
    assert _replaced(_ask(tacit)) == {new: old}


def test_erasing_a_statement_erases_its_comparisons(tacit, clock):
    old, new = _write(tacit, clock, OLD, NEW)
    tacit.learn()
    assert tacit.erase(old).removed["comparisons"] == 1
    with tacit._context.store.read("default") as unit:
        assert unit.comparisons.of([old, new]) == []


def test_what_a_process_left_the_next_one_compares(tmp_path, clock, reader):
    where = {"clock": clock, "embedder": FakeEmbedder()}
    with Tacit.open(tmp_path / "x.db", **where) as tacit:
        old, new = _write(tacit, clock, OLD, NEW)
    with Tacit.open(tmp_path / "x.db", **where) as tacit:
        tacit.learn()
        assert _replaced(_ask(tacit)) == {old: new}


def test_imported_statements_are_compared(tmp_path, tacit, clock, reader):
    old, new = _write(tacit, clock, OLD, NEW)
    tacit.learn()
    tacit.archive.export_to(tmp_path / "all.jsonl")
    reader.read.clear()
    with Tacit.open(":memory:", clock=clock, embedder=FakeEmbedder()) as other:
        other.archive.import_from(tmp_path / "all.jsonl")
        other.archive.embed_missing()
        other.learn()
        assert _replaced(_ask(other)) == {old: new}
    assert reader.read == [(OLD, NEW)]


def test_a_better_reader_compares_everything_again(tmp_path, clock, reader, monkeypatch):
    where = {"clock": clock, "embedder": FakeEmbedder()}
    with Tacit.open(tmp_path / "x.db", **where) as tacit:
        _write(tacit, clock, OLD, NEW)
        tacit.learn()
    reader.read.clear()
    reader.shares = FixedPairReader(0.05).shares
    with Tacit.open(tmp_path / "x.db", **where) as tacit:
        tacit.learn()
        assert reader.read == []
        assert len(_replaced(_ask(tacit))) == 1
    monkeypatch.setattr(judge, "READING_VERSION", judge.READING_VERSION + 1)
    with Tacit.open(tmp_path / "x.db", **where) as tacit:
        tacit.learn()
        assert reader.read == [(OLD, NEW)]
        assert _replaced(_ask(tacit)) == {}


def test_what_was_stored_before_statements_were_compared_is_compared(tmp_path, clock, reader):
    where = {"clock": clock, "embedder": FakeEmbedder()}
    with Tacit.open(tmp_path / "x.db", **where) as tacit:
        old, new = _write(tacit, clock, OLD, NEW)
        with tacit._context.store.write("default") as unit:
            unit.uncompared.remove([old, new])
        tacit.learn()
        assert _replaced(_ask(tacit)) == {old: new}


def test_statements_wait_for_a_model_that_cannot_be_had(tacit, clock, reader):
    old, new = _write(tacit, clock, OLD, NEW)
    reader.is_missing = True
    tacit.learn()
    assert len(_notes(_ask(tacit))) == 1
    reader.is_missing = False
    tacit.learn()
    assert (_replaced(_ask(tacit)), _notes(_ask(tacit))) == ({old: new}, [])


def test_many_statements_are_all_compared(tacit, clock, reader):
    contents = [f"They run LaunchDarkly daily on machine {number}" for number in range(40)]
    tacit.memories.remember_all(contents)
    tacit.learn()
    compared = {text for pair in reader.read for text in pair}
    assert compared == set(contents)
    assert len(reader.read) <= 40 * 12


@pytest.mark.episodes
def test_erasing_what_was_said_erases_its_comparisons(tacit, clock):
    _say(tacit, clock, "ok so LaunchDarkly daily it is for them", user="ana")
    _say(tacit, clock, "hm they dropped LaunchDarkly daily it seems", user="ana")
    said = [each.id for each in tacit.episodes.list(user="ana")]
    assert tacit.erase(said[0]).removed["comparisons"] == 1


def test_what_cannot_be_compared_holds_up_nothing_else(tacit, clock, reader, monkeypatch):
    def read_pairs(pairs):
        if any("cursed" in text for pair in pairs for text in pair):
            raise RuntimeError("out of memory")
        return FixedPairReader.read_pairs(reader, pairs)

    monkeypatch.setattr(comparisons, "_PORTION", 1)
    monkeypatch.setattr(reader, "read_pairs", read_pairs)
    old, new, _ = _write(tacit, clock, OLD, NEW, "The cursed LaunchDarkly daily")
    for _ in range(4):
        tacit.learn()
    assert _replaced(_ask(tacit)) == {old: new}


@pytest.mark.encodes
def test_what_a_server_learns_by_itself_leaves_comparing_to_the_background(tacit, clock, reader):
    old, new = _write(tacit, clock, OLD, NEW)
    learn_queued(tacit)
    assert _wait_until(lambda: _replaced(_ask(tacit)) == {old: new})
