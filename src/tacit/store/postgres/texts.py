"""The terms of memories in PostgreSQL, as signed 64-bit codes."""

from collections.abc import Sequence
from typing import Any

from tacit.language.terms import signed_term_code
from tacit.store.postgres.binary import to_packed
from tacit.store.postgres.posting import PostingTable
from tacit.store.sql.rows import to_json


class PostgresTexts(PostingTable[dict[str, Any]]):
    """The terms of memories, as codes."""

    topic = "texts"

    def put(self, id: str, terms: Sequence[str]) -> None:
        """Keep the terms of a memory, instead of any it had."""
        self._wait(id, {"id": id, "terms": [signed_term_code(term) for term in terms]})

    def of(self, ids: Sequence[str]) -> dict[str, bytes]:
        """The packed terms of these memories."""
        rows = self._rows("of", ids=list(ids))
        packed = to_packed([sent for _, sent in rows])
        return {id: terms for (id, _), terms in zip(rows, packed, strict=True)}

    def _post(self, rows: Sequence[dict[str, Any]]) -> None:
        self._send_found("put", len(rows), rows=to_json(rows))
