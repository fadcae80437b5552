"""Choosing another memory to link with, by searching for it."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from tacit.api.client.remote import RemoteTacit
from tacit.core.memory.association import Association
from tacit.core.memory.kinds import Relation
from tacit.core.memory.record import Memory
from tacit.turn.block import shorten
from tacit.ui.asking import ask
from tacit.ui.kit.button import button
from tacit.ui.kit.control import Control, Kind
from tacit.ui.kit.element import box, say
from tacit.ui.latest import Latest
from tacit.ui.pages.memories.graph import relation_words
from tacit.ui.visit import Visit

_MOST_FOUND = 8
_LABEL = 160
_RELATIONS = {str(each): relation_words(each).capitalize() for each in Relation}


class LinkChoice:
    """A search, what it finds, and a button at each; `after` hears of the new link."""

    def __init__(
        self, visit: Visit, memory: Memory, after: Callable[[Association], Awaitable[Any]]
    ) -> None:
        self._visit = visit
        self._memory = memory
        self._after = after
        self._latest = Latest()
        self._relation = Control(
            Kind.SELECT,
            "Relation",
            str(Relation.RELATED_TO),
            options=_RELATIONS,
            hint="What this memory is to the other one",
        )
        self._text = Control(
            Kind.SEARCH,
            "The other memory",
            "",
            placeholder="What it is about",
            on_change=self._look,
        )
        self._found = box("memory-links", "ul", aria_live="polite")

    async def _look(self) -> None:
        """Search; of several, the last one counts."""
        text = str(self._text.value).strip()
        found = await self._latest.of(self._searched(text))
        if found is not None:
            self._show([each for each in found if each.id != self._memory.id], text)

    async def _searched(self, text: str) -> Sequence[Memory]:
        """What is found, if anything is asked."""
        return await ask(nearest, self._visit.tacit, text) if text else ()

    def _show(self, found: Sequence[Memory], text: str) -> None:
        self._found.clear()
        with self._found:
            for each in found:
                with box(tag="li"):
                    say(shorten(each.content, _LABEL), "breaking")
                    self._button(each)
            if text and not found:
                say("Nothing like that is remembered.", "quiet", "li")

    def _button(self, other: Memory) -> None:
        async def choose() -> None:
            relation = str(self._relation.value)
            link = self._visit.tacit.link
            await self._after(await ask(link, self._memory.id, other.id, relation))

        label = f"Link with: {shorten(other.content, 60)}"
        button("Link", choose, aria_label=label)


def nearest(tacit: RemoteTacit, text: str) -> Sequence[Memory]:
    """What a text is about, or else what has it in it."""
    hits = tacit.search(text, max_results=_MOST_FOUND).hits
    if hits:
        return [hit.memory for hit in hits]
    return tacit.list(contains=text, limit=_MOST_FOUND)
