"""The terms of memories in SQLite."""

import json
from collections.abc import Sequence

from tacit.language.terms import pack_term_codes
from tacit.store.sqlite.table import Table


class SqliteTexts(Table):
    """The terms of memories, as codes."""

    topic = "texts"

    def put(self, id: str, terms: Sequence[str]) -> None:
        """Keep the terms of a memory, instead of any it had."""
        self._run("put", id=id, terms=pack_term_codes(terms))

    def of(self, ids: Sequence[str]) -> dict[str, bytes]:
        """The packed terms of these memories."""
        return dict(self._rows("of", ids=json.dumps(list(ids))))
