"""Links of a memory: the list, the search for another memory to link, and the graph."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from nicegui.element import Element

from tacit.api.client.remote import RemoteTacit
from tacit.core.kinds import Relation, State
from tacit.core.memory import Association, Graph, Memory
from tacit.turn.block import shorten
from tacit.ui.api_calls import LatestCall, call_api, report_errors
from tacit.ui.kit.buttons import ButtonStyle, button, dialog, toast
from tacit.ui.kit.control import Control, ControlKind
from tacit.ui.kit.display import badge, card, empty
from tacit.ui.kit.elements import add_text, box, link
from tacit.ui.navigation import memory_link
from tacit.ui.page_context import PageContext
from tacit.ui.pages.memories.graph_layout import (
    HALF_HEIGHT,
    HALF_WIDTH,
    GraphEdge,
    GraphLayout,
    GraphNode,
    lay_out_graph,
)
from tacit.ui.pages.memories.view_model import successor_text

_MAX_NODES = 60
MAX_LABEL = 140
"""Characters of a memory's content in a link to it."""

_DEPTHS = {1: "1 step", 2: "2 steps", 3: "3 steps"}


class LinksPanel:
    """The links of a memory with their buttons, and the graph."""

    def __init__(
        self, context: PageContext, memory: Memory, links: Element, successors: Mapping[str, str]
    ) -> None:
        self._context = context
        self._memory = memory
        self._links = links
        self._successors = successors
        self._depth = 1
        self._edges: list[Association] = []
        self.texts: dict[str, str] = {}

    async def build(self) -> None:
        """Show the links and the graph; a forgotten memory shows none."""
        if self._memory.forgotten:
            with self._links:
                add_text("Links are shown again once the memory is restored.", "quiet", "p")
            return
        self._graph = card("Graph")
        await self.show()

    async def show(self) -> None:
        """Load and show the links and the graph."""
        graph = await call_api(
            self._context.tacit.memories.graph, self._memory.id, depth=self._depth, limit=_MAX_NODES
        )
        replaced = await self._load_replaced()
        self.texts = {each.id: shorten(each.content, MAX_LABEL) for each in graph.nodes}
        own = [each for each in graph.edges if self._memory.id in (each.source, each.target)]
        self._edges = own
        self._show_links(own, replaced)
        self._show_graph(graph)

    async def _load_replaced(self) -> Sequence[Memory]:
        """The memories that this one superseded, if they have its key."""
        if self._memory.key is None:
            return ()
        past = await call_api(
            self._context.tacit.list,
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
                add_text("Links", tag="h2")
                if self._context.may_write:
                    button("Add a link", self._open_link_dialog)
            if not edges and not replaced and self._memory.superseded_by is None:
                add_text("Nothing is linked to this memory yet.", "quiet", "p")
                return
            with box("memory-links", "ul"):
                if (newer := self._memory.superseded_by) is not None:
                    text = successor_text(self._successors, newer)
                    self._show_plain_link("replaced by", newer, text)
                for each in replaced:
                    self._show_plain_link("replaces", each.id, shorten(each.content, MAX_LABEL))
                for edge in edges:
                    self._show_link(edge)

    def _show_plain_link(self, relation: str, id: str, text: str) -> None:
        with box(tag="li"), box("words"):
            badge(relation, "accent")
            link(text, memory_link(self._context, id), "breaking")

    def _show_link(self, edge: Association) -> None:
        is_out = edge.source == self._memory.id
        other = edge.target if is_out else edge.source
        text = self.texts.get(other, "another memory")
        name = relation_label(edge.relation)
        with box(tag="li"):
            with box("words"):
                badge(name if is_out else f"it {name} this", title=f"weight {edge.weight:g}")
                link(text, memory_link(self._context, other), "breaking")
            if self._context.may_write:
                self._build_remove_button(edge, text)

    def _build_remove_button(self, edge: Association, text: str) -> None:
        tacit = self._context.tacit

        async def remove() -> None:
            await call_api(tacit.memories.unlink, edge.source, edge.target, edge.relation)

            async def undo() -> None:
                await call_api(
                    tacit.memories.link, edge.source, edge.target, edge.relation, weight=edge.weight
                )
                await self.show()

            with self._graph:
                toast("The link is removed.", undo)
                await report_errors(self.show)()

        button("Remove", remove, ButtonStyle.QUIET, aria_label=f"Remove the link with: {text}")

    def _show_graph(self, graph: Graph) -> None:
        self._graph.clear()
        layout = lay_out_graph(graph, self._memory.id)
        with self._graph:
            with box("spread"):
                add_text("Graph", tag="h2")
                self._depth_control()
            if not layout.edges:
                empty("Nothing around it", "Links that lead to other memories are drawn here.")
                return
            with box("scroll", tabindex="0", role="region", aria_label="Graph around the memory"):
                GraphView(layout, lambda id: memory_link(self._context, id))
            with box("memory-legend", "ul", aria_label="Lines"):
                for relation in layout.relations:
                    with box(tag="li"):
                        box(f"sample {relation}", aria_hidden="true")
                        add_text(relation_label(relation))
            if len(graph.nodes) >= _MAX_NODES:
                add_text(f"The nearest {_MAX_NODES} are drawn.", "quiet", "p")

    def _depth_control(self) -> None:
        async def changed() -> None:
            self._depth = int(control.value)
            with self._links:
                await self.show()

        control = Control(
            ControlKind.SELECT, "How far", self._depth, options=_DEPTHS, on_change=changed
        )

    async def _open_link_dialog(self) -> None:
        shown, inside = dialog("Link with another memory", wide=True)
        with inside:

            async def linked(edge: Association) -> None:
                shown.close()
                await self._after_link(edge)

            async def leave() -> None:
                shown.close()

            LinkSearch(self._context, self._memory, linked)
            with box("actions"):
                button("Close", leave)
        shown.open()

    async def _after_link(self, edge: Association) -> None:
        tacit, ends = self._context.tacit, (edge.source, edge.target, edge.relation)
        before = [each for each in self._edges if (each.source, each.target, each.relation) == ends]

        async def undo() -> None:
            if before:
                await call_api(tacit.memories.link, *ends, weight=before[0].weight)
            else:
                await call_api(tacit.memories.unlink, *ends)
            await self.show()

        with self._graph:
            toast("Linked.", undo)
            await self.show()


_MAX_NAMED_EDGES = 14
"""With more edges, their names would overlap; then only the legend names them."""


class GraphView(Element, component="graph.js"):
    """The graph, with a link at every memory."""

    def __init__(self, layout: GraphLayout, address: Callable[[str], str]) -> None:
        super().__init__()
        self.props["width"] = layout.width
        self.props["height"] = layout.height
        self.props["half"] = [HALF_WIDTH, HALF_HEIGHT]
        self.props["nodes"] = [_node_view(node, address(node.id)) for node in layout.nodes]
        self.props["edges"] = [_edge_view(number, edge) for number, edge in enumerate(layout.edges)]
        self.props["named"] = len(layout.edges) <= _MAX_NAMED_EDGES


def relation_label(relation: str) -> str:
    """A relation in words."""
    return relation.replace("_", " ")


def _node_view(node: GraphNode, address: str) -> dict[str, Any]:
    return {
        "id": node.id,
        "x": node.x,
        "y": node.y,
        "step": node.step,
        "type": str(node.type),
        "label": node.label,
        "content": node.content,
        "address": address,
    }


def _edge_view(number: int, edge: GraphEdge) -> dict[str, Any]:
    name = relation_label(edge.relation)
    return {
        "key": number,
        "x1": edge.start[0],
        "y1": edge.start[1],
        "x2": edge.end[0],
        "y2": edge.end[1],
        "bend": edge.bend,
        "relation": str(edge.relation),
        "name": name,
        "title": f"{edge.source.label} {name} {edge.target.label}",
    }


_MAX_RESULTS = 8
_MAX_RESULT_TEXT = 160
_RELATION_CHOICES = {str(each): relation_label(each).capitalize() for each in Relation}


class LinkSearch:
    """A search for the other memory, with a button at each result; `after` gets the new link."""

    def __init__(
        self, context: PageContext, memory: Memory, after: Callable[[Association], Awaitable[Any]]
    ) -> None:
        self._context = context
        self._memory = memory
        self._after = after
        self._latest = LatestCall()
        self._relation = Control(
            ControlKind.SELECT,
            "Relation",
            str(Relation.RELATED_TO),
            options=_RELATION_CHOICES,
            hint="What this memory is to the other one",
        )
        self._text = Control(
            ControlKind.SEARCH,
            "The other memory",
            "",
            placeholder="What it is about",
            on_change=self._search,
        )
        self._found = box("memory-links", "ul", aria_live="polite")

    async def _search(self) -> None:
        """Search; of overlapping searches, the latest is shown."""
        text = str(self._text.value).strip()
        found = await self._latest.run(self._load_matches(text))
        if found is not None:
            self._show([each for each in found if each.id != self._memory.id], text)

    async def _load_matches(self, text: str) -> Sequence[Memory]:
        """Search, unless the text is empty."""
        return await call_api(search_memories, self._context.tacit, text) if text else ()

    def _show(self, found: Sequence[Memory], text: str) -> None:
        self._found.clear()
        with self._found:
            for each in found:
                with box(tag="li"):
                    add_text(shorten(each.content, _MAX_RESULT_TEXT), "breaking")
                    self._button(each)
            if text and not found:
                add_text("Nothing like that is remembered.", "quiet", "li")

    def _button(self, other: Memory) -> None:
        async def choose() -> None:
            relation = str(self._relation.value)
            link = self._context.tacit.memories.link
            await self._after(await call_api(link, self._memory.id, other.id, relation))

        label = f"Link with: {shorten(other.content, 60)}"
        button("Link", choose, aria_label=label)


def search_memories(tacit: RemoteTacit, text: str) -> Sequence[Memory]:
    """Memories about a text, or else those that contain it."""
    hits = tacit.search(text, max_results=_MAX_RESULTS).hits
    if hits:
        return [hit.memory for hit in hits]
    return tacit.list(contains=text, limit=_MAX_RESULTS)
