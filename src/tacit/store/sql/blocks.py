"""The blocks that sessions were shown, in SQL."""

from collections.abc import Collection, Sequence, Set
from typing import Any

from tacit.core.blocks import Block
from tacit.store.sql.conversation_rows import from_block, to_block
from tacit.store.sql.table import SqlTable


class SqlBlocks(SqlTable):
    """The blocks that sessions were shown."""

    topic = "blocks"

    def put(self, block: Block) -> None:
        """Add a block or change its state."""
        self._send("put", **from_block(block), memories=self._listed(block.memories))

    def of(self, session: str) -> list[Block]:
        """The blocks of a session in every state, oldest first."""
        return [self._block(row) for row in self._rows("of", session=session)]

    def standing(self, session: str, ids: Collection[str] = ()) -> list[Block]:
        """The live blocks of a session, and those with these ids in any state, oldest first."""
        rows = self._rows("standing", session=session, ids=self._listed(list(ids)))
        return [self._block(row) for row in rows]

    def made(self, ids: Collection[str]) -> list[Block]:
        """The blocks with these ids in any session of the workspace, by session and id."""
        return [self._block(row) for row in self._rows("made", ids=self._listed(list(ids)))]

    def scan(self, after: Block | None, limit: int) -> list[Block]:
        """A page of all blocks, by session and id."""
        session, id = (after.session, after.id) if after else ("", "")
        rows = self._rows("scan", session=session, id=id, limit=limit)
        return [self._block(row) for row in rows]

    def blank(self, memories: Set[str]) -> int:
        """Remove the words of every block that one of these was in; returns how many."""
        return self._run("blank", ids=self._listed(memories))

    def clear(self, session: str) -> int:
        """Drop the blocks of a session; returns how many."""
        return self._run("clear", session=session)

    def _block(self, row: Sequence[Any]) -> Block:
        return to_block(row, tuple(self._unlisted(row[6])))
