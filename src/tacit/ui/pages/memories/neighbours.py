"""What stands around a memory: links, what it replaced, and the graph."""

from collections.abc import Sequence

from nicegui.element import Element

from tacit.core.memory.association import Association
from tacit.core.memory.graph import Graph
from tacit.core.memory.kinds import State
from tacit.core.memory.record import Memory
from tacit.turn.block import shorten
from tacit.ui.addresses import memory_at
from tacit.ui.asking import ask, handled
from tacit.ui.kit.button import Look, button
from tacit.ui.kit.card import badge, card, empty
from tacit.ui.kit.control import Control, Kind
from tacit.ui.kit.dialog import dialog
from tacit.ui.kit.element import box, link, say
from tacit.ui.kit.toast import toast
from tacit.ui.pages.memories.choosing import LinkChoice
from tacit.ui.pages.memories.drawing import drawn
from tacit.ui.pages.memories.graph import GraphView, relation_words
from tacit.ui.visit import Visit

_MOST_NODES = 60
_LABEL = 140
_DEPTHS = {1: "1 step", 2: "2 steps", 3: "3 steps"}


class Neighbours:
    """Links with their buttons, and the graph, which follows them."""

    def __init__(self, visit: Visit, memory: Memory, links: Element) -> None:
        self._visit = visit
        self._memory = memory
        self._links = links
        self._depth = 1
        self._own: list[Association] = []
        self.words: dict[str, str] = {}

    async def build(self) -> None:
        """Show them, the graph below; a forgotten memory has none in sight."""
        if self._memory.forgotten:
            with self._links:
                say("Links are shown again once the memory is restored.", "quiet", "p")
            return
        self._graph = card("Graph")
        await self.show()

    async def show(self) -> None:
        """Show the links and the graph as they are now."""
        graph = await ask(
            self._visit.tacit.graph, self._memory.id, depth=self._depth, limit=_MOST_NODES
        )
        replaced = await self._replaced()
        self.words = {each.id: shorten(each.content, _LABEL) for each in graph.nodes}
        own = [each for each in graph.edges if self._memory.id in (each.source, each.target)]
        self._own = own
        self._show_links(own, replaced)
        self._show_graph(graph)

    async def _replaced(self) -> Sequence[Memory]:
        """The memories that this one took the place of, as far as they have its key."""
        if self._memory.key is None:
            return ()
        past = await ask(
            self._visit.tacit.list,
            state=State.PAST,
            key=self._memory.key,
            scope=self._memory.scope,
            scope_id=self._memory.scope_id,
        )
        return [each for each in past if each.superseded_by == self._memory.id]

    def _show_links(self, edges: Sequence[Association], replaced: Sequence[Memory]) -> None:
        self._links.clear()
        with self._links:
            with box("spread"):
                say("Links", tag="h2")
                if self._visit.may_write:
                    button("Add a link", self._add)
            if not edges and not replaced and self._memory.superseded_by is None:
                say("Nothing is linked to this memory yet.", "quiet", "p")
                return
            with box("memory-links", "ul"):
                if self._memory.superseded_by is not None:
                    self._plain("replaced by", self._memory.superseded_by, "a newer memory")
                for each in replaced:
                    self._plain("replaces", each.id, shorten(each.content, _LABEL))
                for edge in edges:
                    self._link(edge)

    def _plain(self, relation: str, id: str, words: str) -> None:
        with box(tag="li"), box("words"):
            badge(relation, "accent")
            link(words, memory_at(self._visit, id), "breaking")

    def _link(self, edge: Association) -> None:
        is_out = edge.source == self._memory.id
        other = edge.target if is_out else edge.source
        words = self.words.get(other, "another memory")
        name = relation_words(edge.relation)
        with box(tag="li"):
            with box("words"):
                badge(name if is_out else f"it {name} this", title=f"weight {edge.weight:g}")
                link(words, memory_at(self._visit, other), "breaking")
            if self._visit.may_write:
                self._remover(edge, words)

    def _remover(self, edge: Association, words: str) -> None:
        tacit = self._visit.tacit

        async def remove() -> None:
            await ask(tacit.unlink, edge.source, edge.target, edge.relation)

            async def undo() -> None:
                await ask(tacit.link, edge.source, edge.target, edge.relation, weight=edge.weight)
                await self.show()

            with self._graph:
                toast("The link is removed.", undo)
                await handled(self.show)()

        button("Remove", remove, Look.QUIET, aria_label=f"Remove the link with: {words}")

    def _show_graph(self, graph: Graph) -> None:
        self._graph.clear()
        drawing = drawn(graph, self._memory.id)
        with self._graph:
            with box("spread"):
                say("Graph", tag="h2")
                self._depth_control()
            if not drawing.lines:
                empty("Nothing around it", "Links that lead to other memories are drawn here.")
                return
            with box("scroll", tabindex="0", role="region", aria_label="Graph around the memory"):
                GraphView(drawing, lambda id: memory_at(self._visit, id))
            with box("memory-legend", "ul", aria_label="Lines"):
                for relation in drawing.relations:
                    with box(tag="li"):
                        box(f"sample {relation}", aria_hidden="true")
                        say(relation_words(relation))
            if len(graph.nodes) >= _MOST_NODES:
                say(f"The nearest {_MOST_NODES} are drawn.", "quiet", "p")

    def _depth_control(self) -> None:
        async def changed() -> None:
            self._depth = int(control.value)
            with self._links:
                await self.show()

        control = Control(Kind.SELECT, "How far", self._depth, options=_DEPTHS, on_change=changed)

    async def _add(self) -> None:
        shown, inside = dialog("Link with another memory", wide=True)
        with inside:

            async def linked(edge: Association) -> None:
                shown.close()
                await self._linked(edge)

            async def leave() -> None:
                shown.close()

            LinkChoice(self._visit, self._memory, linked)
            with box("actions"):
                button("Close", leave)
        shown.open()

    async def _linked(self, edge: Association) -> None:
        tacit, ends = self._visit.tacit, (edge.source, edge.target, edge.relation)
        before = [each for each in self._own if (each.source, each.target, each.relation) == ends]

        async def undo() -> None:
            if before:
                await ask(tacit.link, *ends, weight=before[0].weight)
            else:
                await ask(tacit.unlink, *ends)
            await self.show()

        with self._graph:
            toast("Linked.", undo)
            await self.show()
