"""Extraction: messages, and what a careful secretary would note of each for later."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tacit.core.errors import ArchiveError
from tacit.evals.corpus import Progress, read_bytes
from tacit.evals.halves import Half, entries_of
from tacit.evals.timing import mean
from tacit.language.extraction.extract import extract_findings
from tacit.language.extraction.findings import Finding

_NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)


@dataclass(slots=True)
class _Tally:
    """What was counted over some messages."""

    is_right: list[float] = field(default_factory=list)
    is_found: list[float] = field(default_factory=list)
    is_apart: list[float] = field(default_factory=list)
    is_typed: list[float] = field(default_factory=list)
    messages: int = 0

    def figures(self) -> dict[str, float]:
        """The shares, each with what it is a share of."""
        return {
            "precision": mean(self.is_right),
            "recall": mean(self.is_found),
            "recall_apart": mean(self.is_apart),
            "type": mean(self.is_typed),
            "messages": self.messages,
            "findings": len(self.is_right),
            "memories": len(self.is_found),
        }


def evaluate_extraction(path: Path | None, progress: Progress) -> dict[str, Any]:
    """Precision and recall of the rules, over all and for each language.

    A finding is right if it has all the words of a memory that the message was said to hold, and
    wrong if it has those of none; one that says a memory again counts as neither. A memory is found
    if a finding has its words; `recall_apart` asks for a finding of its own. `type` is the share
    of right findings whose type is among those that were named. `false_alarms` are messages with
    nothing to remember in which something was found.
    """
    messages = entries_of("messages", Half.HELD) if path is None else _parsed(path)
    tallies: dict[str, _Tally] = {"all": _Tally()}
    alarms = 0
    failures: list[str] = []
    for number, message in enumerate(messages, start=1):
        found = extract_findings(message["text"], _NOW).findings
        tally = tallies.setdefault(message["lang"], _Tally())
        for each in (tallies["all"], tally):
            _count(each, message["memories"], found)
        alarms += bool(found and not message["memories"])
        failures += _failures(message, found)
        progress(number, len(messages))
    return {
        **tallies.pop("all").figures(),
        "false_alarms": alarms,
        **{language: tally.figures() for language, tally in sorted(tallies.items())},
        "failures": failures,
    }


def _parsed(path: Path) -> list[Mapping[str, Any]]:
    try:
        messages = [json.loads(line) for line in read_bytes(path).splitlines() if line.strip()]
        for message in messages:
            message["id"], message["lang"], message["text"]
            for memory in message["memories"]:
                memory["says"], memory["types"]
    except (ValueError, LookupError, TypeError) as error:
        raise ArchiveError(f"{path}: is not a set of messages ({error!r})") from None
    return messages


def _count(tally: _Tally, memories: Sequence[Mapping[str, Any]], found: Sequence[Finding]) -> None:
    tally.messages += 1
    owners = _owners(memories, found)
    right = set(owners.values())
    for place, finding in enumerate(found):
        if place in right:
            tally.is_right.append(1.0)
        elif not any(_has(finding, memory) for memory in memories):
            tally.is_right.append(0.0)
    for place, memory in enumerate(memories):
        tally.is_found.append(float(any(_has(finding, memory) for finding in found)))
        tally.is_apart.append(float(place in owners))
        if place in owners:
            tally.is_typed.append(float(found[owners[place]].type in memory["types"]))


def _owners(memories: Sequence[Mapping[str, Any]], found: Sequence[Finding]) -> dict[int, int]:
    """For as many memories as can be a finding of its own, by their places."""
    owners: dict[int, int] = {}

    def settle(finding: int, asked: set[int]) -> bool:
        for memory in range(len(memories)):
            if memory not in asked and _has(found[finding], memories[memory]):
                asked.add(memory)
                if memory not in owners or settle(owners[memory], asked):
                    owners[memory] = finding
                    return True
        return False

    for finding in range(len(found)):
        settle(finding, set())
    return owners


def _has(finding: Finding, memory: Mapping[str, Any]) -> bool:
    said = _plain(finding.content)
    return all(_plain(words) in said for words in memory["says"])


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _failures(message: Mapping[str, Any], found: Iterable[Finding]) -> Iterator[str]:
    """What was missed or is wrong, with the message's id."""
    memories = message["memories"]
    found = list(found)
    for memory in memories:
        if not any(_has(finding, memory) for finding in found):
            yield f"{message['id']} missed: {', '.join(memory['says'])}"
    for finding in found:
        if not any(_has(finding, memory) for memory in memories):
            yield f"{message['id']} wrong: {finding.content} ({finding.rule})"
