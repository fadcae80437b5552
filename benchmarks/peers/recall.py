"""How much of LoCoMo's evidence everyone finds, by the same vectors."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from benchmarks.context import Say
from benchmarks.minilm import minilm
from benchmarks.peers.everyone import IN_RECALL
from benchmarks.peers.locomo import Conversation, read
from benchmarks.peers.peer import Floats, Known, Peer
from tacit.embedding.embedder import Embedder

DEPTHS = (5, 10, 20)


def measure(data: Path, folder: Path, say: Say) -> dict[str, dict[int, float]]:
    """Each conversation is a namespace; recall is averaged over questions."""
    conversations = read(data)
    say("LoCoMo: embedding")
    known = _known(conversations)
    found = {}
    for name, kind in IN_RECALL.items():
        say(f"LoCoMo: {name}")
        own = folder / f"{name}-locomo"
        own.mkdir()
        found[name] = _recall(kind(known, own), conversations)
    return found


def _recall(peer: Peer, conversations: Sequence[Conversation]) -> dict[int, float]:
    shares: Mapping[int, list[float]] = {depth: [] for depth in DEPTHS}
    for conversation in conversations:
        peer.add(conversation.name, conversation.items)
    for conversation in conversations:
        for question, gold in conversation.questions:
            keys = peer.search(conversation.name, question, max(DEPTHS))
            for depth in DEPTHS:
                shares[depth].append(len(gold & set(keys[:depth])) / len(gold))
    return {depth: sum(each) / len(each) for depth, each in shares.items()}


def _known(conversations: Sequence[Conversation]) -> Known:
    embedder = minilm()
    texts = [item.text for each in conversations for item in each.items]
    known: Known = dict(zip(texts, _embedded(embedder, texts), strict=True))
    for conversation in conversations:
        for question, _ in conversation.questions:
            known[question] = _array(embedder.embed_query(question))
    return known


def _embedded(embedder: Embedder, texts: Sequence[str]) -> list[Floats]:
    return [_array(vector) for vector in embedder.embed(texts)]


def _array(vector: object) -> Floats:
    return np.asarray(vector, np.float32)
