"""Languages: what people said in one language, asked for in the same and in the others."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tacit.api.tacit import Tacit
from tacit.evals.corpus import (
    Progress,
    SetHalf,
    caching_embedder,
    load_entries,
    ratio,
    read_entries,
)

_FIRST = 5


def evaluate_languages(path: Path | None, progress: Progress) -> dict[str, Any]:
    """For each language of messages and of questions the share of messages among the first five.

    All messages of a language are in one store, as different people said them.
    """
    entries = load_entries("languages", SetHalf.HELD) if path is None else read_entries(path)
    languages = sorted(entries[0]["message"]) if entries else []
    embedder = caching_embedder()
    recall: dict[str, dict[str, float]] = {}
    failures: list[str] = []
    for number, told in enumerate(languages, start=1):
        with Tacit.open(":memory:", embedder=embedder) as tacit:
            ids = _fill(tacit, [entry["message"][told] for entry in entries])
            recall[told] = {}
            for asked in languages:
                missed = _find_missed(tacit, entries, ids, asked)
                recall[told][asked] = ratio(len(entries) - len(missed), len(entries))
                failures += [f"{id}: told in {told}, asked in {asked}" for id in missed]
        progress(number, len(languages))
    across = [recall[told][asked] for told in languages for asked in languages if told != asked]
    return {
        "questions": len(entries),
        "same_language": {name: recall[name][name] for name in languages},
        "across": ratio(sum(across), len(across)),
        "told_and_asked": recall,
        "failures": failures,
    }


def _fill(tacit: Tacit, messages: Sequence[str]) -> list[str]:
    """Keep messages with their vectors and tokens; returns their ids."""
    ids = [tacit.remember(each).id for each in messages]
    if tacit.workspace.embedder_name is not None:
        tacit.archive.embed_missing()
    return ids


def _find_missed(
    tacit: Tacit, entries: Sequence[Mapping[str, Any]], ids: Sequence[str], asked: str
) -> list[str]:
    """The ids of the entries whose message is not among the first for their question."""
    return [
        entry["id"]
        for entry, id in zip(entries, ids, strict=True)
        if id not in [hit.memory.id for hit in tacit.search(entry["question"][asked]).hits[:_FIRST]]
    ]
