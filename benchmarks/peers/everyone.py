"""Who takes part."""

from collections.abc import Mapping

from benchmarks.peers.chromas import Chroma
from benchmarks.peers.langgraphs import LangGraph
from benchmarks.peers.llamas import LlamaIndex
from benchmarks.peers.mem0s import Mem0
from benchmarks.peers.peer import Peer
from benchmarks.peers.tacits import TextsOnly, WithOrigin

TACIT = "Tacit"
EVERYONE: Mapping[str, type[Peer]] = {
    TACIT: WithOrigin,
    "mem0": Mem0,
    "LangGraph": LangGraph,
    "chromadb": Chroma,
    "LlamaIndex": LlamaIndex,
}
"""Tacit first; the others in the order of the requirement."""
IN_RECALL: Mapping[str, type[Peer]] = {**EVERYONE, "Tacit, texts only": TextsOnly}
MOST = {"mem0": 10_000}
"""Beyond so many memories somebody takes part only if we are patient."""
