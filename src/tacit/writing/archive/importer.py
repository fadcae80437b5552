"""The importer: writes the lines of an archive; an interrupted import is simply run again."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Self, TypeGuard

from tacit.core.changes import AuditEntry, Review
from tacit.core.episodes import Episode, is_episode_id
from tacit.core.errors import InvalidInput
from tacit.core.json_value import to_json_value
from tacit.core.kinds import PERSONS, STANDING_TYPES, Action, Actor, Scope, Trust
from tacit.core.memory import Association, Memory, is_org_rule
from tacit.core.permissions import Viewer
from tacit.core.vectors import Generation, GenerationState
from tacit.store.episodes import EpisodeRecord, EpisodeTable
from tacit.store.items import ItemTable, is_item_id
from tacit.store.journal import insert_memory
from tacit.store.protocols.store import UnitOfWork
from tacit.store.query import Query
from tacit.writing.archive.contents import InputLine
from tacit.writing.archive.conversations_reader import EPISODE_KIND
from tacit.writing.archive.files import Format, ImportReport, Rejected
from tacit.writing.archive.records import (
    HEADER_KIND,
    RECORD_KINDS,
    ItemRecord,
    ItemsRecord,
    MemoryRecord,
    Record,
    SaidRecord,
    VectorRecord,
    from_line,
)
from tacit.writing.author import Author
from tacit.writing.draft import MemoryDraft, Status, default_trust
from tacit.writing.key_values import KeySlot, settle_slots
from tacit.writing.remember import EmbeddedTexts, identity_of, remember
from tacit.writing.reviews import submit_drafts, to_proposed_draft

MOST_REJECTED = 1_000
"""A report names at most this many rejected lines."""

RULES_FOR_REVIEW = "rules for review"
"""The heading under which rules count that wait for a person."""

MAX_SUCCESSORS_READ = 5_000
"""Stored replacements that one transaction of an import reads while it holds the database."""


class SuccessorChains:
    """Follows chains of replacements to their end, and caches them for the rest of an import.

    So a chain is read once, however many lines lead into it. One transaction reads a bounded part
    of stored chains; lines that would need more are left out.
    """

    def __init__(self, onward: dict[str, str]) -> None:
        self._onward = onward
        self._left = MAX_SUCCESSORS_READ

    def copy(self) -> "SuccessorChains":
        """A copy for the next transaction."""
        return SuccessorChains(dict(self._onward))

    def end(self, unit: UnitOfWork, id: str) -> str:
        """The memory that a chain ends in: it is missing here, or was not replaced."""
        passed: dict[str, None] = {}
        while (following := self._onward.get(id) or self._read(unit, id)) is not None:
            passed[id] = None
            if following in passed:
                break
            id = following
            if self._left <= 0:
                break
        self._onward.update((each, id) for each in passed if each != id)
        if self._left <= 0:
            problem = "leads to a chain of replacements that is too long; import it without"
            raise InvalidInput("superseded_by", problem)
        return id

    def _read(self, unit: UnitOfWork, id: str) -> str | None:
        self._left -= 1
        here = unit.memories.get([id]).get(id)
        return None if here is None else here.superseded_by


@dataclass(slots=True)
class ImportChunk:
    """The result of one transaction, which counts once it is committed."""

    counts: Counter[str] = field(default_factory=Counter)
    rejected: list[Rejected] = field(default_factory=list)
    rejected_count: int = 0
    renamed: dict[str, str] = field(default_factory=dict)
    slots: set[KeySlot] = field(default_factory=set)
    chains: SuccessorChains = field(default_factory=lambda: SuccessorChains({}))

    def reject(self, number: int, error: InvalidInput) -> None:
        """Record a rejected line; only the first are named."""
        self.rejected_count += 1
        if len(self.rejected) < MOST_REJECTED:
            self.rejected.append(Rejected(number, str(error)))


class Importer:
    """Imports lines in chunks, one transaction each, and counts the results."""

    def __init__(
        self,
        workspace: str,
        defaults: Mapping[str, Any],
        only_for: Viewer | None = None,
        *,
        org_rules: bool = True,
        accept_rules: bool = False,
    ) -> None:
        self._workspace = workspace
        self._accept_rules = accept_rules
        self._defaults = defaults
        self._only_for = only_for if only_for is not None and only_for.is_bound else None
        self._org_rules = org_rules
        self._reworded: set[str] = set()  # vectors of these are of words that are not kept
        self._done = ImportChunk()
        self._is_archive = False

    def report(self, format: Format) -> ImportReport:
        """The results so far."""
        return ImportReport(
            format=format,
            counts=dict(self._done.counts),
            rejected=tuple(sorted(self._done.rejected)),
            rejected_count=self._done.rejected_count,
        )

    def parse(self, lines: Sequence[InputLine]) -> list[tuple[int, Record]]:
        """Parse lines into records; problems go into the report."""
        parsed = []
        for line in lines:
            try:
                record = self._record(line)
            except InvalidInput as error:
                self._done.reject(line.number, error)
                continue
            if record is not None:
                parsed.append((line.number, record))
        return parsed

    def write(
        self, author: Author, records: Sequence[tuple[int, MemoryRecord]], embedded: EmbeddedTexts
    ) -> ImportChunk:
        """Write one chunk; `embedded` holds the vectors of the new drafts' contents."""
        chunk = ImportChunk(renamed=dict(self._done.renamed), chains=self._done.chains.copy())
        author.unit.memories.same_as(list(_identities_of(records)))
        for number, record in records:
            try:
                if not self._org_rules:
                    _refuse_org_rule(author, record)
                if not self._accept_rules and is_trusted_rule(record, author.by):
                    status = _import_rule(author, record, embedded, chunk)
                else:
                    status = _import_record(author, record, embedded, chunk)
                chunk.counts[status] += 1
                if isinstance(record, Memory) and (slot := KeySlot.of(record)) is not None:
                    chunk.slots.add(slot)
            except InvalidInput as error:
                chunk.reject(number, error)
        return chunk

    def write_episodes(
        self,
        author: Author,
        records: Sequence[tuple[int, SaidRecord]],
        oldest: datetime | None = None,
    ) -> ImportChunk:
        """Write the episodes of a chunk and their vectors, to the workspace that holds them.

        What was said before `oldest` would be removed at once, and is only counted.
        """
        chunk = ImportChunk(renamed=self._done.renamed, chains=self._done.chains)
        for number, record in records:
            if oldest and isinstance(record, EpisodeRecord) and record.episode.at < oldest:
                chunk.counts["too old"] += 1
                continue
            try:
                chunk.counts[_import_said(author, record, chunk.renamed)] += 1
            except InvalidInput as error:
                chunk.reject(number, error)
        return chunk

    def write_items(
        self, unit: UnitOfWork, by: Actor, records: Sequence[tuple[int, ItemsRecord]], now: datetime
    ) -> ImportChunk:
        """Write the items of a chunk and their vectors, to the workspace that holds them."""
        chunk = ImportChunk(renamed=self._done.renamed, chains=self._done.chains)
        for number, record in records:
            try:
                chunk.counts[_import_item(unit, by, record, now)] += 1
            except InvalidInput as error:
                chunk.reject(number, error)
        return chunk

    def settle(self, chunk: ImportChunk) -> None:
        """Count a chunk that was committed."""
        self._done.counts.update(chunk.counts)
        room = MOST_REJECTED - len(self._done.rejected)
        self._done.rejected.extend(chunk.rejected[:room])
        self._done.rejected_count += chunk.rejected_count
        self._done.renamed = chunk.renamed
        self._done.slots |= chunk.slots
        self._done.chains = chunk.chains

    def finish(self, author: Author) -> None:
        """Keep one current value of each imported key, once all lines are known."""
        settle_slots(author, self._done.slots)

    def _check_kind(self, kind: object) -> None:
        """Take records, which say themselves who wrote them, from an archive only."""
        if kind == HEADER_KIND:
            self._is_archive = True
        elif isinstance(kind, str) and kind in RECORD_KINDS and not self._is_archive:
            problem = "is a record of an archive, and this file does not begin with a header line"
            raise InvalidInput("kind", f"{problem}; export whole archives, or leave out the kind")

    def _record(self, line: InputLine) -> Record | None:
        if line.values is None:
            raise line.problem or InvalidInput("line", "is empty")
        if line.is_foreign and line.values.get("kind") == EPISODE_KIND:
            record = _parse_said(line.values, self._defaults, self._only_for, self._workspace)
        elif line.is_foreign:
            record = _parse_foreign(line.values, self._defaults, self._workspace)
        else:
            self._check_kind(line.values.get("kind"))
            defaults = self._defaults if "kind" not in line.values else {}
            record = from_line({**defaults, **line.values}, self._workspace)
        if self._only_for is not None and record is not None:
            record = _check_own(record, self._only_for)
        if isinstance(record, Memory) and (
            line.is_reworded or record.content != line.values["content"]
        ):
            self._reworded.add(record.id)
        if isinstance(record, EpisodeRecord) and record.episode.text != line.values["text"]:
            self._reworded.add(record.episode.id)
        is_of_other_words = isinstance(record, VectorRecord) and record.memory in self._reworded
        return None if is_of_other_words else record


def _parse_foreign(
    values: Mapping[str, Any], said: Mapping[str, Any], workspace: str
) -> Record | None:
    """Parse a line of another program; values given by the importing user take precedence.

    A known memory is changed only by those values, so importing a file twice changes nothing.
    """
    joined = {
        name: {**values[name], **to_json_value(said[name])}
        for name in ("origin", "metadata")
        if name in values and name in said
    }
    record = from_line({**values, **said, **joined}, workspace)
    return replace(record, given=frozenset(said)) if isinstance(record, MemoryDraft) else record


def _parse_said(
    values: Mapping[str, Any], said: Mapping[str, Any], importer: Viewer | None, workspace: str
) -> Record | None:
    """Parse what somebody said to another program; it belongs to the user or project given."""
    scope, scope_id = said.get("scope", Scope.USER), said.get("scope_id") or None
    if scope not in (Scope.USER, Scope.PROJECT):
        raise InvalidInput("scope", "give the user or the project that the conversations are of")
    if unfit := sorted(said.keys() - {"scope", "scope_id"}):
        raise InvalidInput(unfit[0], "what was said has none; leave it out")
    user = importer.user if importer is not None else None
    owner = {"project": scope_id} if scope is Scope.PROJECT else {"user": scope_id or user}
    return from_line({**values, "user": user, **owner}, workspace)


def _check_own(record: Record, importer: Viewer) -> MemoryDraft | EpisodeRecord:
    """Accept only statements of the importing user or agent, and what that user said."""
    who = "an agent" if importer.agent is not None else "a user"
    if isinstance(record, EpisodeRecord) and _is_said_by(record.episode, importer):
        return record
    if not isinstance(record, MemoryDraft):
        raise InvalidInput("kind", f"{who} takes in statements only, without a kind")
    if importer.agent is not None and record.agent not in (None, importer.agent):
        problem = f"is another one; agent {importer.agent!r} takes in its own only"
        raise InvalidInput("agent", problem)
    if record.scope is Scope.SESSION or record.origin.session:
        raise InvalidInput("scope", "sessions may be others'; remember it instead of importing it")
    if importer.user is not None and (record.scope, record.scope_id) == (Scope.USER, ""):
        record = replace(record, scope_id=importer.user)
    author = None if record.scope is Scope.USER else importer.user
    record = replace(record, origin=replace(record.origin, author=author))
    if not importer.sees_owner(record.agent, (record.scope, record.scope_id)):
        problem = f"is another one's; user {importer.user!r} takes in their own only"
        raise InvalidInput("scope_id", problem)
    return record


def _refuse_org_rule(author: Author, record: MemoryRecord) -> None:
    """Refuse rules for a whole organisation, and values that would take the place of one."""
    if isinstance(record, Review) and record.is_proposal:
        record = to_proposed_draft(record)
    if not isinstance(record, Memory | MemoryDraft) or record.scope is not Scope.ORG:
        return
    held: Sequence[Memory] = ()
    if record.key is not None:
        owners = ((record.scope, record.scope_id),)
        query = Query(now=author.now, key=record.key, owners=owners, types=STANDING_TYPES, limit=1)
        held = author.unit.memories.find(query)
    if held or is_org_rule(record.scope, record.type, pinned=record.pinned):
        raise InvalidInput("scope", "rules and pins for a whole organisation need the role admin")


def _is_said_by(episode: Episode, importer: Viewer) -> bool:
    is_own = episode.scope is Scope.USER and episode.user == importer.user
    return is_own and importer.user is not None and importer.sees_agent(episode.agent)


@dataclass(frozen=True, slots=True)
class SplitRecords:
    """Records by the workspace that holds them, each with the number of its line."""

    known: list[tuple[int, MemoryRecord]] = field(default_factory=list)
    said: list[tuple[int, SaidRecord]] = field(default_factory=list)
    items: list[tuple[int, ItemsRecord]] = field(default_factory=list)

    @classmethod
    def of(cls, records: Iterable[tuple[int, Record]]) -> Self:
        """Split records: memories, episodes and items are kept apart."""
        split = cls()
        for number, record in records:
            if isinstance(record, VectorRecord) and is_item_id(record.memory):
                split.items.append((number, record))
            elif isinstance(record, VectorRecord) and is_episode_id(record.memory):
                split.said.append((number, record))
            elif isinstance(record, ItemRecord):
                split.items.append((number, record))
            elif isinstance(record, EpisodeRecord):
                split.said.append((number, record))
            else:
                split.known.append((number, record))
        return split


def _import_item(unit: UnitOfWork, by: Actor, record: ItemsRecord, now: datetime) -> str:
    """Write an item or a vector of one; returns the heading that it counts under."""
    _check_may_import(by)
    if isinstance(record, VectorRecord):
        is_here = bool(unit.memories.known([record.memory]))
        return _import_vector(unit, record) if is_here else "known"
    item, table = record.item, ItemTable(unit, now)
    if item.has_expired(now):
        return "expired"
    here = table.get([item.at]).get(item.at)
    if here is not None:
        if replace(here, place=item.place, expires_at=item.expires_at) != item:
            problem = "has another value here; kept what is here"
            raise InvalidInput("item", f"{item.key!r} of {list(item.namespace)} {problem}")
        return "known"
    table.put([item], {})
    return "items"


def _import_said(author: Author, record: SaidRecord, renamed: Mapping[str, str]) -> str:
    """Write an episode or a vector of one; returns the heading that it counts under."""
    _check_may_import(author.by)
    if isinstance(record, VectorRecord):
        is_here = bool(author.unit.memories.known([record.memory]))
        return _import_vector(author.unit, record) if is_here else "known"
    here = author.unit.memories.get([record.episode.id]).get(record.episode.id)
    if here is not None:
        if here.key != record.message_key or here.content != record.episode.text:
            problem = f"{record.episode.id} is here already and differs; kept what is here"
            raise InvalidInput("id", problem)
        return "known"
    learned = {renamed.get(id, id): wording for id, wording in record.learned.items()}
    is_new = EpisodeTable(author.unit).put(replace(record, learned=learned))
    return "episodes" if is_new else "known"


def _check_may_import(by: Actor) -> None:
    if by not in (*PERSONS, Actor.IMPORT):
        raise InvalidInput("by", f"the {by} cannot bring whole records; only drafts")


def _identities_of(records: Sequence[tuple[int, MemoryRecord]]) -> Iterator[bytes]:
    """The identities of the memories among the records."""
    for _, record in records:
        if isinstance(record, MemoryDraft):
            yield identity_of(record)
        elif isinstance(record, Memory):
            yield record.content_hash


def _import_record(
    author: Author, record: MemoryRecord, embedded: EmbeddedTexts, chunk: ImportChunk
) -> str:
    """Write one record; returns the heading that it counts under."""
    unit = author.unit
    if not isinstance(record, MemoryDraft):
        _check_may_import(author.by)
    match record:
        case MemoryDraft():
            return str(submit_drafts(author, [record], embedded, all_wait=False)[0].status)
        case Memory():
            return _import_memory(unit, record, chunk)
        case Association():
            return _import_association(unit, record, chunk.renamed)
        case AuditEntry():
            mine = record.memory not in chunk.renamed
            return "audit entries" if mine and unit.audit.append([record]) else "known"
        case Review():
            return _import_review(unit, record)
        case VectorRecord():
            return _import_vector(unit, record)


def is_trusted_rule(record: Record, by: Actor) -> TypeGuard[Memory | MemoryDraft]:
    """Whether a record would be followed in every turn: a trusted rule or a trusted pin."""
    if isinstance(record, MemoryDraft):
        trust = record.trust or default_trust(by, record.origin)
    elif isinstance(record, Memory):
        trust = record.trust
    else:
        return False
    return trust is Trust.TRUSTED and (record.pinned or record.type in STANDING_TYPES)


def _import_rule(
    author: Author, record: Memory | MemoryDraft, embedded: EmbeddedTexts, chunk: ImportChunk
) -> str:
    """Write a rule that nobody has accepted: unverified and not pinned, with a review."""
    change = {"trust": Trust.TRUSTED, **({"pinned": True} if record.pinned else {})}
    if isinstance(record, MemoryDraft):
        given = record.given - {"trust", "pinned"}
        draft = replace(record, trust=Trust.UNVERIFIED, pinned=False, given=given)
        is_new = author.unit.memories.same(identity_of(draft)) is None
        writer = author if is_new else replace(author, by=Actor.IMPORT)
        written = remember(writer, draft, embedded.get(draft.search_text))
        memory, status = written.memory, str(written.status)
    else:
        _check_may_import(author.by)
        here = author.unit.memories.get([record.id]).get(record.id)
        if here is not None and here.content_hash == record.content_hash:
            return "known"
        memory = replace(record, trust=Trust.UNVERIFIED, pinned=False)
        status = _import_memory(author.unit, memory, chunk)
        is_new = status == Status.CREATED
    if is_new and not memory.forgotten and memory.superseded_by is None:
        author.journal.queue(Action.UPDATE, memory, change)
        chunk.counts[RULES_FOR_REVIEW] += 1
    return status


def _import_memory(unit: UnitOfWork, memory: Memory, chunk: ImportChunk) -> str:
    """Insert a memory as it is; its audit rows are in the same file."""
    here = unit.memories.get([memory.id]).get(memory.id)
    if here is not None:
        if _without_access(here) != _without_access(_with_end_of(here, memory)):
            raise InvalidInput("id", f"{memory.id} is here already and differs; kept what is here")
        return "known"
    twin = unit.memories.same(memory.content_hash) if memory.superseded_by is None else None
    if twin is not None:
        chunk.renamed[memory.id] = twin.id
        return "known"
    _refuse_circle(unit, memory, chunk.chains)
    insert_memory(unit, memory)
    return "created"


def _without_access(memory: Memory) -> Memory:
    """The memory without its access counts."""
    return replace(memory, access_count=0, last_accessed_at=None)


def _with_end_of(here: Memory, memory: Memory) -> Memory:
    """The memory with the end that it has here, if any, since another value may have followed."""
    if here.valid_to is None:
        return memory
    return replace(memory, superseded_by=here.superseded_by, valid_to=here.valid_to)


def _refuse_circle(unit: UnitOfWork, memory: Memory, chains: SuccessorChains) -> None:
    """Refuse a memory that was replaced by one that it replaced here."""
    if memory.superseded_by is None:
        return
    if chains.end(unit, memory.superseded_by) == memory.id:
        problem = f"{memory.id} is what replaced that one here; kept what is here"
        raise InvalidInput("superseded_by", problem)


def _import_association(unit: UnitOfWork, edge: Association, renamed: Mapping[str, str]) -> str:
    source, target = renamed.get(edge.source, edge.source), renamed.get(edge.target, edge.target)
    there = unit.memories.get([source, target])
    for id in (source, target):
        if id not in there:
            raise InvalidInput("association", f"memory {id} is not here; import it first")
    if unit.associations.get(source, target, edge.relation) is not None:
        return "known"
    unit.associations.put(replace(edge, source=source, target=target))
    return "associations"


def _import_review(unit: UnitOfWork, review: Review) -> str:
    if review.is_proposal:
        to_proposed_draft(review)
    elif not unit.memories.get([review.memory]):
        raise InvalidInput("review", f"memory {review.memory} is not here; import it first")
    if unit.reviews.same(review) or unit.reviews.get(review.id):
        return "known"
    unit.reviews.add(review)
    return "reviews"


def _import_vector(unit: UnitOfWork, record: VectorRecord) -> str:
    if unit.vectors.get([record.memory], record.model):
        return "known"
    if not unit.generations.all():
        unit.generations.put(Generation(record.model, GenerationState.SERVING, served=1))
    unit.vectors.put(record.memory, record.model, record.vector)
    return "vectors"
