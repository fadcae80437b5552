"""`python -m benchmarks proxy`: what the proxy adds to a request, and what many streams do to it.

The proxy, the provider and, under load, the clients are processes of their own. The library makes
the same turns in this process, on a copy of the same memories.
"""

import json
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from benchmarks.context import Context
from benchmarks.figures import p50_and_p95, seconds
from benchmarks.load.filling import embed, fill
from benchmarks.load.process import serving
from benchmarks.load.statements import questions
from benchmarks.minilm import minilm
from benchmarks.proxy.provider import REPLY
from benchmarks.proxy.streams import measure_streams, watch_memory
from benchmarks.report import Report, Row
from tacit import Tacit
from tacit.embedding.embedder import Embedder

_TURNS = 200
_WARM_UP = 10
_PER_SESSION = 10
_REST = 0.15
"""Seconds in which a turn ends and is learned from, before the next is timed."""

_PATIENT = {"deadline_ms": 60_000}
"""A turn that is cut short by its deadline would flatter either side."""

_ENVIRONMENT = {"TACIT_EMBEDDER": "minilm"}


@dataclass(slots=True)
class _Timed:
    """The seconds of each turn on each side."""

    direct: list[float] = field(default_factory=list)
    proxied: list[float] = field(default_factory=list)
    library: list[float] = field(default_factory=list)
    embedding: list[float] = field(default_factory=list)
    injected: int = 0

    @property
    def added(self) -> list[float]:
        """What the proxy added to each request."""
        return [one - other for one, other in zip(self.proxied, self.direct, strict=True)]

    @property
    def bound(self) -> float:
        """What it may add."""
        return p50_and_p95(self.library)[1] + 2 * p50_and_p95(self.embedding)[0]


def run(context: Context) -> Report:
    """One request at a time, then many streams, then their memory if minutes are asked for."""
    context.say(f"{context.memories:,} memories")
    store, vectors = context.folder / "memory.db", context.folder / "vectors.npy"
    embed(context.memories, vectors, context.say)
    fill(store, context.memories, vectors)
    with _provider() as upstream:
        timed = _one_at_a_time(store, upstream, context)
        with _proxy(_copy(store, "streams"), upstream) as server:
            streams = measure_streams(server, upstream, context.seconds, context.say)
            memory = watch_memory(server, upstream, context.minutes, context.say)
    return Report(
        title=f"The proxy: {context.memories:,} memories",
        columns=("measure", "p50", "p95", "unit"),
        rows=[*_rows(timed), *streams.rows(), *memory.rows()],
        notes=(*_notes(timed), *streams.notes(), *memory.notes()),
    )


@contextmanager
def _provider() -> Iterator[str]:
    with serving([sys.executable, "-m", "benchmarks.proxy.provider"], {}) as server:
        yield server.url


@contextmanager
def _proxy(store: Path, upstream: str, settings: Mapping[str, Any] | None = None) -> Iterator[Any]:
    command = [sys.executable, "-m", "tacit", "proxy", "--upstream", upstream]
    command += ["--port", "0", "--db", str(store), "--log-level", "warning"]
    file = store.with_suffix(".toml")
    lines = [f"{name} = {json.dumps(value)}" for name, value in (settings or {}).items()]
    file.write_text("\n".join(["[defaults.memory_injection]", *lines, ""]), "utf-8")
    with serving(command, {**_ENVIRONMENT, "TACIT_CONFIG": str(file)}) as server:
        yield server


def _copy(store: Path, name: str) -> Path:
    return Path(shutil.copy(store, store.with_name(f"{name}.db")))


# One request at a time


def _one_at_a_time(store: Path, upstream: str, context: Context) -> _Timed:
    """Ask each question of every side, one side after the other."""
    asked = [text for _, text in questions(1, _TURNS + _WARM_UP)]
    timed, embedder = _Timed(), minilm()
    with (
        _proxy(_copy(store, "proxied"), upstream, _PATIENT) as server,
        httpx2.Client(base_url=upstream, timeout=120, trust_env=False) as direct,
        httpx2.Client(base_url=server.url, timeout=120, trust_env=False) as proxied,
        Tacit.open(_copy(store, "library"), embedder=embedder) as tacit,
    ):
        tacit.warm()
        _converse(asked[:_WARM_UP], "warm-up", _Sides(direct, proxied, tacit, embedder), _Timed())
        for start in range(0, _TURNS, _PER_SESSION):
            context.say(f"one at a time: {start} of {_TURNS}")
            texts = asked[_WARM_UP + start : _WARM_UP + start + _PER_SESSION]
            _converse(texts, f"s-{start}", _Sides(direct, proxied, tacit, embedder), timed)
    return timed


@dataclass(frozen=True, slots=True)
class _Sides:
    """Whom a question is asked of."""

    direct: httpx2.Client
    proxied: httpx2.Client
    tacit: Tacit
    embedder: Embedder


def _converse(texts: Sequence[str], session: str, sides: _Sides, timed: _Timed) -> None:
    """A session: its client sends what was said, without blocks; the library's has them."""
    said: list[Any] = []
    history: list[Any] = []
    for text in texts:
        said.append({"role": "user", "content": text})
        timed.embedding.append(seconds(lambda text=text: sides.embedder.embed_query(text)))
        timed.direct.append(_time_to_first_byte(sides.direct, said, session))
        begun = time.perf_counter()
        asked = {"session": session, "history": history, "text": text}
        turn = sides.tacit.turn(**asked, **_PATIENT, cache_policy="tokens")
        timed.library.append(time.perf_counter() - begun)
        turn.commit(REPLY)
        history = turn.history
        time.sleep(_REST)
        timed.proxied.append(_time_to_first_byte(sides.proxied, said, session))
        timed.injected += bool(turn.receipt.injected)
        said.append({"role": "assistant", "content": REPLY})
        time.sleep(_REST)


def _time_to_first_byte(http: httpx2.Client, said: Sequence[Any], session: str) -> float:
    body = {"model": "fake", "max_tokens": 100, "stream": True, "messages": said}
    headers = {"Tacit-Session": session, "anthropic-version": "2023-06-01"}
    begun = time.perf_counter()
    with http.stream("POST", "/v1/messages", json=body, headers=headers) as answered:
        answered.raise_for_status()
        pieces = answered.iter_raw()
        next(pieces)
        taken = time.perf_counter() - begun
        for _ in pieces:
            pass
    return taken


def _rows(timed: _Timed) -> list[Row]:
    sides: Mapping[str, Sequence[float]] = {
        "first byte, direct": timed.direct,
        "first byte, proxy": timed.proxied,
        "added by the proxy": timed.added,
        "turn in the library": timed.library,
        "embedding the message": timed.embedding,
    }
    milliseconds: Callable[[float], float] = (1e3).__mul__
    return [(name, *map(milliseconds, p50_and_p95(each)), "ms") for name, each in sides.items()]


def _notes(timed: _Timed) -> tuple[str, ...]:
    bound, added = timed.bound, p50_and_p95(timed.added)[1]
    whole = p50_and_p95(timed.proxied)[1]
    return (
        f"One request at a time: {_TURNS} turns in sessions of {_PER_SESSION}, whose history grows;"
        f" {timed.injected} of them show memories. No deadline cuts a turn short.",
        f"{_verdict(added <= bound)}: added by the proxy, p95: {1e3 * added:.3g} ms; the turn's p95"
        f" and twice the embedding: {1e3 * bound:.3g} ms",
        f"{_verdict(whole <= bound)}: first byte through the proxy, p95: {1e3 * whole:.3g} ms; the"
        f" same bound",
    )


def _verdict(is_met: bool) -> str:
    return "met" if is_met else "MISSED"
