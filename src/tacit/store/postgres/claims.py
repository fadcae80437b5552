"""What memories claim, in PostgreSQL, as signed 64-bit codes."""

from collections.abc import Sequence

from tacit.store.postgres.table import Table
from tacit.text import signed_code


class PostgresClaims(Table):
    """The claims of memories of one workspace."""

    topic = "claims"

    def put(self, id: str, claims: Sequence[str]) -> None:
        """Keep the claims of a memory, beside any it has."""
        if claims:
            self._send("put", id=id, claims=[signed_code(claim) for claim in claims])

    def clear(self, id: str) -> None:
        """Drop the claims of a memory."""
        self._send("clear_of", id=id)

    def rivals(self, ids: Sequence[str], limit: int) -> list[tuple[str, str]]:
        """Pairs of one of these memories and another that shares a claim with it."""
        rows = self._rows("rivals", ids=list(ids), limit=limit)
        return [(one, other) for one, other in rows]
