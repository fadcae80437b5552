"""What memories claim, in PostgreSQL, as signed 64-bit codes."""

from collections.abc import Sequence
from typing import Any

from tacit.store.postgres.posting import PostingTable
from tacit.store.sql.rows import to_json
from tacit.text import signed_code


class PostgresClaims(PostingTable[dict[str, Any]]):
    """The claims of memories of one workspace."""

    topic = "claims"

    def put(self, id: str, claims: Sequence[str]) -> None:
        """Keep the claims of a memory, beside any it has."""
        if claims:
            self._wait(id, {"id": id, "claims": [signed_code(claim) for claim in claims]})

    def clear(self, id: str) -> None:
        """Drop the claims of a memory."""
        self._send("clear_of", id=id)

    def rivals(self, ids: Sequence[str], limit: int) -> list[tuple[str, str]]:
        """Pairs of one of these memories and another that shares a claim with it."""
        rows = self._rows("rivals", ids=list(ids), limit=limit)
        return [(one, other) for one, other in rows]

    def _post(self, rows: Sequence[dict[str, Any]]) -> None:
        self._send_found("put", len(rows), rows=to_json(rows))
