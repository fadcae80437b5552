"""Previews an import: reads a file as an import would, and writes nothing."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from tacit.core.changes import AuditEntry, Review
from tacit.core.kinds import Actor
from tacit.core.memory import Association, Memory
from tacit.store.episodes import EpisodeRecord
from tacit.writing.archive.contents import read_contents
from tacit.writing.archive.files import (
    ArchiveFile,
    Format,
    ImportPreview,
    file_name_of,
    open_for_reading,
)
from tacit.writing.archive.importer import Importer, is_trusted_rule
from tacit.writing.archive.records import ItemRecord, Record, VectorRecord
from tacit.writing.draft import MemoryDraft, check_fields

_FIRST = 5
_KINDS: Mapping[type[Record], str] = {
    MemoryDraft: "memories",
    Memory: "memories",
    EpisodeRecord: "episodes",
    ItemRecord: "items",
    Association: "associations",
    AuditEntry: "audit entries",
    Review: "reviews",
    VectorRecord: "vectors",
}


def preview_import(
    source: ArchiveFile,
    *,
    format: Format,
    workspace: str,
    defaults: Mapping[str, Any],
    by: Actor = Actor.IMPORT,
    progress: Callable[[int], None] = lambda _: None,
) -> ImportPreview:
    """Read a file, check every entry, and count what an import would look at."""
    importer = Importer(workspace, check_fields(defaults))
    counts, first, rules = Counter[str](), list[str](), 0
    with open_for_reading(source) as file:
        found = read_contents(file, format, file_name_of(source))
        for lines in found.chunks():
            for _, record in importer.parse(lines):
                counts[_KINDS[type(record)]] += 1
                rules += is_trusted_rule(record, by)
                text = _text_of(record)
                if text is not None and len(first) < _FIRST:
                    first.append(text)
            progress(sum(line.size for line in lines))
    report = importer.report(found.format)
    return ImportPreview(
        format=found.format,
        counts=dict(counts),
        first=tuple(first),
        rules=rules,
        rejected=report.rejected,
        rejected_count=report.rejected_count,
    )


def _text_of(record: Record) -> str | None:
    if isinstance(record, EpisodeRecord):
        return record.episode.text
    return record.content if isinstance(record, MemoryDraft | Memory) else None
