"""Finding: the documents that matter for a text, and of each the passage that says most."""

from collections.abc import Sequence
from dataclasses import dataclass

from tacit.core.memory import Memory
from tacit.grounding.clipping import clipped
from tacit.grounding.documents.chunks import lines_of, reader_of
from tacit.grounding.documents.indexing import text_of
from tacit.grounding.documents.values import Excerpt
from tacit.language.terms import extract_query_terms, extract_terms
from tacit.search.results import Hit

_WEIGHTS = {"dense": 1.0, "lexical": 0.4, "session": 1.0, "neighbours": 0.4}
"""How much each part of a hit's score counts here; conversations are ranked by other weights."""

_RELEVANCE = 0.2


@dataclass(frozen=True, slots=True)
class Page:
    """A document that was found: its score, and its chunks, best first."""

    path: str
    score: float
    hits: tuple[Hit, ...]

    @property
    def shown(self) -> Memory:
        """The best chunk that says more than headings, if there is one."""
        memories = [hit.memory for hit in self.hits]
        return next((each for each in memories if not each.metadata["is_bare"]), memories[0])

    @property
    def sha256(self) -> str:
        """What the file held when it was indexed."""
        return str(self.hits[0].memory.metadata["sha256"])


def pages_of(hits: Sequence[Hit]) -> list[Page]:
    """Chunks by their documents, best first; a document counts as much as its best chunk.

    What the others say is in that already, by the parts for the session and the neighbours.
    """
    together: dict[str, list[Hit]] = {}
    for hit in hits:
        together.setdefault(hit.memory.scope_id, []).append(hit)
    pages = [_page(path, own) for path, own in together.items()]
    return sorted(pages, key=lambda page: (-page.score, page.path))


def excerpt_of(page: Page, text: str, most_bytes: int) -> Excerpt | None:
    """The passage of a document that says most about a text; None where there is no room for it."""
    memory = page.shown
    first, last = memory.metadata["lines"]
    offset, passage = _passage(memory, text, most_bytes)
    if not passage.strip():
        return None
    begin = first + offset
    return Excerpt(
        source=memory.metadata["source"],
        path=page.path,
        headings=tuple(memory.metadata["headings"]),
        first_line=begin,
        last_line=min(begin + passage.rstrip().count("\n"), last),
        text=passage,
        score=page.score,
        sha256=page.sha256,
    )


def _page(path: str, hits: Sequence[Hit]) -> Page:
    ordered = sorted(hits, key=_value, reverse=True)
    return Page(path, _value(ordered[0]), tuple(ordered))


def _value(hit: Hit) -> float:
    parts = sum(weight * hit.parts.get(name, 0.0) for name, weight in _WEIGHTS.items())
    return parts + _RELEVANCE * hit.relevance


def _passage(memory: Memory, text: str, most_bytes: int) -> tuple[int, str]:
    """Where in a chunk the best passage begins, in lines, and the passage."""
    whole = text_of(memory.content)
    if len(whole.encode()) <= most_bytes:
        return 0, whole
    asked = {each for term in extract_query_terms(text) for each in term.alternatives}
    lines = lines_of(whole)
    best, told = (0, ""), -1.0
    for block in reader_of(memory.scope_id, lines)(lines):
        passage = clipped("\n".join(lines[block.first :]), bytes=most_bytes)
        found = extract_terms(passage)
        value = len(asked & set(found)) + sum(each in asked for each in found) / (len(found) + 1)
        if value > told:
            best, told = (block.first, passage), value
    return best
