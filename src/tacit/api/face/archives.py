"""Archives: everything at once, out to a file and in from one."""

from collections.abc import Callable
from functools import partial
from typing import Unpack

from tacit.api.embedding import Embedding
from tacit.api.face.face import Face
from tacit.core.kinds import Actor, check_choice
from tacit.core.permissions import Viewer
from tacit.store.tenants import documents_beside
from tacit.writing.archive.contents import read_contents
from tacit.writing.archive.files import (
    ArchiveFile,
    Format,
    ImportReport,
    file_name_of,
    open_for_reading,
    open_for_writing,
)
from tacit.writing.archive.importer import Importer
from tacit.writing.archive.records import export_archive
from tacit.writing.draft import MemoryDraft, MemoryFields, check_fields


class Archives(Face):
    """What goes over all memories of a workspace."""

    def export_to(self, target: ArchiveFile, *, embeddings: bool = False) -> int:
        """Write everything as JSON Lines, to a path or a binary file; returns how many lines."""
        now = self._clock()
        with open_for_writing(target) as file:
            return self._read(partial(export_archive, target=file, now=now, embeddings=embeddings))

    def import_from(
        self,
        source: ArchiveFile,
        *,
        format: Format | str = Format.AUTO,
        by: Actor | str = Actor.IMPORT,
        name: str | None = None,
        progress: Callable[[int], None] = lambda _: None,
        only_for: Viewer | None = None,
        **defaults: Unpack[MemoryFields],
    ) -> ImportReport:
        """Take in what a path or a binary file holds: lines, JSON, Markdown, other programs' files.

        What is known is recognised, so after an interruption it is just run again. `name` is what
        the file is called, if its path does not say it; `defaults` are for lines that say nothing
        themselves; `progress` hears of bytes done; `only_for` is the
        agent or the user that imports: they take in statements of their own only.
        """
        named = file_name_of(source, name)
        importer = Importer(self.workspace, check_fields(defaults), only_for)
        with open_for_reading(source) as file:
            found = read_contents(file, check_choice("format", Format, format), named)
            for lines in found.chunks():
                records = importer.parse(lines)
                embedded = self._embedding.of_new(
                    [each for _, each in records if isinstance(each, MemoryDraft)]
                )
                work = partial(importer.write, records=records, embedded=embedded)
                importer.settle(self._write(by, work))
                progress(sum(line.size for line in lines))
        self._write(by, importer.finish)
        self._store.settle(self._workspace)
        return importer.report(found.format)

    def embed_missing(self, *, progress: Callable[[int, int], None] = lambda *_: None) -> int:
        """Give memories and documents that have none a vector of this model; returns how many.

        After a change of model the words are searched meanwhile, and vectors are never mixed.
        """
        beside = Embedding(self._store, documents_beside(self._workspace), self._embedder)
        return self._embedding.fill(progress) + beside.fill(progress)
