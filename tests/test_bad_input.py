"""Bad input: a clear error naming what was wrong and what would be right, and nothing lost."""

import math
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit import AsyncTacit, RemoteTacit, Tacit
from tacit.core.errors import InvalidInput
from tacit.core.fields import MAX_CONTENT_BYTES

DEEP: dict = {}
for _ in range(2_000):
    DEEP = {"d": DEEP}


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        ({"content": ""}, ["content", "empty"]),
        ({"content": " \n\t "}, ["content", "empty"]),
        ({"content": "x" * 50_001}, ["content", "50,001", "50,000", "split"]),
        ({"content": "ü" * 25_001}, ["content", "50,002"]),
        ({"content": "a\0b"}, ["content", "character 2", "NUL"]),
        ({"content": "a\ud800b"}, ["content", "character 2", "UTF-8"]),
        ({"content": b"bytes"}, ["content", "text", "bytes"]),
        ({"content": None}, ["content"]),
        ({"type": "opinion"}, ["type", "'opinion'", "identity", "constraint"]),
        ({"type": 7}, ["type", "7", "identity"]),
        ({"key": "two words"}, ["key", "one word", "editor.indent"]),
        ({"key": ""}, ["key", "empty"]),
        ({"key": "k" * 501}, ["key", "500"]),
        ({"importance": 1.01}, ["importance", "1.01", "0 to 1"]),
        ({"importance": -0.1}, ["importance", "0 to 1"]),
        ({"importance": math.nan}, ["importance", "nan", "0 to 1"]),
        ({"importance": "high"}, ["importance", "'high'", "0 to 1"]),
        ({"importance": True}, ["importance", "number"]),
        ({"confidence": 2}, ["confidence", "2", "0 to 1"]),
        ({"scope": "world"}, ["scope", "session, project, user, org"]),
        ({"scope_id": "a\nb"}, ["scope_id", "control"]),
        ({"agent": ""}, ["agent", "empty"]),
        ({"trust": "full"}, ["trust", "trusted, unverified, untrusted"]),
        ({"tags": "style"}, ["tags", "list", "str"]),
        ({"tags": ["ok", ""]}, ["tags", "empty"]),
        ({"tags": [str(n) for n in range(101)]}, ["tags", "101", "100"]),
        ({"tags": 5}, ["tags", "list"]),
        ({"metadata": []}, ["metadata", "object", "list"]),
        ({"metadata": {"x": object()}}, ["metadata", "JSON"]),
        ({"metadata": {"x": math.inf}}, ["metadata", "JSON"]),
        ({"metadata": {"x": "a\0"}}, ["metadata", "NUL"]),
        ({"metadata": {"x": "\udfff"}}, ["metadata", "UTF-8"]),
        ({"metadata": {"x": "y" * 50_000}}, ["metadata", "50,000"]),
        ({"metadata": DEEP}, ["metadata", "JSON"]),
        ({"pinned": "yes"}, ["pinned", "true or false", "'yes'"]),
        ({"origin": {"where": "here"}}, ["origin.where", "session", "url"]),
        ({"origin": {"ordinal": -1}}, ["origin.ordinal", "-1"]),
        ({"origin": {"ordinal": 2**70}}, ["origin.ordinal"]),
        ({"origin": {"time": "noon"}}, ["origin.time", "'noon'", "2026-12-31"]),
        ({"origin": "here"}, ["origin", "object"]),
        ({"valid_from": "yesterday"}, ["valid_from", "'yesterday'", "2026-12-31"]),
        ({"valid_from": "2026-13-01"}, ["valid_from", "2026-13-01"]),
        ({"valid_from": 5}, ["valid_from", "time", "int"]),
        ({"valid_to": "2026-01-01", "valid_from": "2026-02-01"}, ["valid_to", "before"]),
        ({"expires_at": "0001-01-01T00:00:00+14:00"}, ["expires_at", "range"]),
        ({"expires_at": "2020-01-01"}, ["expires_at", "2020-01-01", "past"]),
        ({"mood": "good"}, ["mood", "no such field", "importance"]),
        ({"explicit": True}, ["explicit", "no such field"]),
        ({"by": "god"}, ["by", "'god'", "user", "agent"]),
        ({"org": False}, ["org: ", "give True or an organisation's name, or leave it out"]),
        ({"user": True}, ["user: ", "text", "bool"]),
    ],
)
def test_a_bad_field_is_refused_with_what_would_be_right(tacit, fields, names):
    arguments = {"content": "fine", **fields}
    with pytest.raises(InvalidInput) as refusal:
        tacit.remember(**arguments)
    for name in names:
        assert name in str(refusal.value)
    assert tacit.list(state=None) == []


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (lambda t: t.get("nonsense"), ["id", "'nonsense'", "look like"]),
        (lambda t: t.get(7), ["id", "int"]),
        (lambda t: t.list(limit=0), ["limit", "1 to 1000"]),
        (lambda t: t.list(limit=True), ["limit", "1 to 1000"]),
        (lambda t: t.list(sort="random"), ["sort", "recent", "most_accessed"]),
        (lambda t: t.list(state="lost"), ["state", "live", "forgotten"]),
        (lambda t: t.list(types=["x"]), ["type", "identity"]),
        (lambda t: t.memories.link("a", "b"), ["id", "'a'"]),
        (lambda t: t.memories.remember_all([5]), ["drafts[0]", "content"]),
        (lambda t: t.reviews.list(limit=-1), ["limit"]),
        (lambda t: t.memories.remember_all("abc"), ["drafts", "list"]),
        (lambda t: t.memories.remember_all({"content": "x"}), ["drafts", "list"]),
        (lambda t: t.list(types="fact"), ["types", "list"]),
    ],
)
def test_a_bad_question_is_refused_with_what_would_be_right(tacit, call, names):
    with pytest.raises(InvalidInput) as refusal:
        call(tacit)
    for name in names:
        assert name in str(refusal.value)


@pytest.mark.parametrize("workspace", ["", " ", "a\nb", "w" * 501, None])
def test_a_workspace_needs_a_name(workspace):
    with pytest.raises(InvalidInput, match="workspace"):
        Tacit.open(":memory:", workspace)


def test_content_may_be_as_long_as_promised(tacit):
    longest = "ü" * (MAX_CONTENT_BYTES // 2)
    assert tacit.get(tacit.remember(longest).id).content == longest


@pytest.mark.parametrize(
    ("given_", "kept"),
    [
        ("2027-01-02", datetime(2027, 1, 2, tzinfo=UTC)),
        (date(2027, 1, 2), datetime(2027, 1, 2, tzinfo=UTC)),
        ("2027-01-02T03:04:05", datetime(2027, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2027-01-02T03:04:05+02:00", datetime(2027, 1, 2, 1, 4, 5, tzinfo=UTC)),
        ("2027-01-02T03:04:05.000001Z", datetime(2027, 1, 2, 3, 4, 5, 1, tzinfo=UTC)),
        (datetime(2027, 1, 2), datetime(2027, 1, 2, tzinfo=UTC)),
    ],
)
def test_times_are_kept_in_utc(tacit, given_, kept):
    assert tacit.get(tacit.remember("x", expires_at=given_).id).expires_at == kept


ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=200)


@given(content=ANY_TEXT, tag=ANY_TEXT, key=ANY_TEXT, owner=ANY_TEXT)
def test_any_text_comes_back_as_it_was_or_is_refused(store, content, tag, key, owner):
    tacit = Tacit(store, "any text")
    fields = {"tags": [tag], "key": key, "scope_id": owner}
    try:
        written = tacit.remember(content, **fields)
    except InvalidInput:
        return
    memory = tacit.get(written.id)
    assert (memory.content, memory.tags, memory.key) == (content, (tag,), key)
    assert memory.scope_id == owner


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: Tacit("memory.db"), "Tacit.open('memory.db')"),
        (lambda: Tacit(Path("memory.db")), "Tacit.open('memory.db')"),
        (lambda: AsyncTacit("memory.db"), "await AsyncTacit.open('memory.db')"),
        (lambda: RemoteTacit("http://localhost:1"), "Tacit.connect('http://localhost:1')"),
    ],
)
def test_a_store_named_to_the_wrong_call_is_told_the_right_one(call, said):
    with pytest.raises(InvalidInput) as problem:
        call()
    assert said in str(problem.value)


def test_words_that_only_look_like_an_escape_are_words(tacit):
    text = r"a \u0000 b \\u0000"
    memory = tacit.get(tacit.remember(text, metadata={"x": text}).id)
    assert (memory.content, memory.metadata) == (text, {"x": text})


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"text": "a\ud800b"}, "text"),
        ({"text": "a", "history": [{"role": "user", "content": "\udfff"}]}, "history.0.content"),
        ({"text": "a", "history": [{"role": "user", "content": [DEEP]}]}, "history.0.content.0.d"),
        ({"text": [{"role": "user", "content": [DEEP]}]}, "text.content.0.d"),
        ({"text": "a", "history": [{"role": "user", "content": math.nan}]}, "history.0.content"),
        ({"text": "a", "shown": ["\ud800"]}, "shown.0"),
    ],
)
def test_a_turn_refuses_broken_text_and_deep_nesting_by_the_place_where_it_stands(
    tacit, asked, field
):
    with pytest.raises(InvalidInput) as refusal:
        tacit.turn(session="s", **asked)
    assert refusal.value.field.startswith(field)
    assert tacit.turns.list() == []


def test_nesting_just_below_the_limit_is_kept(tacit):
    deep: dict = {}
    for _ in range(98):
        deep = {"d": deep}
    kept = tacit.remember("fine", metadata={"m": deep}).id
    assert tacit.get(kept).metadata["m"] == deep


@pytest.mark.parametrize(
    ("field", "call"),
    [
        ("id", lambda tacit, id: tacit.get("xyz")),
        ("after", lambda tacit, id: tacit.list(after="xyz")),
        ("keep", lambda tacit, id: tacit.conflicts.resolve(keep="xyz", supersede=[id])),
        ("supersede.1", lambda tacit, id: tacit.conflicts.resolve(keep=id, supersede=[id, "xyz"])),
        ("keep_both.0", lambda tacit, id: tacit.conflicts.resolve(keep_both=["xyz", id])),
        ("target", lambda tacit, id: tacit.memories.link(id, "xyz")),
        ("source", lambda tacit, id: tacit.memories.unlink("xyz", id)),
        ("receipt", lambda tacit, id: tacit.turns.mark_irrelevant("xyz", id)),
        ("memory", lambda tacit, id: tacit.turns.mark_irrelevant_for("what?", "xyz")),
    ],
)
def test_a_bad_id_is_named_by_its_parameter(field, call):
    with Tacit.open(":memory:", embedder="none") as tacit:
        id = tacit.remember("x").id
        with pytest.raises(InvalidInput) as refusal:
            call(tacit, id)
    assert refusal.value.field == field
    assert "ids look like 0189" in refusal.value.problem
