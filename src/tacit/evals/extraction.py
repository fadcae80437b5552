"""Extraction: what is noted of a message, and how much noise ordinary talk leaves in the store."""

import gzip
import hashlib
import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tacit.api.tacit import Tacit
from tacit.core.errors import ArchiveError
from tacit.core.kinds import Sort, State
from tacit.core.memory import Memory
from tacit.evals.corpus import (
    Progress,
    SetHalf,
    caching_embedder,
    load_entries,
    load_lines,
    mean,
    open_pair_reader,
    read_benchmark,
)
from tacit.language.extraction.findings import Finding
from tacit.statements.pair_reading import PairReader
from tacit.writing.learning.learner import read_message

# Extraction


_NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)


@dataclass(slots=True)
class _ExtractionTally:
    """The counts over some messages."""

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
    """Precision and recall of what is learned of messages, over all and for each language.

    A finding is right if it has all the words of a memory that the message was said to hold, and
    wrong if it has those of none; one that says a memory again counts as neither. A memory is found
    if a finding has its words; `recall_apart` asks for a finding of its own. `type` is the share
    of right findings whose type is among those that were named. `false_alarms` are messages with
    nothing to remember in which something was found. Without a file, `chat` has the same figures
    for messages of ordinary conversation, and `junk`, the share of findings that are wrong there.
    """
    reader = open_pair_reader()
    if path is not None:
        return _evaluate_messages(_parse_messages(path), reader, progress)
    figures = _evaluate_messages(load_entries("messages", SetHalf.HELD), reader, progress)
    chat = _evaluate_messages(load_entries("chat", SetHalf.HELD), reader, progress)
    failures = [*figures.pop("failures"), *chat.pop("failures")]
    overall = {name: value for name, value in chat.items() if not isinstance(value, dict)}
    junk = {"junk": 1 - chat["precision"]}
    return {**figures, "chat": {**overall, **junk}, "failures": failures}


def _evaluate_messages(
    messages: Sequence[Mapping[str, Any]], reader: PairReader | None, progress: Progress
) -> dict[str, Any]:
    tallies: dict[str, _ExtractionTally] = {"all": _ExtractionTally()}
    alarms = 0
    failures: list[str] = []
    for number, message in enumerate(messages, start=1):
        found = read_message(message["text"], _NOW, reader).findings
        tally = tallies.setdefault(message["lang"], _ExtractionTally())
        for each in (tallies["all"], tally):
            _count_findings(each, message["memories"], found)
        alarms += bool(found and not message["memories"])
        failures += _failures(message, found)
        progress(number, len(messages))
    return {
        **tallies.pop("all").figures(),
        "false_alarms": alarms,
        **{language: tally.figures() for language, tally in sorted(tallies.items())},
        "failures": failures,
    }


def _parse_messages(path: Path) -> list[Mapping[str, Any]]:
    try:
        messages = [json.loads(line) for line in read_benchmark(path).splitlines() if line.strip()]
        for message in messages:
            message["id"], message["lang"], message["text"]
            for memory in message["memories"]:
                memory["says"], memory["types"]
    except (ValueError, LookupError, TypeError) as error:
        raise ArchiveError(f"{path}: is not a set of messages ({error!r})") from None
    return messages


def _count_findings(
    tally: _ExtractionTally, memories: Sequence[Mapping[str, Any]], found: Sequence[Finding]
) -> None:
    tally.messages += 1
    owners = _match_findings(memories, found)
    right = set(owners.values())
    for place, finding in enumerate(found):
        if place in right:
            tally.is_right.append(1.0)
        elif not any(_matches(finding, memory) for memory in memories):
            tally.is_right.append(0.0)
    for place, memory in enumerate(memories):
        tally.is_found.append(float(any(_matches(finding, memory) for finding in found)))
        tally.is_apart.append(float(place in owners))
        if place in owners:
            tally.is_typed.append(float(found[owners[place]].type in memory["types"]))


def _match_findings(
    memories: Sequence[Mapping[str, Any]], found: Sequence[Finding]
) -> dict[int, int]:
    """For as many memories as can be a finding of its own, by their places."""
    owners: dict[int, int] = {}

    def settle(finding: int, asked: set[int]) -> bool:
        for memory in range(len(memories)):
            if memory not in asked and _matches(found[finding], memories[memory]):
                asked.add(memory)
                if memory not in owners or settle(owners[memory], asked):
                    owners[memory] = finding
                    return True
        return False

    for finding in range(len(found)):
        settle(finding, set())
    return owners


def _matches(finding: Finding, memory: Mapping[str, Any]) -> bool:
    said = _normalise(finding.content)
    return all(_normalise(words) in said for words in memory["says"])


def _normalise(text: str) -> str:
    return " ".join(text.casefold().split())


def _failures(message: Mapping[str, Any], found: Iterable[Finding]) -> Iterator[str]:
    """What was missed or is wrong, with the message's id."""
    memories = message["memories"]
    found = list(found)
    for memory in memories:
        if not any(_matches(finding, memory) for finding in found):
            yield f"{message['id']} missed: {', '.join(memory['says'])}"
    for finding in found:
        if not any(_matches(finding, memory) for memory in memories):
            yield f"{message['id']} wrong: {finding.content} ({finding.rule})"


# Noise: what ten thousand turns of ordinary talk leave in the store


_TURNS = 10_000
_SAMPLE = 200
_EVERY = 12
"""After so many messages of people comes one of programs."""

_DEADLINE_MS = 60_000
_DAY = re.compile(r" \(\d{4}-\d\d-\d\d\)$")


def evaluate_noise(path: Path, progress: Progress) -> dict[str, Any]:
    """Talk to assistants, mixed with logs and pasted texts, said turn by turn in many sessions.

    A sample of what was stored is drawn; which of it is junk was judged by people, and is known by
    the digests of the texts. `unlabelled` are those that nobody has judged.
    """
    with Tacit.open(":memory:", embedder=caching_embedder()) as tacit:
        for number, (session, text) in enumerate(_chat_messages(path)):
            with tacit.turn(
                session=session, text=text, history=None, deadline_ms=_DEADLINE_MS
            ) as turn:
                turn.commit("Noted.")
            progress(number + 1, _TURNS)
        tacit.learn()
        stored = list(_stored_memories(tacit))
    drawn = random.Random(0).sample(stored, min(_SAMPLE, len(stored)))
    labels = {line.split()[0]: line.split()[1] for line in load_lines("noise_labels.txt")}
    judged = [labels.get(memory_digest(memory)) for memory in drawn]
    known = [label for label in judged if label is not None]
    return {
        "turns": _TURNS,
        "stored": len(stored),
        "sample": len(drawn),
        "unlabelled": judged.count(None),
        "junk": known.count("junk") / len(known) if known else 0.0,
        "sampled": [f"{memory_digest(memory)} {memory.type}: {memory.content}" for memory in drawn],
    }


def memory_digest(memory: Memory) -> str:
    """What a text is known by, so that a judgement needs no copy of it; without a day added."""
    said = _DAY.sub("", memory.content)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def _chat_messages(path: Path) -> Iterator[tuple[str, str]]:
    """What people said to assistants, in its sessions, with the output of programs in between."""
    noise = [json.loads(line)["text"] for line in load_lines("noise.jsonl")]
    said = 0
    for session, texts in _chat_sessions(path):
        for text in texts:
            if said == _TURNS:
                return
            said += 1
            yield session, noise[said // _EVERY % len(noise)] if said % _EVERY == 0 else text


def _chat_sessions(path: Path) -> Iterator[tuple[str, Sequence[str]]]:
    data = read_benchmark(path)
    try:
        questions: list[Mapping[str, Any]] = json.loads(gzip.decompress(data))
        sessions = {
            id: [turn["content"] for turn in session if turn["role"] == "user"]
            for question in questions
            for id, session in zip(
                question["haystack_session_ids"], question["haystack_sessions"], strict=True
            )
        }
    except (ValueError, LookupError, TypeError, OSError) as error:
        raise ArchiveError(f"{path}: is not LongMemEval's file ({error!r})") from None
    # names of sessions tell which of them hold answers, so they are not used
    return ((f"s{number}", texts) for number, texts in enumerate(sessions.values()))


def _stored_memories(tacit: Tacit) -> Iterator[Memory]:
    after: str | None = None
    while page := tacit.list(state=State.LIVE, sort=Sort.CREATED, limit=1_000, after=after):
        yield from page
        after = page[-1].id
