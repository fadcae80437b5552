"""The records of an archive, one JSON object per line, and the export that writes them."""

import base64
import binascii
import json
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from itertools import chain, compress
from types import MappingProxyType
from typing import Any, BinaryIO, Self, TypeVar

from tacit.core.changes import AuditEntry, Review
from tacit.core.episodes import is_episode_id
from tacit.core.errors import ArchiveError, InvalidInput
from tacit.core.fields import check_field, check_key_scope
from tacit.core.items import StoredItem, is_owned_by
from tacit.core.kinds import Owner, Scope, Sort
from tacit.core.memory import Association, Memory
from tacit.core.times import to_rfc3339
from tacit.core.vectors import EmbeddingModel, Vector, pack_vector, unpack_vector
from tacit.language.redaction.redact import redact_fields, redact_json
from tacit.store.episodes import EpisodeRecord
from tacit.store.generations import serving_model
from tacit.store.items import from_item_row
from tacit.store.protocols.store import UnitOfWork
from tacit.store.query import Query
from tacit.writing.draft import MemoryDraft
from tacit.writing.items import read_item

VERSION = 1
_MAX_MODEL_NAME_CHARS = 1_000


@dataclass(frozen=True, slots=True)
class VectorRecord:
    """A vector of one memory, in half precision."""

    memory: str
    model: EmbeddingModel
    vector: Vector

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        packed = pack_vector(self.vector, self.model)
        return {
            "memory": self.memory,
            "model": asdict(self.model),
            "half_floats": base64.b64encode(packed).decode(),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read and check what `to_dict` wrote."""
        model = _read_model(values["model"])
        try:
            vector = unpack_vector(base64.b64decode(values["half_floats"], validate=True))
        except (binascii.Error, ValueError) as error:
            raise InvalidInput("half_floats", f"are not {model.dims} numbers ({error})") from None
        if len(vector) != model.dims:
            raise InvalidInput("half_floats", f"are {len(vector)} numbers, not {model.dims}")
        return cls(check_field("id", values["memory"]), model, vector)


def _read_model(values: Mapping[str, Any]) -> EmbeddingModel:
    """The model of a vector, whose names a store can hold."""
    model = EmbeddingModel(**values)
    for name in (values["name"], values["revision"]):
        is_name = isinstance(name, str) and len(name) <= _MAX_MODEL_NAME_CHARS
        if not is_name or name.encode(errors="replace").decode() != name:
            raise InvalidInput("model", "has a name or a revision that is no short text")
    if type(values["dims"]) is not int:
        raise InvalidInput("model", "has dims that are no whole number")
    return model


HEADER_KIND = "header"
DRAFT_KIND = "draft"


@dataclass(frozen=True, slots=True)
class ItemRecord:
    """An item as it stands in a store, with its times."""

    item: StoredItem

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return self.item.to_dict()

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read and check what `to_dict` wrote; a secret in it is refused."""
        return cls(read_item(values))


MemoryRecord = Memory | MemoryDraft | Association | AuditEntry | Review | VectorRecord
SaidRecord = EpisodeRecord | VectorRecord
"""What is written to the workspace that holds the episodes."""

ItemsRecord = ItemRecord | VectorRecord
"""What is written to the workspace that holds the items."""

Record = MemoryRecord | EpisodeRecord | ItemRecord
Exported = Memory | Association | AuditEntry | Review | VectorRecord | EpisodeRecord | ItemRecord


def build_header(workspace: str, now: datetime, owner: Owner | None = None) -> dict[str, Any]:
    """The first line of an archive; one of an owner names them."""
    whose = {} if owner is None else {"owner": ":".join(filter(None, owner))}
    return {
        "kind": HEADER_KIND,
        "format": "tacit",
        "version": VERSION,
        "workspace": workspace,
        "exported_at": to_rfc3339(now),
        **whose,
    }


def to_line(record: Exported) -> dict[str, Any]:
    """The JSON object of a record; the workspace is in the header, once."""
    line = {"kind": _NAMES[type(record)], **record.to_dict()}
    line.pop("workspace", None)
    return line


def from_line(values: Mapping[str, Any], workspace: str) -> Record | None:
    """The record of a JSON object, without secrets; None for the header.

    An object without a kind is a draft: the fields of a memory, of which only the content is
    required.
    """
    kind = values.get("kind", DRAFT_KIND)
    rest = {name: value for name, value in values.items() if name != "kind"}
    if kind == HEADER_KIND:
        _refuse_newer(rest)
        return None
    if not isinstance(kind, str) or kind not in _READERS:
        raise InvalidInput("kind", f"{kind!r} is none of header, {', '.join(_READERS)}")
    if kind == "memory":
        rest["workspace"] = workspace
    try:
        return _READERS[kind](rest)
    except KeyError as error:
        raise InvalidInput(str(error.args[0]), f"is missing in this {kind}") from None
    except TypeError:
        raise InvalidInput("line", f"is not a whole {kind}; export writes whole ones") from None


def _refuse_newer(values: Mapping[str, Any]) -> None:
    version = values.get("version")
    if version != VERSION:
        raise ArchiveError(
            f"this archive has format version {version}, and this Tacit reads {VERSION};"
            " upgrade with: pip install --upgrade tacit"
        )


def _memory(values: Mapping[str, Any]) -> Memory:
    memory = Memory.from_dict(values)
    check_key_scope(memory.key, memory.scope)
    said = {name: getattr(memory, name) for name in ("content", "tags", "metadata", "origin")}
    return replace(memory, **redact_fields(said))


def _audit_entry(values: Mapping[str, Any]) -> AuditEntry:
    entry = AuditEntry.from_dict(values)
    return replace(entry, old=redact_json(entry.old), new=redact_json(entry.new))


def _review(values: Mapping[str, Any]) -> Review:
    review = Review.from_dict(values)
    return replace(review, change=redact_json(review.change))


def _episode(values: Mapping[str, Any]) -> EpisodeRecord:
    """A whole episode without secrets, whose fields are checked as those of its row."""
    record = EpisodeRecord.from_dict(values)
    if not is_episode_id(record.episode.id):
        raise InvalidInput("id", f"{record.episode.id} is not that of an episode")
    row = Memory.from_dict(record.to_row("episodes").to_dict())
    said = redact_fields({"content": row.content, "metadata": row.metadata})
    return EpisodeRecord.of(replace(row, **said))


_READERS: Mapping[str, Callable[[Mapping[str, Any]], Record]] = MappingProxyType(
    {
        "memory": _memory,
        "association": Association.from_dict,
        "audit": _audit_entry,
        "review": _review,
        "vector": VectorRecord.from_dict,
        "episode": _episode,
        "item": ItemRecord.from_dict,
        DRAFT_KIND: MemoryDraft.of,
    }
)
RECORD_KINDS = frozenset(_READERS) - {DRAFT_KIND}
"""What an archive holds as it was, with its authors and times."""

_NAMES: Mapping[type[Exported], str] = MappingProxyType(
    {
        Memory: "memory",
        Association: "association",
        AuditEntry: "audit",
        Review: "review",
        VectorRecord: "vector",
        EpisodeRecord: "episode",
        ItemRecord: "item",
    }
)


# Export


_PAGE_SIZE = 500

Row = TypeVar("Row")


def export_archive(
    unit: UnitOfWork,
    said: UnitOfWork,
    items: UnitOfWork,
    target: BinaryIO,
    *,
    now: datetime,
    embeddings: bool,
    owner: Owner | None = None,
) -> int:
    """Write one JSON object per line, including forgotten and superseded memories.

    `said` and `items` are units of the workspaces that hold the episodes and the items. Of an owner
    it is what belongs to them, and what stands beside that alone.
    """
    written = 0
    records = chain(
        _memories_and_beside(unit, now, embeddings, owner),
        _episodes(said, now, embeddings, owner),
        _items(items, now, embeddings, owner),
    )
    for values in chain([build_header(unit.workspace, now, owner)], map(to_line, records)):
        target.write(json.dumps(values, ensure_ascii=False).encode() + b"\n")
        written += 1
    return written


def _memories_and_beside(
    unit: UnitOfWork, now: datetime, embeddings: bool, owner: Owner | None
) -> Iterator[Exported]:
    own: set[str] = set()
    for page in _read_pages(lambda last: unit.memories.find(_query(now, last, owner))):
        own.update(memory.id for memory in page if owner is not None)
        yield from page
        if embeddings:
            yield from _vectors_of(unit, page)
    yield from _beside_all(unit) if owner is None else _beside(unit, own, owner)


def _beside_all(unit: UnitOfWork) -> Iterator[Exported]:
    """The associations, the history and the reviews of all memories."""
    for edges in _read_pages(lambda last: unit.associations.scan(last, _PAGE_SIZE)):
        yield from edges
    for entries in _read_pages(lambda last: unit.audit.scan(_id_of(last), _PAGE_SIZE)):
        yield from entries
    for reviews in _read_pages(lambda last: unit.reviews.pending(_id_of(last), _PAGE_SIZE)):
        yield from reviews


def _beside(unit: UnitOfWork, own: Set[str], owner: Owner) -> Iterator[Exported]:
    """The same of an owner's memories; what also concerns a memory of others is left out."""
    ids = sorted(own)
    for id in ids:
        edges = (edge for edge in unit.associations.of(id) if edge.source == id)
        yield from (edge for edge in edges if edge.target in own)
    yield from sorted(chain.from_iterable(map(unit.audit.of, ids)), key=lambda entry: entry.id)
    for reviews in _read_pages(lambda last: unit.reviews.pending(_id_of(last), _PAGE_SIZE)):
        yield from (review for review in reviews if _is_about(review, own, owner))


def _is_about(review: Review, own: Set[str], owner: Owner) -> bool:
    """Whether a review concerns memories of an owner alone, or proposes one."""
    if review.is_proposal:
        scope, scope_id = (review.change.get(name) for name in ("scope", "scope_id"))
        return (scope or Scope.USER, scope_id or "") == owner
    return review.memory in own and (review.other is None or review.other in own)


def _episodes(
    unit: UnitOfWork, now: datetime, embeddings: bool, owner: Owner | None
) -> Iterator[Exported]:
    for page in _read_pages(lambda last: unit.memories.find(_query(now, last, owner))):
        yield from map(EpisodeRecord.of, page)
        if embeddings:
            yield from _vectors_of(unit, page)


def _items(
    unit: UnitOfWork, now: datetime, embeddings: bool, owner: Owner | None
) -> Iterator[Exported]:
    """The items that did not expire, in the order of their ids."""
    for page in _read_pages(lambda last: unit.memories.find(_query(now, last))):
        kept = [row for row in page if row.expires_at is None or row.expires_at > now]
        records = [ItemRecord(from_item_row(row)) for row in kept]
        own = [owner is None or is_owned_by(each.item.namespace, owner) for each in records]
        yield from compress(records, own)
        if embeddings:
            yield from _vectors_of(unit, [row for row in compress(kept, own) if row.content])


def _vectors_of(unit: UnitOfWork, page: Sequence[Memory]) -> Iterator[VectorRecord]:
    ids = [memory.id for memory in page]
    models = unit.vectors.models()
    models.sort(key=lambda model: model != serving_model(unit))  # the first serves where it comes
    for model in models:
        held = unit.vectors.get(ids, model)
        yield from (VectorRecord(id, model, held[id]) for id in ids if id in held)


def _query(now: datetime, last: Memory | None, owner: Owner | None = None) -> Query:
    everything = Query(now=now, state=None, sort=Sort.CREATED, limit=_PAGE_SIZE, after=_id_of(last))
    if owner is None:
        return everything
    scope, scope_id = owner
    return replace(everything, scope=scope, scope_id=scope_id)


def _id_of(row: Memory | AuditEntry | Review | None) -> str | None:
    return row.id if row else None


def _read_pages(fetch: Callable[[Row | None], Sequence[Row]]) -> Iterator[Sequence[Row]]:
    page = fetch(None)
    while page:
        yield page
        page = fetch(page[-1])
