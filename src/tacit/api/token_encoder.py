"""Token codes of memories: made behind what was said before, after the write has returned.

What waits is in the store, so nothing is lost when a process ends, and any process goes on. All
encoding of a process is done by one thread, a portion of a workspace at a time, so that a large
workspace does not hold up what was just written to another.
"""

import logging
import random
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TypeVar

from tacit.core.errors import EmbedderFailed, StoreClosed
from tacit.core.memory import Memory
from tacit.core.vectors import EmbeddingModel
from tacit.embedding.embedder import Embedder, TextInContext, embed_tokens, token_model_of
from tacit.embedding.token_codes import pack_tokens
from tacit.runtime.workers import Deadline, Worker
from tacit.store.journal import context_of
from tacit.store.protocols.store import Store, UnitOfWork

Result = TypeVar("Result")

TokenEmbedderChoice = Callable[[], Embedder | None]
"""The embedder that makes tokens as the settings are now; None if there is none or they say off."""

_AT_ONCE = 8
"""Texts that are encoded before it looks whether the process ends: half a second on a slow core."""

_PORTION = 64
"""Memories of a workspace that are encoded before another workspace has its turn."""

_MOST_UNUSABLE = 1_000

_log = logging.getLogger("tacit")


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A memory to encode, the memories it is encoded behind, and the texts of all of them."""

    id: str
    context: tuple[str, ...]
    said: TextInContext


class TokenEncoder:
    """Makes the token codes that the memories of a workspace lack; used on one thread."""

    def __init__(self, store: Store, workspace: str, choose_embedder: TokenEmbedderChoice) -> None:
        self._store = store
        self._workspace = workspace
        self._choose_embedder = choose_embedder
        self._encoded_up_to: tuple[EmbeddingModel, int] | None = None
        """A revision up to which every memory has codes of a model."""
        self._unusable: dict[str, TextInContext] = {}
        """Texts whose tokens cannot be used; they are not tried again until they change."""

    def count_missing(self) -> int:
        """How many memories lack codes of the embedder's tokens."""
        embedder = self._choose_embedder()
        model = None if embedder is None else token_model_of(embedder)
        if model is None:
            return 0
        with self._store.read(self._workspace) as unit:  # to count all takes longer than to look
            return unit.token_codes.lacking(model) if self._find_missing(unit, model) else 0

    def encode_some(self, is_over: Callable[[], bool], made: Callable[[int], None]) -> bool:
        """Encode a portion of the memories that lack codes; returns whether to go on.

        It stops once `is_over`, and calls `made` with the number of codes that were stored.
        """
        embedder = self._choose_embedder()
        model = None if embedder is None else token_model_of(embedder)
        if embedder is None or model is None:
            return False
        with self._store.read(self._workspace) as unit:
            revision = unit.revision()
            waiting = self._find_missing(unit, model)
        if not waiting:
            self._encoded_up_to = (model, revision)
            return False
        is_some = False
        for batch in _shuffled_batches(waiting):
            if is_over():
                return False
            lacking = self._leave_encoded(batch, model)
            count, left_out = self._encode(embedder, model, lacking) if lacking else (0, 0)
            made(count)
            is_some |= count + left_out > 0 or len(lacking) < len(batch)
        return is_some

    def _leave_encoded(self, batch: Sequence[_Waiting], model: EmbeddingModel) -> list[_Waiting]:
        """Leave out what another process has encoded meanwhile."""
        with self._store.read(self._workspace) as unit:
            held = unit.token_codes.get([each.id for each in batch], model)
        return [each for each in batch if each.id not in held]

    def _find_missing(self, unit: UnitOfWork, model: EmbeddingModel) -> list[_Waiting]:
        known = self._encoded_up_to
        since = known[1] if known is not None and known[0] == model else 0
        ids = unit.token_codes.missing(model, _PORTION + len(self._unusable), since)
        found = _load_waiting(unit, ids)
        return [each for each in found if self._unusable.get(each.id) != each.said]

    def _encode(
        self, embedder: Embedder, model: EmbeddingModel, waiting: Sequence[_Waiting]
    ) -> tuple[int, int]:
        """Encode a batch; returns how many were stored, and how many cannot be.

        What changed meanwhile is neither: it is found again.
        """
        _, vectors = embed_tokens(embedder, [each.said for each in waiting])
        with self._store.write(self._workspace) as unit:
            now = {each.id: each for each in _load_waiting(unit, [each.id for each in waiting])}
            fresh = [
                (each, tokens)
                for each, tokens in zip(waiting, vectors, strict=True)
                if tokens is not None and now.get(each.id) == each
            ]
            for each, tokens in fresh:
                unit.token_codes.put(each.id, model, pack_tokens(tokens), each.context)
        unusable = [each for each, tokens in zip(waiting, vectors, strict=True) if tokens is None]
        self._leave_out(unusable, model)
        return len(fresh), len(unusable)

    def _leave_out(self, unusable: Sequence[_Waiting], model: EmbeddingModel) -> None:
        if len(self._unusable) + len(unusable) > _MOST_UNUSABLE:
            raise EmbedderFailed(
                f"{model.name}: made no {model.dims} finite numbers for the tokens of"
                f" {_MOST_UNUSABLE:,} texts; check the embedder"
            )
        self._unusable |= {each.id: each.said for each in unusable}


def _shuffled_batches(waiting: Sequence[_Waiting]) -> Iterator[Sequence[_Waiting]]:
    """Batches in an order of this process, so that several processes rarely encode the same."""
    starts = list(range(0, len(waiting), _AT_ONCE))
    for start in random.sample(starts, len(starts)):
        yield waiting[start : start + _AT_ONCE]


def _load_waiting(unit: UnitOfWork, ids: Sequence[str]) -> list[_Waiting]:
    """Memories with their context, as they are now, in the order of the ids."""
    memories = unit.memories.get(ids)
    contexts = {id: context_of(unit, memory) for id, memory in memories.items()}
    around = unit.memories.get(list({each for ids in contexts.values() for each in ids}))
    return [
        _Waiting(
            id, contexts[id], TextInContext(_spoken(memories[id]), _texts(contexts[id], around))
        )
        for id in ids
        if id in memories
    ]


def _texts(ids: Sequence[str], memories: dict[str, Memory]) -> tuple[str, ...]:
    return tuple(_spoken(memories[id]) for id in ids if id in memories)


def _spoken(memory: Memory) -> str:
    return memory.origin.spoken(memory.content)


# In the background


_GATHER_SECONDS = 0.2
"""Seconds to wait for more writes, so that they are encoded together; also a pause for others."""

_START_SECONDS = 10.0
"""Seconds that a process must live before it encodes what earlier ones left."""

_MOST_WORKSPACES = 2_000


class EncodingWorker:
    """The thread that encodes for all workspaces of a store; it is idle without an embedder."""

    def __init__(self, store: Store, choose_embedder: TokenEmbedderChoice, is_idle: bool) -> None:
        self._store = store
        self._is_idle = is_idle
        self._choose_embedder = choose_embedder
        self._worker = Worker("tacit-encoding")
        self._lock = threading.Lock()
        self._workspaces: OrderedDict[str, BackgroundEncoding] = OrderedDict()
        self._opened: list[BackgroundEncoding] = []
        self._start: threading.Timer | None = None
        self._has_started = False
        self.closing = threading.Event()

    def workspace(self, name: str) -> "BackgroundEncoding":
        """The encoding of a workspace; recent ones know how far they came."""
        with self._lock:
            found = self._workspaces.pop(name, None)
            if found is None:
                encoder = TokenEncoder(self._store, name, self._choose_embedder)
                found = BackgroundEncoding(encoder, self)
            self._workspaces[name] = found
            if len(self._workspaces) > _MOST_WORKSPACES:
                self._workspaces.popitem(last=False)
            return found

    @property
    def is_over(self) -> bool:
        """Whether nothing more is begun."""
        return self._is_idle or self.closing.is_set()

    def submit(self, work: Callable[[], Result]) -> "Future[Result]":
        """Do a portion of work after those that wait; StoreClosed if it is closed."""
        with self._lock:
            if self.closing.is_set():
                raise StoreClosed("the store was closed; open it again")
            return self._worker.submit(work)

    def start_later(self, encoding: "BackgroundEncoding") -> None:
        """Look what a workspace lacks, but not in the first seconds of a process."""
        with self._lock:
            if self.is_over:
                return
            if self._start is None:
                self._start = threading.Timer(_START_SECONDS, self._start_opened)
                self._start.daemon = True
                self._start.start()
            if not self._has_started:
                self._opened.append(encoding)
                return
        encoding.schedule()

    def close(self, deadline: Deadline) -> None:
        """Stop after the texts that are being encoded, if the deadline allows it."""
        with self._lock:
            self.closing.set()
            if self._start is not None:
                self._start.cancel()
        if self._start is not None:
            self._start.join(deadline.seconds)
        self._worker.close(deadline.seconds)

    def _start_opened(self) -> None:
        with self._lock:
            self._has_started = True
            opened, self._opened = self._opened, []
        for encoding in opened:
            encoding.schedule()


class BackgroundEncoding:
    """Encodes what one workspace lacks on the worker that all workspaces share."""

    def __init__(self, encoder: TokenEncoder, worker: EncodingWorker) -> None:
        self._encoder = encoder
        self._worker = worker
        self._lock = threading.Lock()
        self._next: Future[bool] | None = None
        self._due = 0.0
        self._pauses = 0
        self._is_opened = False

    def open(self) -> None:
        """Take up what earlier processes left, if this one lives long enough."""
        with self._lock:
            is_first, self._is_opened = not self._is_opened, True
        if is_first:
            self._worker.start_later(self)

    def schedule(self) -> None:
        """Encode soon what lacks codes: something was written."""
        with self._lock:
            if self._next is None and not self._worker.is_over:
                self._due = time.monotonic() + _GATHER_SECONDS
                with suppress(StoreClosed):
                    self._next = self._worker.submit(self._encode_soon)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Leave all to `fill_missing` meanwhile, so that it knows how many there are."""
        with self._lock:
            self._pauses += 1
        try:
            yield
        finally:
            with self._lock:
                self._pauses -= 1
            self.schedule()

    def count_missing(self) -> int:
        """How many memories lack codes, after what is being encoded."""
        return self._worker.submit(self._encoder.count_missing).result()

    def fill_missing(self, made: Callable[[int], None]) -> None:
        """Encode all that lack codes, and wait for it; `made` is called with how many were made.

        Other workspaces have their turns in between. It ends early when the worker is closed.
        """
        is_over = self._worker.closing.is_set
        while not is_over():
            some = self._worker.submit(lambda: self._encoder.encode_some(is_over, made))
            if not some.result():
                return

    def encode_newest(self) -> None:
        """Encode a portion of what lacks codes, the newest first, and wait for it."""
        if not self._worker.is_over:
            with suppress(StoreClosed):
                self._worker.submit(self._encode_portion).result()

    def _encode_soon(self) -> bool:
        is_over = self._worker.closing.is_set
        self._worker.closing.wait(max(self._due - time.monotonic(), 0.0))
        with self._lock:
            self._next = None
            is_paused = self._pauses > 0
        if is_paused or is_over():
            return False
        is_some = self._encode_portion()
        if is_some:
            self.schedule()
        return is_some

    def _encode_portion(self) -> bool:
        """Encode a portion, the newest first; returns whether to go on."""
        try:
            return self._encoder.encode_some(self._worker.closing.is_set, lambda _: None)
        except StoreClosed:
            _log.debug("tokens are encoded next time: the store was closed")
            return False
        except Exception as error:  # they stay missing; the next write tries again
            _log.warning("kept without tokens: %s", error)
            return False
