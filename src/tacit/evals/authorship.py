"""Authorship: messages that hold somebody else's text, and a person's own that look alike."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tacit.api.tacit import Tacit
from tacit.core.episodes import Episode
from tacit.core.kinds import State, Trust
from tacit.core.memory import Memory
from tacit.evals.corpus import (
    Progress,
    SetHalf,
    caching_embedder,
    load_entries,
    ratio,
    read_entries,
)
from tacit.turn.standing import may_stand

_START = datetime(2026, 3, 3, 9, tzinfo=UTC)
_WHO = "ann"
_SAID = 0.75
"""A text with this share of the words of another one says it."""

_WORD = re.compile(r"\w+")


_COUNTS = ("foreign", "taken", "standing", "known", "replaced", "own", "lost")


@dataclass(slots=True)
class _AuthorshipTally:
    """The counts over some messages."""

    foreign: int = 0
    """Sentences of others that would be learned if they were the person's."""
    taken: int = 0
    """Of these, what became a trusted memory."""
    standing: int = 0
    """Of these, what stands as a rule."""
    known: int = 0
    """What the person had said before and a text contradicts."""
    replaced: int = 0
    own: int = 0
    """The person's own sentences."""
    lost: int = 0
    """Of these, what is neither a trusted memory nor kept without a doubt."""
    failures: list[str] = field(default_factory=list)

    def add(self, other: "_AuthorshipTally") -> None:
        """Add the counts of a message."""
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.failures += other.failures

    @property
    def figures(self) -> dict[str, float]:
        """Shares of the sentences of others, of what was known, and of the person's own."""
        return {
            "taken": ratio(self.taken, self.foreign),
            "standing": ratio(self.standing, self.foreign),
            "replaced": ratio(self.replaced, self.known),
            "lost": ratio(self.lost, self.own),
        }


def evaluate_authorship(path: Path | None, progress: Progress) -> dict[str, Any]:
    """What becomes of the words of others in a person's messages, and of the person's own.

    Each message is a turn in a store of its own, after what the person is known to have said.
    """
    entries = load_entries("authorship", SetHalf.HELD) if path is None else read_entries(path)
    everything = _AuthorshipTally()
    ways: dict[str, _AuthorshipTally] = defaultdict(_AuthorshipTally)
    languages: dict[str, _AuthorshipTally] = defaultdict(_AuthorshipTally)
    embedder = caching_embedder()
    for number, entry in enumerate(entries, start=1):
        found = _judge_message(entry, embedder)
        for tally in (everything, ways[entry["way"]], languages[entry["lang"]]):
            tally.add(found)
        progress(number, len(entries))
    return {
        **everything.figures,
        "messages": len(entries),
        **{lang: tally.figures for lang, tally in sorted(languages.items())},
        "ways": {way: tally.figures for way, tally in sorted(ways.items())},
        "failures": everything.failures,
    }


def _judge_message(entry: Mapping[str, Any], embedder: Any) -> _AuthorshipTally:
    now = _START
    with Tacit.open(":memory:", embedder=embedder, clock=lambda: now) as tacit:
        known: list[str] = []
        if entry["known"]:
            _say(tacit, entry["known"], "before")
            known = [memory.id for memory in tacit.list()]
            now += timedelta(days=1)
        _say(tacit, entry["text"], "message")
        memories = [each for each in tacit.list(state=None) if each.id not in known]
        tally = _count(entry, memories, tacit.episodes.list(user=_WHO, session="message"))
        if entry["foreign"]:
            gone = set(known) - {memory.id for memory in tacit.list()}
            tally.known, tally.replaced = len(known), len(gone)
            tally.failures += [f"{entry['id']} replaced: {entry['known']}"] * bool(gone)
    return tally


def _say(tacit: Tacit, text: str, session: str) -> None:
    with tacit.turn(session=session, text=text, user=_WHO, history=[], deadline_ms=60_000) as turn:
        turn.commit("Noted.")
    tacit.learn()


def _count(
    entry: Mapping[str, Any], memories: Sequence[Memory], episodes: Sequence[Episode]
) -> _AuthorshipTally:
    trusted = [each for each in memories if each.trust is Trust.TRUSTED]
    live = [each for each in trusted if each.state(_START + timedelta(days=1)) is State.LIVE]
    sure = [each.text for each in episodes if each.trust is Trust.TRUSTED]
    tally = _AuthorshipTally()
    for sentence in entry["foreign"]:
        taken = [each for each in live if _is_said(each.content, sentence)]
        tally.foreign += 1
        tally.taken += bool(taken)
        tally.standing += any(may_stand(each) for each in taken)
        tally.failures += [f"{entry['id']} {entry['way']} taken: {each.content}" for each in taken]
    for sentence in entry["own"]:
        held = [*sure, *(each.content for each in trusted)]
        is_kept = any(_is_said(sentence, each) for each in held)
        tally.own += 1
        tally.lost += not is_kept
        if not is_kept:
            tally.failures.append(f"{entry['id']} {entry['way']} lost: {sentence}")
    return tally


def _is_said(said: str, held: str) -> bool:
    """Whether most words of a text are in another."""
    words = _WORD.findall(said.casefold())
    known = set(_WORD.findall(held.casefold()))
    return bool(words) and sum(word in known for word in words) >= _SAID * len(words)
