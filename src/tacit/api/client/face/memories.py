"""Memories: kept, read, changed, forgotten and brought back."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Unpack

from tacit.api.client.answers import items
from tacit.api.client.arguments import memory_path, said_by
from tacit.api.client.face.face import Face
from tacit.core.changes import AuditEntry
from tacit.core.errors import InvalidInput
from tacit.core.fields import check_all_fields, check_field, check_ids, nested_field
from tacit.core.kinds import Actor, Sort
from tacit.core.memory import Filters, Memory, check_filters
from tacit.core.memory import to_json_value as in_json
from tacit.writing.draft import DRAFT_FIELDS, MemoryDraft, MemoryFields, Written


class Memories(Face):
    """What is done with memories, one by one or many at once."""

    def remember(
        self, content: str, *, by: Actor | str = Actor.USER, **fields: Unpack[MemoryFields]
    ) -> Written:
        """Keep a statement; said again, it is recognised."""
        draft = _draft({"content": content, **fields})
        return self._at.write("/v1/memories", {**draft, **said_by(by)}, read=Written.from_dict)

    def remember_all(
        self, drafts: Iterable[str | Mapping[str, Any]], *, by: Actor | str = Actor.USER
    ) -> list[Written]:
        """Keep many statements in one transaction: all of them, or none."""
        if isinstance(drafts, str | Mapping):
            raise InvalidInput("drafts", "expected a list of texts or objects, not a single one")
        wishes = [_numbered(number, draft) for number, draft in enumerate(drafts)]
        read = items(Written.from_dict)
        return self._at.write("/v1/memories/bulk", {"items": wishes, **said_by(by)}, read=read)

    def get(self, id: str) -> Memory:
        """One memory; a forgotten one is not found."""
        return self._at.get(memory_path(id), Memory.from_dict)

    def get_all(self, ids: Iterable[str]) -> dict[str, Memory]:
        """Many memories by their ids, in that order; those that are not there are left out."""
        asked = {"ids": check_ids(ids)}
        found = self._at.look("/v1/memories/bulk/get", asked, items(Memory.from_dict))
        return {memory.id: memory for memory in found}

    def list(
        self,
        *,
        sort: Sort | str = Sort.RECENT,
        limit: int = 50,
        after: str | None = None,
        **filters: Unpack[Filters],
    ) -> list[Memory]:
        """A page of memories; `after` is the id of the last one of the page before.

        `state=None` lists every state; `agent` and `user` list what those may see.
        """
        return self._at.get(
            "/v1/memories",
            items(Memory.from_dict),
            **_filters(filters),
            sort=check_field("sort", sort),
            limit=check_field("limit", limit),
            after=None if after is None else check_field("id", after),
        )

    def count(self, **filters: Unpack[Filters]) -> int:
        """How many memories `list` would give with these filters, on all its pages."""
        return self._at.get("/v1/memories/count", _counted, **_filters(filters))

    def edit(self, id: str, *, by: Actor | str = Actor.USER, **changes: Any) -> Written:
        """Change the fields that are named; None empties a field that can be empty."""
        values = _written(check_all_fields(changes, DRAFT_FIELDS))
        return self._at.change(
            "PATCH", memory_path(id), Written.from_dict, {**values, **said_by(by)}
        )

    def forget(self, id: str, *, by: Actor | str = Actor.USER) -> Written:
        """Hide a memory from every read; `restore` brings it back."""
        return self.forget_all([id], by=by)[0]

    def restore(self, id: str, *, by: Actor | str = Actor.USER) -> Written:
        """Bring back what was forgotten."""
        return self._at.write(memory_path(id, "restore"), said_by(by), read=Written.from_dict)

    def forget_all(self, ids: Iterable[str], *, by: Actor | str = Actor.USER) -> Sequence[Written]:
        """Hide many memories in one transaction: all of them, or none."""
        asked = {"ids": check_field("ids", ids), **said_by(by)}
        return self._at.write("/v1/memories/bulk/forget", asked, read=items(Written.from_dict))

    def restore_all(self, ids: Iterable[str], *, by: Actor | str = Actor.USER) -> Sequence[Written]:
        """Bring many memories back in one transaction: all of them, or none."""
        asked = {"ids": check_field("ids", ids), **said_by(by)}
        return self._at.write("/v1/memories/bulk/restore", asked, read=items(Written.from_dict))

    def history(self, id: str) -> Sequence[AuditEntry]:
        """Every change of a memory, oldest first; forgotten and erased ones have one too."""
        return self._at.get(memory_path(id, "history"), items(AuditEntry.from_dict))


def _filters(filters: Filters) -> dict[str, Any]:
    """Filters, checked, as an address says them."""
    checked = _written(check_filters(filters))
    return {**checked, "any_state": True} if checked.get("state", "") is None else checked


def _counted(answer: Any) -> int:
    return int(answer["count"])


def _numbered(number: int, draft: str | Mapping[str, Any]) -> dict[str, Any]:
    given = _mapping(number, draft)
    with nested_field(f"drafts[{number}]"):
        return _draft(given)


def _mapping(number: int, draft: str | Mapping[str, Any]) -> Mapping[str, Any]:
    if isinstance(draft, str):
        return {"content": draft}
    if not isinstance(draft, Mapping):
        raise InvalidInput(f"drafts[{number}]", "expected text or an object with a content")
    return draft


def _draft(values: Mapping[str, Any]) -> dict[str, Any]:
    """A wish, checked, with what was given of it."""
    draft = MemoryDraft.of(values)
    return _written({name: getattr(draft, name) for name in draft.given})


def _written(values: Mapping[str, Any]) -> dict[str, Any]:
    """Checked fields of a memory, ready for JSON."""
    return {name: in_json(value) for name, value in values.items()}
