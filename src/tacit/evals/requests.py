"""Requests in many languages: what a turn injects for those that need a memory, and the others.

One person tells the same facts in each language. Requests come in the language of the memories, in
one of two languages of a store, and in another one than all memories.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Any

from tacit.api.tacit import Tacit
from tacit.core.errors import ArchiveError
from tacit.embedding.embedder import Embedder
from tacit.evals.corpus import (
    DEADLINE_MS,
    Progress,
    caching_embedder,
    preview_injected,
    ratio,
    read_benchmark,
)

RELEVANT, IRRELEVANT = "relevant", "irrelevant"
"""Requests that one memory answers, by its name, and requests that need none."""

_START = datetime(2026, 2, 2, 9, tzinfo=UTC)


class StoreKind(StrEnum):
    """In which languages the memories of a store are, seen from the requests."""

    ONE = "one language"
    SAID = "one language, said"
    TWO = "two languages"
    ACROSS = "across"


@dataclass(frozen=True, slots=True)
class RequestSet:
    """Memories and requests by language and name, and which languages the model was taught."""

    languages: Mapping[str, Mapping[str, Mapping[str, str]]]
    taught: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Store:
    """Memories by name, the language of each, and the languages of the requests."""

    kind: StoreKind
    memories: Mapping[str, str]
    told: Mapping[str, str]
    asked: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Result:
    """The names of the memories that one request got."""

    kind: StoreKind
    asked: str
    told: str
    """The language of the memory that answers; for requests that need none, most of the store's."""
    group: str
    name: str
    lines: Sequence[str]
    standing: Sequence[str]

    @property
    def is_spoken(self) -> bool:
        return bool(self.lines)

    @property
    def is_answered(self) -> bool:
        return self.name in (*self.lines, *self.standing)

    @property
    def is_failure(self) -> bool:
        return self.is_spoken if self.group == IRRELEVANT else not self.is_answered

    def describe(self) -> str:
        """The request, where it was asked, and what it got."""
        got = ", ".join((*self.lines, *(f"{name} (standing)" for name in self.standing)))
        return (
            f"{self.group} {self.name}: {self.kind}, asked in {self.asked}, told in {self.told}, "
            f"got {got or 'nothing'}"
        )


@dataclass(slots=True)
class _Clock:
    """The time of a store, set by hand."""

    now: datetime = field(default=_START)

    def __call__(self) -> datetime:
        return self.now


def evaluate_requests(path: Path | None, progress: Progress) -> dict[str, Any]:
    """What turns inject with default settings in fresh sessions, by language and kind of store.

    Standing rules count for relevant requests, and are no lines of irrelevant ones.
    """
    requests = load_requests() if path is None else _parse_requests(path)
    embedder = caching_embedder(is_repeatable=True)
    stores = list(_plan_stores(requests))
    results: list[_Result] = []
    for number, store in enumerate(stores, start=1):
        results += _ask_store(requests, store, embedder)
        progress(number, len(stores))
    return {
        "requests": len(results),
        "summary": _summarize(requests, results),
        "languages": {name: _count(results, name) for name in requests.languages},
        "across": _by_pair(requests, results),
        "failures": [result.describe() for result in results if result.is_failure],
    }


# The set


def load_requests() -> RequestSet:
    """Our own set."""
    return _to_set(json.loads((files("tacit.evals") / "sets" / "requests.json").read_bytes()))


def _parse_requests(path: Path) -> RequestSet:
    try:
        requests = _to_set(json.loads(read_benchmark(path)))
        for name in requests.taught:
            requests.languages[name]
        for language in requests.languages.values():
            language[IRRELEVANT].items()
            for name in language[RELEVANT]:
                language["memories"][name]
            for other in requests.languages.values():
                for name in language["memories"]:
                    other["memories"][name]
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ArchiveError(f"{path}: is not a file of requests ({error!r})") from None
    return requests


def _to_set(data: Mapping[str, Any]) -> RequestSet:
    return RequestSet(data["languages"], data["taught"])


def _plan_stores(requests: RequestSet) -> Iterator[_Store]:
    for asked in requests.languages:
        yield _plan_store(requests, StoreKind.ONE, asked, [asked])
        yield _plan_store(requests, StoreKind.SAID, asked, [asked])
        if other := _find_other(requests, asked):
            yield _plan_store(requests, StoreKind.TWO, asked, [asked], other)
    for told in requests.taught:
        others = [name for name in requests.taught if name != told]
        yield _plan_store(requests, StoreKind.ACROSS, told, others)


def _find_other(requests: RequestSet, language: str) -> str | None:
    """The second language of a store: the first of the set, or for that one the next."""
    return next((name for name in requests.languages if name != language), None)


def _plan_store(
    requests: RequestSet, kind: StoreKind, told: str, asked: Sequence[str], other: str | None = None
) -> _Store:
    """Every second memory is in the other language, if there is one."""
    by_name = {
        name: other if other and number % 2 else told
        for number, name in enumerate(requests.languages[told]["memories"])
    }
    memories = {
        name: requests.languages[language]["memories"][name] for name, language in by_name.items()
    }
    return _Store(kind, memories, by_name, asked)


# Asking


def _ask_store(requests: RequestSet, store: _Store, embedder: Embedder | str) -> Iterator[_Result]:
    clock = _Clock()
    groups = (RELEVANT,) if store.kind is StoreKind.ACROSS else (RELEVANT, IRRELEVANT)
    with Tacit.open(":memory:", embedder=embedder, clock=clock) as tacit:
        names: dict[str, str] = {}
        for name, text in store.memories.items():
            is_said = store.kind is StoreKind.SAID
            ids = _say(tacit, name, text) if is_said else [tacit.remember(text).id]
            names |= dict.fromkeys(ids, name)
            clock.now += timedelta(days=1)
        if embedder != "none":
            tacit.archive.embed_missing()
        first = next(iter(store.told.values()))
        for asked in store.asked:
            for group in groups:
                for name, text in requests.languages[asked][group].items():
                    lines, standing = preview_injected(tacit, text, session="fresh")
                    yield _Result(
                        store.kind,
                        asked,
                        store.told.get(name, first),
                        group,
                        name,
                        [names[id] for id in lines],
                        [names[id] for id in standing],
                    )


def _say(tacit: Tacit, name: str, text: str) -> list[str]:
    """Say it in a session of its own; returns the ids of what is kept of it."""
    known = {memory.id for memory in tacit.list(state=None)}
    with tacit.turn(session=name, history=[], text=text, deadline_ms=DEADLINE_MS) as turn:
        turn.commit("OK.")
    tacit.learn()
    learned = [memory.id for memory in tacit.list(state=None) if memory.id not in known]
    return learned + [episode.id for episode in tacit.episodes.list(session=name)]


# Figures


def _count(results: Sequence[_Result], language: str) -> dict[str, int]:
    """Irrelevant requests of a language that got a line, and relevant ones that were answered."""
    counts: dict[str, int] = {}
    for kind in (StoreKind.ONE, StoreKind.SAID, StoreKind.TWO):
        asked = [each for each in results if each.kind is kind and each.asked == language]
        if asked:
            counts[f"{kind}: {IRRELEVANT}"] = sum(each.is_spoken for each in _of(asked, IRRELEVANT))
            counts[f"{kind}: {RELEVANT}"] = sum(each.is_answered for each in _of(asked, RELEVANT))
    return counts


def _summarize(requests: RequestSet, results: Sequence[_Result]) -> dict[str, dict[str, float]]:
    """The shares over all languages that were taught, and over the others."""
    groups = {
        "taught": [name for name in requests.languages if name in requests.taught],
        "others": [name for name in requests.languages if name not in requests.taught],
    }
    return {
        group: _figures([each for each in results if each.asked in names])
        for group, names in groups.items()
        if names
    }


def _figures(results: Sequence[_Result]) -> dict[str, float]:
    figures: dict[str, float] = {}
    for kind in StoreKind:
        asked = [each for each in results if each.kind is kind]
        if irrelevant := _of(asked, IRRELEVANT):
            figures[f"{kind}: false injection"] = _share_spoken(irrelevant)
        if relevant := _of(asked, RELEVANT):
            figures[f"{kind}: recall"] = _share_answered(relevant)
        if any(each.standing for each in relevant):
            by_rules = sum(each.is_answered and each.name not in each.lines for each in relevant)
            figures[f"{kind}: recall by standing rules alone"] = ratio(by_rules, len(relevant))
        if kind is StoreKind.TWO and relevant:
            own = [each for each in relevant if each.told == each.asked]
            other = [each for each in relevant if each.told != each.asked]
            figures[f"{kind}: recall of its own"] = _share_answered(own)
            figures[f"{kind}: recall of the other"] = _share_answered(other)
    return figures


def _by_pair(requests: RequestSet, results: Sequence[_Result]) -> dict[str, dict[str, float]]:
    """Recall across by the language of the memories, then of the requests."""
    across = [each for each in results if each.kind is StoreKind.ACROSS]
    return {
        told: {
            asked: _share_answered(
                [each for each in across if (each.told, each.asked) == (told, asked)]
            )
            for asked in requests.taught
            if asked != told
        }
        for told in requests.taught
    }


def _of(results: Sequence[_Result], group: str) -> list[_Result]:
    return [each for each in results if each.group == group]


def _share_spoken(results: Sequence[_Result]) -> float:
    return ratio(sum(each.is_spoken for each in results), len(results))


def _share_answered(results: Sequence[_Result]) -> float:
    return ratio(sum(each.is_answered for each in results), len(results))
