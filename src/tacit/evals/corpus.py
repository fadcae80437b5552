"""The texts of a benchmark in a store that is kept, so that a second run takes seconds."""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit.api.tacit import Tacit
from tacit.core.errors import ArchiveError, TacitError
from tacit.core.receipt import Receipt
from tacit.core.vectors import EmbeddingModel
from tacit.embedding.embedder import Embedder, Vectors
from tacit.embedding.registry import shared_embedder
from tacit.runtime.files import cache_folder

LAYOUT = 3
"""Raised whenever what is written for a benchmark changes."""

STORE_VARIABLE = "TACIT_EVAL_DB"
"""Names a database to keep the texts in instead of a file in the cache folder."""

Progress = Callable[[int, int], None]

_BATCH = 64


@dataclass(frozen=True, slots=True)
class Conversation:
    """Memories that are searched together, under a name, and who wrote them."""

    name: str
    drafts: Sequence[Mapping[str, Any]]
    by: str = "import"


class _Recalling:
    """An embedder that makes the vector of each query once: prompts are asked of many stores."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._made: dict[str, Any] = {}

    @property
    def model(self) -> EmbeddingModel:
        """The model of the embedder itself."""
        return self._embedder.model

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Texts are not kept: they are embedded once anyway."""
        return self._embedder.embed(texts)

    def embed_query(self, text: str) -> Any:
        """The vector of a query, made or recalled."""
        if text not in self._made:
            self._made[text] = self._embedder.embed_query(text)
        return self._made[text]


def recalling_embedder() -> Embedder | str:
    """The embedder that the environment names, with its queries recalled."""
    embedder = shared_embedder(os.environ.get("TACIT_EMBEDDER") or "minilm")
    return "none" if embedder is None else _Recalling(embedder)


def sound(receipt: Receipt) -> Receipt:
    """The receipt of a turn that went well; a figure made of failures would be none."""
    for note in receipt.degraded:
        if "failed" in note or note.endswith("late"):
            raise TacitError(f"a turn of the evaluation went wrong: {note}")
    return receipt


def read_bytes(path: Path) -> bytes:
    """The benchmark's file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise ArchiveError(f"{path}: cannot be read ({error.strerror})") from error


def opened(
    data: bytes, conversations: Sequence[Conversation], progress: Progress
) -> Iterator[tuple[str, Tacit]]:
    """Each conversation in a workspace of its own, filled where it is not yet."""
    place, prefix = _place(data)
    total = sum(len(each.drafts) for each in conversations)
    done = 0
    embedder = recalling_embedder()
    for conversation in conversations:
        tacit = Tacit.open(place, prefix + conversation.name, embedder=embedder)
        held = sum(tacit.stats().counts.by_state.values())
        for start in range(0, len(conversation.drafts), _BATCH):
            batch = conversation.drafts[start : start + _BATCH]
            if start + len(batch) > held:
                tacit.remember_all(batch, by=conversation.by)
            done += len(batch)
            progress(done, total)
        yield conversation.name, tacit


def _place(data: bytes) -> tuple[str | Path, str]:
    """A file named by what it is made of; in a database that is named, its workspaces are."""
    name = f"{hashlib.sha256(data).hexdigest()[:16]}-v{LAYOUT}"
    chosen = os.environ.get(STORE_VARIABLE)
    return (chosen, f"{name}-") if chosen else (cache_folder() / "evals" / f"{name}.db", "")
