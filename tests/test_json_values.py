"""Values become JSON as their fields say, and come back the same; the archive's lines stay."""

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit import FakeEmbedder, InvalidInput, Tacit
from tacit.core.changes import AuditEntry, Review
from tacit.core.fields import Id, Origin
from tacit.core.json_value import (
    INLINE,
    OPEN,
    UNWRITTEN,
    Example,
    JsonValue,
    Named,
    Rounded,
    to_json_value,
)
from tacit.core.kinds import Action, Actor, MemoryType, Scope, Subject, Trust
from tacit.core.memory import Association, Memory
from tacit.core.receipt import Candidate, CandidateSource, Fate

ID = "01890a5d-ac96-774b-bcce-b302099a8057"
NOON = datetime(2026, 3, 1, 12, 0, 0, 250_000, tzinfo=UTC)


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part(JsonValue):
    name: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place(JsonValue):
    OMITS_DEFAULTS: ClassVar[bool] = True

    line: int | None = None
    file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole(JsonValue):
    COMPUTED: ClassVar[tuple[str, ...]] = ("size",)

    id: Id
    colour: Colour
    parts: tuple[Part, ...] = ()
    by_day: Mapping[date, int] = field(default_factory=dict)
    by_colour: Mapping[Colour, Part] = field(default_factory=dict)
    digest: bytes = b""
    file: Path | None = None
    score: Annotated[float, Rounded(2)] = 0.0
    is_done: Annotated[bool, Named("done"), "Whether it is over."] = False
    place: Annotated[Place, OPEN] = field(default_factory=Place)
    inner: Annotated[Part, INLINE] = field(default_factory=lambda: Part(name="inner"))
    secret: Annotated[str, UNWRITTEN, Example("hidden")] = ""

    @property
    def size(self) -> Annotated[int, Named("count")]:
        return len(self.parts)


WHOLE = Whole(
    id=ID,
    colour=Colour.RED,
    parts=(Part(name="a"), Part(name="b", at=NOON)),
    by_day={date(2026, 3, 1): 2},
    by_colour={Colour.BLUE: Part(name="c")},
    digest=b"\x01\xff",
    file=Path("notes/a.md"),
    score=0.12345,
    is_done=True,
    place=Place(line=0),
    inner=Part(name="x", at=NOON),
    secret="s",
)


def test_a_value_is_written_as_its_fields_say():
    assert WHOLE.to_dict() == {
        "id": ID,
        "colour": "red",
        "parts": [{"name": "a", "at": None}, {"name": "b", "at": "2026-03-01T12:00:00.250000Z"}],
        "by_day": {"2026-03-01": 2},
        "by_colour": {"blue": {"name": "c", "at": None}},
        "digest": "01ff",
        "file": "notes/a.md",
        "score": 0.12,
        "done": True,
        "place": {"line": 0},
        "name": "x",
        "at": "2026-03-01T12:00:00.250000Z",
        "count": 2,
    }


def test_a_value_that_was_written_is_read_again():
    read = Whole.from_dict(json.loads(json.dumps(WHOLE.to_dict())) | {"later": "ignored"})
    assert read.to_dict() == WHOLE.to_dict()
    assert read.parts == WHOLE.parts
    assert read.by_colour == WHOLE.by_colour
    assert (read.file, read.digest, read.secret) == (WHOLE.file, WHOLE.digest, "")


def test_what_is_missing_takes_its_default_or_is_named():
    read = Whole.from_dict({"id": ID, "colour": "blue", "name": "x", "score": None})
    assert (read.score, read.parts, read.place) == (0.0, (), Place())
    with pytest.raises(InvalidInput, match="colour: is missing"):
        Whole.from_dict({"id": ID, "name": "x"})
    with pytest.raises(InvalidInput, match="at: 'noon' is not a date or time"):
        Part.from_dict({"name": "x", "at": "noon"})
    with pytest.raises(ValueError, match="green"):
        Whole.from_dict({"id": ID, "colour": "green", "name": "x"})


def test_single_values_are_written_by_their_own_type():
    written = [to_json_value(each) for each in (NOON, Colour.RED, (1, NOON), Origin(ordinal=0), 3)]
    at = "2026-03-01T12:00:00.250000Z"
    assert written == [at, "red", [1, at], {"ordinal": 0}, 3]


@given(
    score=st.floats(-1, 1),
    found=st.sampled_from(CandidateSource),
    note=st.text(max_size=5),
    is_repeat=st.booleans(),
)
def test_only_candidates_of_a_search_have_scores(score, found, note, is_repeat):
    candidate = Candidate(
        memory=ID,
        found=found,
        type="fact",
        fate=Fate.INJECTED,
        score=score,
        note=note,
        is_repeat=is_repeat,
    )
    written = candidate.to_dict()
    is_scored = found not in (CandidateSource.PINNED, CandidateSource.STANDING)
    assert ("score" in written, "signals" in written) == (is_scored, is_scored)
    assert ("note" in written, "repeat" in written) == (bool(note), is_repeat)
    read = Candidate.from_dict(written)
    assert (read.note, read.is_repeat) == (note, is_repeat)
    assert read.score == (round(score, 4) if is_scored else 0.0)


MEMORY = Memory(
    id=ID,
    workspace="default",
    content="Ann prefers tea",
    type=MemoryType.PREFERENCE,
    key="drink",
    importance=0.6,
    confidence=1.0,
    scope=Scope.USER,
    scope_id="ann",
    source=Actor.USER,
    origin=Origin(session="s1", ordinal=0, time=NOON),
    trust=Trust.TRUSTED,
    explicit=True,
    tags=("a", "b"),
    metadata={"n": 1},
    created_at=NOON,
    updated_at=NOON,
)
_TIMES = '"created_at": "2026-03-01T12:00:00.250000Z", "updated_at": "2026-03-01T12:00:00.250000Z"'
LINES = {
    MEMORY: (
        f'{{"id": "{ID}", "workspace": "default", "content": "Ann prefers tea",'
        ' "type": "preference", "key": "drink", "importance": 0.6, "confidence": 1.0,'
        ' "scope": "user", "scope_id": "ann", "agent": null, "source": "user",'
        ' "origin": {"session": "s1", "ordinal": 0, "time": "2026-03-01T12:00:00.250000Z"},'
        ' "trust": "trusted", "explicit": true, "pinned": false, "tags": ["a", "b"],'
        f' "metadata": {{"n": 1}}, {_TIMES}, "last_accessed_at": null, "access_count": 0,'
        ' "valid_from": null, "valid_to": null, "superseded_by": null, "expires_at": null,'
        ' "forgotten": false}'
    ),
    Association(source=ID, target=ID): (
        f'{{"source": "{ID}", "target": "{ID}", "relation": "related_to", "weight": 0.5}}'
    ),
}
ENTRY = AuditEntry(
    id=ID,
    memory=ID,
    action=Action.UPDATE,
    by=Actor.USER,
    at=NOON,
    subject=Subject.MEMORY,
    old={"key": None},
    new=None,
)
REVIEW = Review(
    id=ID, memory=ID, action=Action.UPDATE, change={"key": "x"}, by=Actor.AGENT, created_at=NOON
)


@pytest.mark.parametrize(("value", "line"), LINES.items())
def test_the_lines_of_an_archive_stay_byte_for_byte(value, line):
    assert json.dumps(value.to_dict()) == line
    assert type(value).from_dict(json.loads(line)) == value


def test_audit_entries_and_reviews_of_an_archive_stay_byte_for_byte():
    assert json.dumps(ENTRY.to_dict()) == (
        f'{{"id": "{ID}", "memory": "{ID}", "action": "update", "by": "user",'
        ' "at": "2026-03-01T12:00:00.250000Z", "subject": "memory", "old": {"key": null},'
        ' "new": null}'
    )
    assert json.dumps(REVIEW.to_dict()) == (
        f'{{"id": "{ID}", "memory": "{ID}", "action": "update", "change": {{"key": "x"}},'
        ' "by": "agent", "created_at": "2026-03-01T12:00:00.250000Z"}'
    )
    assert AuditEntry.from_dict(ENTRY.to_dict()) == ENTRY
    assert Review.from_dict(REVIEW.to_dict()) == REVIEW


def test_a_line_of_an_archive_that_was_edited_is_checked():
    for name, bad in {"importance": 2, "source": "nobody", "tags": "a", "id": "7"}.items():
        with pytest.raises(InvalidInput) as raised:
            Memory.from_dict({**MEMORY.to_dict(), name: bad})
        assert raised.value.field == name


def test_an_archive_of_everything_is_written_again_the_same():
    with Tacit.open(":memory:", embedder=FakeEmbedder()) as tacit:
        first = tacit.remember("Ann prefers tea", key="drink", tags=["a"], scope_id="ann")
        second = tacit.remember("Ann prefers coffee", key="drink", scope_id="ann")
        tacit.memories.link(first.id, second.id)
        tacit.edit(second.id, by="agent", importance=0.1)
        lines = _exported(tacit)
    with Tacit.open(":memory:", embedder=FakeEmbedder()) as other:
        other.archive.import_from(io.BytesIO(b"\n".join(lines)), name="a.jsonl")
        assert _records(_exported(other)) == _records(lines)


def _exported(tacit):
    target = io.BytesIO()
    tacit.archive.export_to(target)
    return target.getvalue().splitlines()


def _records(lines):
    """All but the header, which tells when the archive was written."""
    return sorted(line for line in lines if json.loads(line)["kind"] not in ("header", "audit"))
