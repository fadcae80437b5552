"""The words of memories, by their ids; each is asked for once."""

from collections.abc import Iterable, Sequence

from tacit.api.client.remote import RemoteTacit
from tacit.core.errors import InvalidInput
from tacit.core.memory.record import Memory
from tacit.ui.asking import ask

_AT_ONCE = 200


class Words:
    """Memories that were looked at; those that are gone are known to be gone."""

    def __init__(self, tacit: RemoteTacit) -> None:
        self._tacit = tacit
        self._held: dict[str, Memory | None] = {}

    @property
    def known(self) -> dict[str, Memory]:
        """Those that are there, by id."""
        return {id: memory for id, memory in self._held.items() if memory is not None}

    async def learn(self, ids: Iterable[str]) -> None:
        """Read what is not known yet."""
        missing = [id for id in dict.fromkeys(ids) if id not in self._held]
        for start in range(0, len(missing), _AT_ONCE):
            piece = missing[start : start + _AT_ONCE]
            self._held.update(dict.fromkeys(piece) | await self._read(piece))

    def forget(self) -> None:
        """Read everything anew when it is needed next."""
        self._held.clear()

    async def _read(self, ids: Sequence[str]) -> dict[str, Memory]:
        """Those that are there; a server that takes fewer ids at once is asked for each half."""
        try:
            return await ask(self._tacit.get_all, ids)
        except InvalidInput:
            half = len(ids) // 2
            if not half:
                raise
            return await self._read(ids[:half]) | await self._read(ids[half:])
