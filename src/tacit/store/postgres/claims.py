"""What memories claim, in PostgreSQL, as signed 64-bit codes."""

from collections.abc import Sequence
from typing import Any

from tacit.core.kinds import Owner
from tacit.language.terms import signed_term_code
from tacit.store.postgres.posting import PostingTable
from tacit.store.sql.rows import to_json, to_shared


class PostgresClaims(PostingTable[dict[str, Any]]):
    """The claims of memories of one workspace."""

    topic = "claims"

    def put(self, id: str, claims: Sequence[str]) -> None:
        """Keep the claims of a memory, beside any it has."""
        if claims:
            self._wait(id, {"id": id, "claims": [signed_term_code(claim) for claim in claims]})

    def clear(self, id: str) -> None:
        """Drop the claims of a memory."""
        self._send("clear_of", id=id)

    def rivals(self, ids: Sequence[str], limit: int) -> list[tuple[str, str]]:
        """Pairs of one of these memories and another that shares a claim with it."""
        rows = self._rows("rivals", ids=list(ids), limit=limit)
        return [(one, other) for one, other in rows]

    def shared(self, start: int, limit: int) -> list[tuple[int, list[tuple[str, Owner]]]]:
        """A page of claims that several memories make, from a code on."""
        return to_shared(self._rows("shared", start=start, limit=limit))

    def shared_keys(self) -> list[tuple[str, list[str]]]:
        """Keys that several memories of one owner have."""
        return [(key, ids) for key, ids in self._rows("shared_keys")]

    def _post(self, rows: Sequence[dict[str, Any]]) -> None:
        self._send_found("put", len(rows), rows=to_json(rows))
