"""Everything a workspace holds as one file, out and in again."""

from tacit.archive.exporting import export
from tacit.archive.format import Format
from tacit.archive.importing import Importer
from tacit.archive.moving import MovedKind, MovedWorkspace, MoveReport, chosen, move
from tacit.archive.places import Place, name_of, reading, writing
from tacit.archive.reading import contents
from tacit.archive.report import ImportReport, Rejected

__all__ = [
    "Format",
    "ImportReport",
    "Importer",
    "MoveReport",
    "MovedKind",
    "MovedWorkspace",
    "Place",
    "Rejected",
    "chosen",
    "contents",
    "export",
    "move",
    "name_of",
    "reading",
    "writing",
]
