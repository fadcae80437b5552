"""Vectors of questions that were asked before: a conversation comes back to its own words."""

from collections import OrderedDict
from collections.abc import Callable

from tacit.embedding.embedder import Embedder, embed_query
from tacit.search.ranking.arrays import Floats


class Recalled:
    """The last so many, by their text; used on one thread."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[str, Floats] = OrderedDict()

    def embedding(self, embedder: Embedder) -> Callable[[str], Floats]:
        """Embeds a text, or recalls its vector."""

        def embed(text: str) -> Floats:
            if text not in self._held:
                self._held[text] = embed_query(embedder, text)
            self._held.move_to_end(text)
            while len(self._held) > self._most:
                self._held.popitem(last=False)
            return self._held[text]

        return embed
