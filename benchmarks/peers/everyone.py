"""Who takes part."""

from collections.abc import Mapping, Sequence

from benchmarks.peers.chromas import Chroma
from benchmarks.peers.langgraphs import LangGraph
from benchmarks.peers.llamas import LlamaIndex
from benchmarks.peers.mem0s import Mem0, Mem0OnPostgres
from benchmarks.peers.peer import Peer
from benchmarks.peers.tacits import (
    OnPostgres,
    TextsOnlyByMiniLM,
    WithOrigin,
    WithOriginByMiniLM,
)

TACIT = "Tacit"
TACIT_ON_POSTGRES, MEM0_ON_POSTGRES = "Tacit on PostgreSQL", "mem0 on pgvector"
EVERYONE: Mapping[str, type[Peer]] = {
    TACIT: WithOrigin,
    "mem0": Mem0,
    "LangGraph": LangGraph,
    "chromadb": Chroma,
    "LlamaIndex": LlamaIndex,
}
"""Tacit first; the others in the order of the requirement."""
ON_POSTGRES: Mapping[str, type[Peer]] = {
    TACIT_ON_POSTGRES: OnPostgres,
    MEM0_ON_POSTGRES: Mem0OnPostgres,
}
"""Both in one server, where there is one."""


def participants(*, postgres: bool, only: Sequence[str] | None) -> dict[str, type[Peer]]:
    """Tacit, and everyone else or those that are named."""
    everyone = {**EVERYONE, **(ON_POSTGRES if postgres else {})}
    tacits = (TACIT, TACIT_ON_POSTGRES)
    return {
        name: kind
        for name, kind in everyone.items()
        if only is None or name in only or name in tacits
    }


IN_RECALL: Mapping[str, type[Peer]] = {
    **EVERYONE,
    TACIT: WithOriginByMiniLM,
    "Tacit, texts only": TextsOnlyByMiniLM,
}
"""Everyone has the same vectors of texts; Tacit reads those of tokens from the same network."""
MOST = {"mem0": 10_000, MEM0_ON_POSTGRES: 10_000}
"""Beyond so many memories somebody takes part only if we are patient."""
