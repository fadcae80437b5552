"""What memories claim, in SQLite, as signed 64-bit codes."""

import json
from collections.abc import Sequence

from tacit.store.sqlite.table import Table
from tacit.text import signed_code


class SqliteClaims(Table):
    """The claims of memories of one workspace."""

    topic = "claims"

    def put(self, id: str, claims: Sequence[str]) -> None:
        """Keep the claims of a memory, beside any it has."""
        if claims:
            self._run("put", id=id, claims=json.dumps([signed_code(claim) for claim in claims]))

    def clear(self, id: str) -> None:
        """Drop the claims of a memory."""
        self._run("clear_of", id=id)

    def rivals(self, ids: Sequence[str], limit: int) -> list[tuple[str, str]]:
        """Pairs of one of these memories and another that shares a claim with it."""
        rows = self._rows("rivals", ids=json.dumps(list(ids)), limit=limit)
        return [(one, other) for one, other in rows]
