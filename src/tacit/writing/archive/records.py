"""The kinds of lines in an archive, to JSON and back."""

import base64
import binascii
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any, Self

from tacit.core.changes import AuditEntry, Review
from tacit.core.errors import ArchiveError, InvalidInput
from tacit.core.fields import check_field
from tacit.core.memory import Association, Memory
from tacit.core.times import to_rfc3339
from tacit.core.vectors import EmbeddingModel, Vector, pack_vector, unpack_vector
from tacit.language.redaction.privacy import without_secrets
from tacit.language.redaction.tree import redact_all
from tacit.writing.draft import Draft

VERSION = 1


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
        model = EmbeddingModel(**values["model"])
        try:
            vector = unpack_vector(base64.b64decode(values["half_floats"], validate=True))
        except (binascii.Error, ValueError) as error:
            raise InvalidInput("half_floats", f"are not {model.dims} numbers ({error})") from None
        return cls(check_field("id", values["memory"]), model, vector)


Record = Memory | Draft | Association | AuditEntry | Review | VectorRecord
Exported = Memory | Association | AuditEntry | Review | VectorRecord


def header(workspace: str, now: datetime) -> dict[str, Any]:
    """The first line of an archive."""
    return {
        "kind": "header",
        "format": "tacit",
        "version": VERSION,
        "workspace": workspace,
        "exported_at": to_rfc3339(now),
    }


def to_line(record: Exported) -> dict[str, Any]:
    """The JSON object that stands for a record; the workspace is in the header, once."""
    line = {"kind": _NAMES[type(record)], **record.to_dict()}
    line.pop("workspace", None)
    return line


def from_line(values: Mapping[str, Any], workspace: str) -> Record | None:
    """The record a JSON object stands for, here and without secrets; None for the header.

    An object without a kind is a draft: the fields of a memory, of which only the content is
    needed.
    """
    kind = values.get("kind", "draft")
    rest = {name: value for name, value in values.items() if name != "kind"}
    if kind == "header":
        _refuse_newer(rest)
        return None
    if kind not in _READERS:
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
    said = {name: getattr(memory, name) for name in ("content", "tags", "metadata", "origin")}
    return replace(memory, **without_secrets(said))


def _audit_entry(values: Mapping[str, Any]) -> AuditEntry:
    entry = AuditEntry.from_dict(values)
    return replace(entry, old=redact_all(entry.old), new=redact_all(entry.new))


def _review(values: Mapping[str, Any]) -> Review:
    review = Review.from_dict(values)
    return replace(review, change=redact_all(review.change))


_READERS: Mapping[str, Callable[[Mapping[str, Any]], Record]] = MappingProxyType(
    {
        "memory": _memory,
        "association": Association.from_dict,
        "audit": _audit_entry,
        "review": _review,
        "vector": VectorRecord.from_dict,
        "draft": Draft.of,
    }
)

_NAMES: Mapping[type[Exported], str] = MappingProxyType(
    {
        Memory: "memory",
        Association: "association",
        AuditEntry: "audit",
        Review: "review",
        VectorRecord: "vector",
    }
)
