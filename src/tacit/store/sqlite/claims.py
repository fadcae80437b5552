"""What memories claim, in SQLite, as signed 64-bit codes."""

import json
from collections.abc import Sequence

from tacit.core.kinds import Owner
from tacit.language.terms import signed_term_code
from tacit.store.sql.rows import to_shared
from tacit.store.sqlite.table import Table


class SqliteClaims(Table):
    """The claims of memories of one workspace."""

    topic = "claims"

    def put(self, id: str, claims: Sequence[str]) -> None:
        """Keep the claims of a memory, beside any it has."""
        if claims:
            self._run(
                "put", id=id, claims=json.dumps([signed_term_code(claim) for claim in claims])
            )

    def clear(self, id: str) -> None:
        """Drop the claims of a memory."""
        self._run("clear_of", id=id)

    def rivals(self, ids: Sequence[str], limit: int) -> list[tuple[str, str]]:
        """Pairs of one of these memories and another that shares a claim with it."""
        rows = self._rows("rivals", ids=json.dumps(list(ids)), limit=limit)
        return [(one, other) for one, other in rows]

    def shared(self, start: int, limit: int) -> list[tuple[int, list[tuple[str, Owner]]]]:
        """A page of claims that several memories make, from a code on."""
        return to_shared(self._rows("shared", start=start, limit=limit))

    def shared_keys(self) -> list[tuple[str, list[str]]]:
        """Keys that several memories of one owner have."""
        return [(key, sorted(json.loads(ids))) for key, ids in self._rows("shared_keys")]
