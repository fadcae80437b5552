"""`python -m benchmarks proxy_cache`: what blocks cost the prompt cache of a long session.

The client is a coding agent that keeps its history without blocks. Its real requests go through the
real proxy; the provider compares each with the one before it. The library holds the same
conversation with the blocks in its history.
"""

import json
import logging
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from benchmarks.context import Context
from benchmarks.load.filling import embed, fill
from benchmarks.load.process import serving
from benchmarks.proxy.conversation import (
    CALLS,
    TURNS,
    Asked,
    Bill,
    Json,
    PrefixCache,
    Script,
    choose_questions,
    steps,
    write_script,
)
from benchmarks.proxy.provider import provider_on_thread
from benchmarks.report import Report, Row
from tacit import Receipt, Tacit

_MEMORIES = 2_000
_CACHED_PRICE = 0.1
_PATIENT = {"deadline_ms": 60_000}
_PRICED = 1e6

OFF = "no memory"


@dataclass(frozen=True, slots=True)
class Way:
    """A way to hold blocks in a history; `proxied` or in the library."""

    name: str
    settings: Mapping[str, Any]
    proxied: bool = True


WAYS = (
    Way("proxy, tokens (its default)", {}),
    Way("proxy, cap", {"cache_policy": "cap"}),
    Way("proxy, prefix", {"cache_policy": "prefix"}),
    Way("library, tokens", {"cache_policy": "tokens"}, proxied=False),
    Way("library, cap (its default)", {"cache_policy": "cap"}, proxied=False),
    Way("library, prefix", {"cache_policy": "prefix"}, proxied=False),
)


@dataclass(slots=True)
class Course:
    """What one conversation cost, and what memory did in it."""

    bill: Bill
    in_view: int = 0
    injected: int = 0
    again: int = 0
    removals: int = 0

    def row(self, name: str) -> Row:
        """It in figures."""
        cost = self.bill.cost(_CACHED_PRICE) / _PRICED
        seen = self.in_view / TURNS if self.injected else None
        share = 100 * self.bill.share
        sent = self.bill.sent / _PRICED
        return name, share, sent, cost, self.injected, self.again, self.removals, seen


def run(context: Context) -> Report:
    """One conversation for each way, in the same words."""
    limits = context.block_tokens
    ways = [*WAYS, *(Way(f"proxy, {n:,} tokens", {"history_block_tokens": n}) for n in limits)]
    store = context.folder / "memory.db"
    vectors = context.folder / "vectors.npy"
    embed(_MEMORIES, vectors, context.say)
    fill(store, _MEMORIES, vectors)
    asked, script = choose_questions(_MEMORIES), write_script()
    rows = [_without_memory(asked, script).row(OFF)]
    for number, way in enumerate(ways):
        context.say(f"{way.name} ({number + 1} of {len(ways)})")
        folder = context.folder / str(number)
        folder.mkdir()
        shutil.copy(store, folder / "memory.db")
        hold = _through_proxy if way.proxied else _in_library
        rows.append(hold(folder / "memory.db", way, asked, script).row(way.name))
    return Report(
        title=f"Prompt cache: {TURNS} turns of {CALLS} calls, {_MEMORIES:,} memories",
        columns=(
            *("policy", "cached, %", "sent, M tokens", "cost, M tokens"),
            *("injected", "again", "removals", "in view"),
        ),
        rows=rows,
        notes=(
            "Cached: what a request and the one before it begin with alike, in tokens.",
            f"Cost: what was sent, if a cached token costs {_CACHED_PRICE:g} of another.",
            "Again: memories that were injected although the session had been shown them before.",
            "Removals: turns in which blocks left the history.",
            "In view: the share of questions whose answer stood in the request.",
        ),
    )


def _without_memory(asked: Sequence[Asked], script: Script) -> Course:
    cache, messages = PrefixCache(), list[Json]()
    for turn, each in enumerate(asked):
        messages.append({"role": "user", "content": each.question})
        for said, sent in steps(script, turn):
            cache.read(script.fixed, messages)
            messages += [said] if sent is None else [said, sent]
    return Course(cache.bill)


# Through the proxy


def _through_proxy(store: Path, way: Way, asked: Sequence[Asked], script: Script) -> Course:
    cache, replies = PrefixCache(), iter(script.replies)
    last: list[Json] = []

    def answer(body: Json) -> Json:
        last[:] = body["messages"]
        cache.read({name: body[name] for name in script.fixed}, body["messages"])
        return next(replies)

    course = Course(cache.bill)
    environment = {"TACIT_EMBEDDER": "minilm", "TACIT_CONFIG": str(_write_settings(store, way))}
    with provider_on_thread(answer) as upstream:
        command = [sys.executable, "-m", "tacit", "proxy", "--upstream", upstream]
        command += ["--port", "0", "--db", str(store), "--log-level", "warning"]
        with serving(command, environment) as server:
            _hold(server.url, asked, script, last, course)
    with Tacit.open(store, embedder="none") as tacit:
        (session,) = (each for each in tacit.sessions.list() if each.turns)
        _count(course, tacit.turns.list(session=session.id, limit=2 * TURNS)[::-1])
    return course


def _write_settings(store: Path, way: Way) -> Path:
    file = store.with_name("tacit.toml")
    settings = {**_PATIENT, **way.settings}
    lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    file.write_text("\n".join(["[defaults.memory_injection]", *lines, ""]), "utf-8")
    return file


def _hold(
    url: str, asked: Sequence[Asked], script: Script, last: list[Json], course: Course
) -> None:
    """Be the client: it sends all that was said, and never a block."""
    messages: list[Json] = []
    with httpx2.Client(base_url=url, timeout=120, trust_env=False) as http:
        for turn, each in enumerate(asked):
            messages.append({"role": "user", "content": each.question})
            for number, (said, sent) in enumerate(steps(script, turn)):
                body = {**script.fixed, "messages": messages}
                http.post("/v1/messages", json=body).raise_for_status()
                course.in_view += not number and _is_in_view(each, last)
                messages += [said] if sent is None else [said, sent]


# In the library


def _in_library(store: Path, way: Way, asked: Sequence[Asked], script: Script) -> Course:
    cache, history = PrefixCache(), list[Any]()
    course, receipts = Course(cache.bill), []
    settings = {**_PATIENT, **way.settings}
    with Tacit.open(store, embedder="minilm") as tacit:
        for turn, each in enumerate(asked):
            made = tacit.turn(session="s", history=history, text=each.question, **settings)
            course.in_view += _is_in_view(each, made.messages)
            later: list[Json] = []
            for said, sent in steps(script, turn):
                cache.read(script.fixed, [*made.messages, *later])
                later += [said] if sent is None else [said, sent]
            made.commit(later)
            history = made.history
            receipts.append(made.receipt)
    _count(course, receipts)
    return course


# What memory did


def _is_in_view(asked: Asked, messages: Sequence[Any]) -> bool:
    return asked.statement in json.dumps(messages, ensure_ascii=False)


def _count(course: Course, receipts: Sequence[Receipt]) -> None:
    seen: set[str] = set()
    gone: set[str] = set()
    for receipt in receipts:
        ids = [each.memory for each in receipt.injected]
        course.injected += len(ids)
        course.again += sum(id in seen for id in ids)
        course.removals += bool(set(receipt.pruned) - gone)
        gone |= set(receipt.pruned)
        seen |= set(ids)


logging.getLogger("tacit").setLevel(logging.ERROR)  # that there is no model is meant at the end
