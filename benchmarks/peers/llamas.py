"""LlamaIndex: vectors and BM25, fused by reciprocal ranks."""

from collections.abc import Sequence
from pathlib import Path

from llama_index.core import MockEmbedding, VectorStoreIndex
from llama_index.core.llms import MockLLM
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import QueryBundle, TextNode
from llama_index.retrievers.bm25 import BM25Retriever

from benchmarks.peers.peer import Item, Known

_DEEPEST = 20


class LlamaIndex:
    """An index for each namespace, made at once since its BM25 cannot grow."""

    def __init__(self, known: Known, _folder: Path) -> None:
        self._known = known
        self._model = MockEmbedding(embed_dim=len(next(iter(known.values()))))
        self._retrievers: dict[str, QueryFusionRetriever] = {}

    def add(self, namespace: str, items: Sequence[Item]) -> None:
        """Both indexes."""
        nodes = [
            TextNode(id_=item.key, text=item.text, embedding=self._known[item.text].tolist())
            for item in items
        ]
        index = VectorStoreIndex(nodes, embed_model=self._model)
        self._retrievers[namespace] = QueryFusionRetriever(
            [
                index.as_retriever(similarity_top_k=_DEEPEST),
                BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=_DEEPEST),
            ],
            llm=MockLLM(),
            mode="reciprocal_rerank",
            similarity_top_k=_DEEPEST,
            num_queries=1,
            use_async=False,
        )

    def search(self, namespace: str, query: str, count: int) -> list[str]:
        """The best of both."""
        asked = QueryBundle(query, embedding=self._known[query].tolist())
        found = self._retrievers[namespace].retrieve(asked)
        return [each.node.node_id for each in found[:count]]
