"""Archives: everything at once, out to a file and in from one."""

import json
from collections.abc import Callable
from typing import Unpack

from tacit.api.client.arguments import said_by
from tacit.api.client.face.face import Face
from tacit.core.kinds import Actor, check_choice
from tacit.core.memory import to_json_value as in_json
from tacit.writing.archive.files import (
    ArchiveFile,
    Format,
    ImportReport,
    file_name_of,
    open_for_reading,
    open_for_writing,
)
from tacit.writing.draft import MemoryFields, check_fields

_EXPORT = "/v1/memories/export"
_NEWLINE = b"\n"
_LINES = "application/x-ndjson"
_EXPORT_SECONDS = 600.0
"""A large workspace is gathered at the server before the first line comes."""


class Archives(Face):
    """What goes over all memories of a workspace."""

    def export_to(self, target: ArchiveFile, *, embeddings: bool = False) -> int:
        """Write everything as JSON Lines, to a path or a binary file; returns how many lines."""
        lines = 0
        with (
            open_for_writing(target) as file,
            self._at.stream(_EXPORT, _EXPORT_SECONDS, embeddings=embeddings) as response,
        ):
            for piece in response.iter_bytes():
                file.write(piece)
                lines += piece.count(_NEWLINE)
        return lines

    def import_from(
        self,
        source: ArchiveFile,
        *,
        format: Format | str = Format.AUTO,
        by: Actor | str = Actor.IMPORT,
        name: str | None = None,
        progress: Callable[[int], None] = lambda _: None,
        **defaults: Unpack[MemoryFields],
    ) -> ImportReport:
        """Take in what a path or a binary file holds: lines, JSON, Markdown, other programs' files.

        What is known is recognised, so after an interruption it is just run again. `name` is what
        the file is called, if its path does not say it; `defaults` are for lines that say nothing
        themselves; `progress` hears of bytes done.
        """
        fields = {name: in_json(value) for name, value in check_fields(defaults).items()}
        asked = {
            "format": check_choice("format", Format, format),
            "name": file_name_of(source, name),
            "defaults": json.dumps(fields) if fields else None,
            **said_by(by, Actor.IMPORT),
        }
        with open_for_reading(source) as file:
            body = file.read()
        report = self._at.write(
            "/v1/memories/import",
            body,
            read=ImportReport.from_dict,
            media_type=_LINES,
            params=asked,
        )
        progress(len(body))
        return report
