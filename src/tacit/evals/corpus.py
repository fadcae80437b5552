"""The data of evaluations: benchmark texts in a store, our own sets in halves, and timings.

Stores are kept between runs, so that a second run takes seconds. Each set of our own has two
halves: one to work with, and one that is only measured.
"""

import gzip
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from tacit.api.tacit import Tacit
from tacit.core.errors import ArchiveError, TacitError
from tacit.core.receipt import Receipt
from tacit.core.vectors import EmbeddingModel
from tacit.embedding.embedder import (
    Embedder,
    QueryTokens,
    TextInContext,
    TokenRows,
    Vectors,
    to_token_embedder,
    token_model_of,
)
from tacit.embedding.registry import shared_embedder
from tacit.runtime.files import cache_folder
from tacit.search.results import SearchResult
from tacit.statements.pair_reading import PairReader

# Benchmark texts in a store


LAYOUT = 3
"""Raised whenever what is written for a benchmark changes."""

STORE_VARIABLE = "TACIT_EVAL_DB"
"""Names a database to keep the texts in instead of a file in the cache folder."""

Progress = Callable[[int, int], None]

DEADLINE_MS = 60_000
"""Turns wait for their memories, so that a busy machine does not change the figures."""

_BATCH = 64
_STANDING = "standing"
"""How a turn finds the rules that it tells whatever is asked."""


@dataclass(frozen=True, slots=True)
class BenchmarkConversation:
    """Memories that are searched together, under a name, and who wrote them."""

    name: str
    drafts: Sequence[Mapping[str, Any]]
    by: str = "import"


class _CachingEmbedder:
    """An embedder with a cache of query vectors, since prompts are asked of many stores.

    Token vectors of queries are kept as well, if the embedder makes them.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._made: dict[str, Any] = {}
        self._made_tokens: dict[str, QueryTokens] = {}

    @property
    def model(self) -> EmbeddingModel:
        """The model of the embedder itself."""
        return self._embedder.model

    @property
    def token_model(self) -> EmbeddingModel | None:
        """The model of the embedder's token vectors."""
        return token_model_of(self._embedder)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Texts are not kept: they are embedded once anyway."""
        return self._embedder.embed(texts)

    def embed_query(self, text: str) -> Any:
        """The vector of a query, from the cache if possible."""
        if text not in self._made:
            self._made[text] = self._embedder.embed_query(text)
        return self._made[text]

    def embed_tokens(self, texts: Sequence[TextInContext]) -> Sequence[TokenRows]:
        """Token vectors of texts, which are not kept either."""
        return to_token_embedder(self._embedder)[0].embed_tokens(texts)

    def embed_query_tokens(self, text: str) -> QueryTokens:
        """The token vectors of a query, from the cache if possible."""
        if text not in self._made_tokens:
            maker, _ = to_token_embedder(self._embedder)
            self._made_tokens[text] = maker.embed_query_tokens(text)
        return self._made_tokens[text]


class _SingleTextEmbedder(_CachingEmbedder):
    """Embeds every text by itself.

    In eight bits a vector depends a little on what else is in its batch, and what a background
    thread finds to do depends on the moment: this way each run gives the same figures.
    """

    def embed(self, texts: Sequence[str]) -> Vectors:
        """The vectors of texts, one after the other."""
        if not texts:
            return super().embed(texts)
        return np.concatenate([super(_SingleTextEmbedder, self).embed([text]) for text in texts])

    def embed_tokens(self, texts: Sequence[TextInContext]) -> Sequence[TokenRows]:
        """The token vectors of texts, one after the other."""
        return [super(_SingleTextEmbedder, self).embed_tokens([text])[0] for text in texts]


def caching_embedder(*, is_repeatable: bool = False) -> Embedder | str:
    """The configured embedder, with a cache of query vectors.

    A repeatable one takes longer and gives the same vectors in whatever order texts arrive.
    """
    embedder = shared_embedder(os.environ.get("TACIT_EMBEDDER") or "minilm")
    if embedder is None:
        return "none"
    return _SingleTextEmbedder(embedder) if is_repeatable else _CachingEmbedder(embedder)


def open_pair_reader() -> PairReader | None:
    """What reads texts together, loaded: who cannot load it would silently go by rules alone."""
    if os.environ.get("TACIT_EMBEDDER") == "none":
        return None
    from tacit.embedding.minilm.pair_reader import SharedPairReader  # its runtime loads slowly

    reader = SharedPairReader()
    reader.read_pairs([("I live in Porto", "I live in Faro")])
    return reader


def check_receipt(receipt: Receipt, *, may_be_late: bool = False) -> Receipt:
    """Return the receipt; raise an error if the turn failed, which would distort the figures."""
    for note in receipt.degraded:
        if "failed" in note or (note.endswith("late") and not may_be_late):
            raise TacitError(f"a turn of the evaluation went wrong: {note}")
    return receipt


def preview_injected(
    tacit: Tacit,
    text: str,
    *,
    session: str = "eval",
    history: Sequence[Any] = (),
    **settings: Any,
) -> tuple[list[str], list[str]]:
    """The memories that a message gets: lines of its own, and standing rules."""
    prepared = tacit.preview(
        session=session, text=text, history=history, deadline_ms=DEADLINE_MS, **settings
    )
    return split_injected(check_receipt(prepared.receipt))


def split_injected(receipt: Receipt) -> tuple[list[str], list[str]]:
    """The memories that a turn injected for what was said, and its standing rules."""
    lines: list[str] = []
    standing: list[str] = []
    for candidate in receipt.injected:
        (standing if candidate.found == _STANDING else lines).append(candidate.memory)
    return lines, standing


def read_benchmark(path: Path) -> bytes:
    """The benchmark's file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise ArchiveError(f"{path}: cannot be read ({error.strerror})") from error


def read_fact_lists(path: Path, *fields: str) -> list[Mapping[str, Any]]:
    """FactConsolidation's lists of facts, at least one; each has the fields that are named."""
    data = read_benchmark(path)
    try:
        lists = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
        lists[0]
        for each in lists:
            for name in fields:
                each[name]
    except (ValueError, LookupError, TypeError, OSError) as error:
        raise ArchiveError(f"{path}: is not FactConsolidation's file ({error!r})") from None
    return list(lists)


def open_conversations(
    data: bytes, conversations: Sequence[BenchmarkConversation], progress: Progress
) -> Iterator[tuple[str, Tacit]]:
    """Each conversation in a workspace of its own, filled where it is not yet."""
    place, prefix = _store_place(data)
    total = sum(len(each.drafts) for each in conversations)
    done = 0
    embedder = caching_embedder()
    for conversation in conversations:
        tacit = Tacit.open(place, prefix + conversation.name, embedder=embedder)
        held = sum(tacit.workspace.stats().counts.by_state.values())
        for start in range(0, len(conversation.drafts), _BATCH):
            batch = conversation.drafts[start : start + _BATCH]
            if start + len(batch) > held:
                tacit.memories.remember_all(batch, by=conversation.by)
            done += len(batch)
            progress(done, total)
        if embedder != "none":
            tacit.archive.embed_missing()
        yield conversation.name, tacit


def _store_place(data: bytes) -> tuple[str | Path, str]:
    """A file named by what it is made of; in a database that is named, its workspaces are."""
    name = f"{hashlib.sha256(data).hexdigest()[:16]}-v{LAYOUT}"
    chosen = os.environ.get(STORE_VARIABLE)
    return (chosen, f"{name}-") if chosen else (cache_folder() / "evals" / f"{name}.db", "")


# Our own sets


class SetHalf(StrEnum):
    """The half of a set; developers have never looked at `held`."""

    DEV = "dev"
    HELD = "held"


def load_entries(name: str, half: SetHalf) -> list[Mapping[str, Any]]:
    """The entries of a set of JSON lines."""
    return [json.loads(line) for line in load_lines(f"{name}_{half}.jsonl")]


def read_entries(path: Path) -> list[Mapping[str, Any]]:
    """The entries of a set in a file of somebody's own."""
    try:
        return [json.loads(line) for line in read_benchmark(path).splitlines() if line.strip()]
    except ValueError as error:
        raise ArchiveError(f"{path}: is no file of JSON lines ({error})") from None


def load_lines(file: str) -> list[str]:
    """The lines of a file among the sets that say something."""
    written = (files("tacit.evals") / "sets" / file).read_text("utf-8")
    return [line for line in written.splitlines() if line.strip()]


# Figures


class Stopwatch:
    """Makes searches and keeps their times."""

    def __init__(self) -> None:
        self._times: list[float] = []

    def search(self, tacit: Tacit, text: str, **settings: object) -> SearchResult:
        """A search, timed as its caller sees it, the query's embedding included."""
        start = time.perf_counter()
        result = tacit.search(text, **settings)  # type: ignore[arg-type]
        self._times.append((time.perf_counter() - start) * 1_000)
        return result

    def summary(self) -> dict[str, float]:
        """The median and the 95th percentile, in milliseconds."""
        return {"p50": quantile(self._times, 0.5), "p95": quantile(self._times, 0.95)}


def quantile(values: Sequence[float], share: float) -> float:
    """The value that a share of all values does not exceed."""
    ordered = sorted(values)
    return round(ordered[min(int(share * len(ordered)), len(ordered) - 1)], 3) if ordered else 0.0


def mean(values: Sequence[float]) -> float:
    """The average, rounded for people."""
    return round(sum(values) / len(values), 4) if values else 0.0


def ratio(part: float, whole: float) -> float:
    """A share, rounded for people; 0 of nothing."""
    return round(part / whole, 4) if whole else 0.0
