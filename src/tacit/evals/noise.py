"""Noise: ten thousand turns of ordinary talk, and how much junk is left of them in the store."""

import gzip
import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tacit.api.tacit import Tacit
from tacit.core.errors import ArchiveError
from tacit.core.kinds import Sort, State
from tacit.core.memory import Memory
from tacit.evals.corpus import Progress, read_bytes, recalling_embedder
from tacit.evals.halves import lines_of

_TURNS = 10_000
_SAMPLE = 200
_EVERY = 12
"""After so many messages of people comes one of programs."""

_PATIENCE_MS = 60_000


def evaluate_noise(path: Path, progress: Progress) -> dict[str, Any]:
    """Talk to assistants, mixed with logs and pasted texts, said turn by turn in many sessions.

    A sample of what was stored is drawn; which of it is junk was judged by people, and is known by
    the digests of the texts. `unlabelled` are those that nobody has judged.
    """
    with Tacit.open(":memory:", embedder=recalling_embedder()) as tacit:
        for number, (session, text) in enumerate(_messages(path)):
            with tacit.turn(
                session=session, text=text, history=None, deadline_ms=_PATIENCE_MS
            ) as turn:
                turn.commit("Noted.")
            progress(number + 1, _TURNS)
        tacit.learn()
        stored = list(_stored(tacit))
    drawn = random.Random(0).sample(stored, min(_SAMPLE, len(stored)))
    labels = {line.split()[0]: line.split()[1] for line in lines_of("noise_labels.txt")}
    judged = [labels.get(digest(memory)) for memory in drawn]
    known = [label for label in judged if label is not None]
    return {
        "turns": _TURNS,
        "stored": len(stored),
        "sample": len(drawn),
        "unlabelled": judged.count(None),
        "junk": known.count("junk") / len(known) if known else 0.0,
        "sampled": [f"{digest(memory)} {memory.type}: {memory.content}" for memory in drawn],
    }


def digest(memory: Memory) -> str:
    """What a text is known by, so that a judgement needs no copy of it."""
    return hashlib.sha256(memory.content.encode()).hexdigest()[:16]


def _messages(path: Path) -> Iterator[tuple[str, str]]:
    """What people said to assistants, in its sessions, with the output of programs in between."""
    noise = [json.loads(line)["text"] for line in lines_of("noise.jsonl")]
    said = 0
    for session, texts in _sessions(path):
        for text in texts:
            if said == _TURNS:
                return
            said += 1
            yield session, noise[said // _EVERY % len(noise)] if said % _EVERY == 0 else text


def _sessions(path: Path) -> Iterator[tuple[str, Sequence[str]]]:
    data = read_bytes(path)
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


def _stored(tacit: Tacit) -> Iterator[Memory]:
    after: str | None = None
    while page := tacit.list(state=State.LIVE, sort=Sort.CREATED, limit=1_000, after=after):
        yield from page
        after = page[-1].id
