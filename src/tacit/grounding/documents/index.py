"""The index of documents: changed files become chunks in the store, a few files at a time."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any
from zlib import crc32

from tacit.core.errors import StoreTooNew
from tacit.core.fields import MAX_CONTENT_BYTES, Origin
from tacit.core.kinds import Actor, MemoryType, Scope, Trust
from tacit.core.memory import Memory
from tacit.grounding.documents.chunks import DocumentChunk, chunk_document
from tacit.grounding.documents.files import DocumentContent, DocumentStamp, read_document
from tacit.grounding.documents.results import IndexReport, UnreadFile
from tacit.grounding.text_cuts import clip_text
from tacit.language.redaction.redact import redact
from tacit.language.terms import extract_index_terms
from tacit.runtime.clock import Clock, NewId
from tacit.store.journal import discard_stale_codes
from tacit.store.protocols.store import Store, UnitOfWork

# The ledger of indexed files, kept in several parts: a changed file rewrites one part, and an
# interrupted run resumes with the parts that are missing.


VERSION = 1
"""Raised when chunking changes: then every file is read again."""

PARTS = 64
_NAME = "documents"


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedFile:
    """A file as it was indexed; `mtime` is 0 if it had just changed and may change unnoticed."""

    source: str
    mtime: int
    size: int
    sha256: str = ""
    chunks: tuple[str, ...] = ()
    problem: str = ""


IndexPart = dict[str, IndexedFile]


def part_number(path: str) -> int:
    """The part that a file belongs to."""
    return crc32(path.encode()) % PARTS


def read_part(unit: UnitOfWork, number: int) -> IndexPart:
    """The files of one part, by path."""
    kept = unit.progress.get(_part_name(number))
    version = 0 if kept is None else kept.get("version", 0)
    if version > VERSION:
        raise StoreTooNew(
            f"the documents were indexed by a newer Tacit (index {version}, this one knows"
            f" {VERSION}); upgrade with: pip install --upgrade tacit"
        )
    if kept is None or version < VERSION:
        return {path: _outdated_file(each) for path, each in (kept or {}).get("files", {}).items()}
    return {path: _to_indexed_file(each) for path, each in kept["files"].items()}


def write_part(unit: UnitOfWork, number: int, part: Mapping[str, IndexedFile]) -> None:
    """Store one part."""
    if not part:
        unit.progress.remove(_part_name(number))
        return
    files = {
        path: [
            line.source,
            line.mtime,
            line.size,
            line.sha256,
            list(line.chunks),
            line.problem,
        ]
        for path, line in part.items()
    }
    unit.progress.put(_part_name(number), {"version": VERSION, "files": files})


def read_all(unit: UnitOfWork, numbers: Iterable[int] = range(PARTS)) -> dict[int, IndexPart]:
    """Read several parts by their numbers."""
    return {number: read_part(unit, number) for number in numbers}


def _part_name(number: int) -> str:
    return f"{_NAME}/{number}"


def _to_indexed_file(kept: Any) -> IndexedFile:
    source, mtime, size, sha256, chunks, problem = kept
    return IndexedFile(
        source=source,
        mtime=mtime,
        size=size,
        sha256=sha256,
        chunks=tuple(chunks),
        problem=problem,
    )


def _outdated_file(kept: Any) -> IndexedFile:
    """An entry that no file matches, so that the file is read again."""
    return IndexedFile(source=str(kept[0]), mtime=0, size=-1, chunks=tuple(kept[4]))


# The indexer


Progress = Callable[[int, int], None]
"""Called with the number of files done and in total."""

_FILES_AT_ONCE = 32
_UNSURE_NS = 2_000_000_000
"""A file that changed so shortly before may change again without its time telling."""

_IMPORTANCE = 0.6
_JOINT = " › "


@dataclass(frozen=True, slots=True)
class _PreparedFile:
    """A file that was read, and its chunks with their terms."""

    sighting: DocumentStamp
    content: DocumentContent
    mtime: int
    chunks: Sequence[tuple[DocumentChunk, str, Sequence[str]]] = ()


@dataclass(slots=True)
class _IndexAccount:
    done: int = 0
    total: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    unread: dict[str, str] = field(default_factory=dict)


class Indexer:
    """Keeps the chunks of one workspace's documents up to date with the files."""

    def __init__(self, store: Store, workspace: str, clock: Clock, new_id: NewId) -> None:
        self._store = store
        self._workspace = workspace
        self._clock = clock
        self._new_id = new_id

    def index(
        self,
        found: Mapping[str, DocumentStamp],
        progress: Progress,
        is_over: Callable[[], bool] = lambda: False,
    ) -> IndexReport:
        """Bring everything up to date with the files that were found; missing ones are removed."""
        known = self.lines()
        account = _IndexAccount(total=len(found))
        parts: dict[int, list[DocumentStamp]] = {}
        for path, sighting in found.items():
            parts.setdefault(part_number(path), []).append(sighting)
        for number in range(PARTS):
            if is_over():
                break
            gone = sorted(known[number].keys() - found.keys())
            here = parts.get(number, [])
            self._index_part(number, known[number], here, gone, account, progress)
        else:
            progress(account.done, account.total)
        if account.counts["indexed"] or account.counts["removed"]:
            self._store.settle(self._workspace)
        return _to_report(account)

    def refresh(self, paths: Mapping[str, DocumentStamp | None]) -> IndexReport:
        """Bring some files up to date; None stands for a file that is gone."""
        account = _IndexAccount(total=len(paths))
        for number in sorted({part_number(path) for path in paths}):
            own = {path: seen for path, seen in paths.items() if part_number(path) == number}
            known = self.lines([number])[number]
            here = [seen for seen in own.values() if seen is not None]
            gone = [path for path, seen in own.items() if seen is None and path in known]
            self._index_part(number, known, here, gone, account, _ignore_progress)
        return _to_report(account)

    def lines(self, numbers: Iterable[int] = range(PARTS)) -> dict[int, dict[str, IndexedFile]]:
        """The indexed files."""
        with self._store.read(self._workspace) as unit:
            return read_all(unit, numbers)

    def _index_part(
        self,
        number: int,
        known: Mapping[str, IndexedFile],
        here: Sequence[DocumentStamp],
        gone: Sequence[str],
        account: _IndexAccount,
        progress: Progress,
    ) -> None:
        changed = [each for each in here if not _is_known(each, known.get(each.path))]
        paths = {each.path for each in changed}
        same = [known[each.path] for each in here if each.path not in paths]
        account.counts["unchanged"] += sum(not line.problem for line in same)
        account.counts["removed"] += sum(not known[path].problem for path in gone)
        account.done += len(same)
        account.unread |= {
            each.path: known[each.path].problem
            for each in here
            if each.path not in paths and known[each.path].problem
        }
        waiting = iter(changed)
        while (batch := list(islice(waiting, _FILES_AT_ONCE))) or gone:
            self._write(number, [self._prepare_file(each) for each in batch], gone, account)
            gone = ()
            account.done += len(batch)
            progress(account.done, account.total)

    def _prepare_file(self, sighting: DocumentStamp) -> _PreparedFile:
        """Read and chunk a file; secrets are removed before anything is stored."""
        content = read_document(sighting.path)
        age = int(self._clock().timestamp() * 1e9) - sighting.mtime
        mtime = sighting.mtime if age > _UNSURE_NS else 0
        if content.problem:
            return _PreparedFile(sighting, content, mtime)
        cut = chunk_document(sighting.path, redact(content.text).text)
        found = [(chunk, text := to_search_text(chunk), extract_index_terms(text)) for chunk in cut]
        return _PreparedFile(sighting, content, mtime, found)

    def _write(
        self,
        number: int,
        prepared: Sequence[_PreparedFile],
        gone: Iterable[str],
        account: _IndexAccount,
    ) -> None:
        with self._store.write(self._workspace) as unit:
            part = read_part(unit, number)
            for path in gone:
                if line := part.pop(path, None):
                    _delete_chunks(unit, line.chunks)
            for each in prepared:
                path = each.sighting.path
                ids = self._write_file(unit, each, part.get(path))
                part[path] = IndexedFile(
                    source=each.sighting.source,
                    mtime=each.mtime,
                    size=each.sighting.size,
                    sha256=each.content.sha256,
                    chunks=ids,
                    problem=each.content.problem,
                )
            write_part(unit, number, part)
        for each in prepared:
            if each.content.problem:
                account.unread[each.sighting.path] = each.content.problem
            else:
                account.counts["indexed"] += 1
                account.counts["chunks"] += len(each.chunks)

    def _write_file(
        self, unit: UnitOfWork, prepared: _PreparedFile, before: IndexedFile | None
    ) -> tuple[str, ...]:
        """Store a file's chunks; an unchanged chunk keeps its vector."""
        old = unit.memories.get(before.chunks) if before and before.chunks else {}
        known = {(memory.content, memory.key): memory for memory in old.values()}
        seen: Counter[str] = Counter()
        ids = []
        new: list[tuple[Memory, Sequence[str]]] = []
        for ordinal, (chunk, text, found) in enumerate(prepared.chunks):
            seen[text] += 1
            key = None if seen[text] == 1 else str(seen[text])
            memory = self._build_memory(prepared, chunk, text, key, ordinal)
            kept = known.pop((text, key), None)
            if kept is None:
                new.append((memory, found))
            else:
                memory = replace(kept, origin=memory.origin, metadata=memory.metadata)
                if memory != kept:
                    unit.memories.update(memory)
                    discard_stale_codes(unit, kept, memory)
            ids.append(memory.id)
        _delete_chunks(unit, [memory.id for memory in known.values()])
        for memory, found in new:
            unit.memories.insert(memory)
            unit.texts.put(memory.id, found)
            discard_stale_codes(unit, None, memory)
        return tuple(ids)

    def _build_memory(
        self,
        prepared: _PreparedFile,
        chunk: DocumentChunk,
        text: str,
        key: str | None,
        ordinal: int,
    ) -> Memory:
        now = self._clock()
        return Memory(
            id=self._new_id(),
            workspace=self._workspace,
            content=text,
            type=MemoryType.FACT,
            key=key,
            importance=_IMPORTANCE,
            confidence=1.0,
            scope=Scope.PROJECT,
            scope_id=prepared.sighting.path,
            source=Actor.IMPORT,
            origin=Origin(session=prepared.sighting.path, ordinal=ordinal),
            trust=Trust.UNVERIFIED,
            explicit=False,
            metadata=_metadata(prepared, chunk),
            created_at=now,
            updated_at=now,
        )


def to_search_text(chunk: DocumentChunk) -> str:
    """The text by which a chunk is found: its headings and its text."""
    return clip_text(f"{_JOINT.join(chunk.headings)}\n{chunk.text}", bytes=MAX_CONTENT_BYTES)


def chunk_text(content: str) -> str:
    """The text of a chunk without headings."""
    return content.partition("\n")[2]


def _metadata(prepared: _PreparedFile, chunk: DocumentChunk) -> dict[str, Any]:
    return {
        "source": prepared.sighting.source,
        "sha256": prepared.content.sha256,
        "headings": list(chunk.headings),
        "lines": [chunk.first_line, chunk.last_line],
        "is_bare": chunk.is_bare,
    }


def _is_known(sighting: DocumentStamp, line: IndexedFile | None) -> bool:
    if line is None:
        return False
    seen = (sighting.mtime, sighting.size, sighting.source)
    return (line.mtime, line.size, line.source) == seen or _is_same_text(sighting, line)


def _is_same_text(sighting: DocumentStamp, line: IndexedFile) -> bool:
    """Whether a touched file has the same content, so that it need not be chunked again."""
    if line.size != sighting.size or not line.sha256 or line.source != sighting.source:
        return False
    return read_document(sighting.path).sha256 == line.sha256


def _delete_chunks(unit: UnitOfWork, ids: Iterable[str]) -> None:
    for id in ids:
        unit.memories.delete(id)


def _to_report(account: _IndexAccount) -> IndexReport:
    return IndexReport(
        indexed=account.counts["indexed"],
        unchanged=account.counts["unchanged"],
        removed=account.counts["removed"],
        chunks=account.counts["chunks"],
        unread=tuple(
            UnreadFile(path=path, reason=reason) for path, reason in sorted(account.unread.items())
        ),
    )


def _ignore_progress(done: int, total: int) -> None:
    """A progress callback that does nothing."""


def list_indexed_files(
    parts: Mapping[int, Mapping[str, IndexedFile]],
) -> Iterator[tuple[str, IndexedFile]]:
    """All indexed files."""
    for part in parts.values():
        yield from part.items()
