"""Messages whose sentences are a person's own or somebody else's, as the network reads them."""

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.progress import track
from tools.authorship.fitting import ReadMessage
from tools.statement_worth.examples import load_trained

from tacit.embedding.minilm.pair_reader import MiniLMPairReader
from tacit.evals.corpus import SetHalf, load_entries
from tacit.language.extraction.own_sentences import is_doubtful

DATA = Path(__file__).with_name("data")
WRITERS = (
    "english_technology",
    "english_work",
    "english_home",
    "german",
    "german_2",
    "french_spanish",
    "french",
    "spanish",
)
"""The files of messages, each by one writer."""

DEVELOPMENT = "development half"
"""The messages of the set `authorship` of `tacit eval` that may be looked at."""

_OWN_WEIGHT = 0.5
"""What a message of people who hand nothing over counts, beside one that was written for this."""

_PAIR_WEIGHT = 0.5
"""The same of two messages that were put together."""

_STEP = 7
"""Neighbours of a text are this far apart in their list, so that each text has others."""

_OPEN, _OWN, _FOREIGN = -1, 0, 1


class LabelledMessage(NamedTuple):
    """A message, and which of its sentences are whose."""

    text: str
    foreign: Sequence[str]
    own: Sequence[str]
    weight: float = 1.0

    @property
    def is_own(self) -> bool:
        """Whether nobody else wrote any of it."""
        return not self.foreign


def load_written(name: str) -> list[LabelledMessage]:
    """The messages of a writer, or of the development half."""
    if name == DEVELOPMENT:
        entries: Sequence[Mapping[str, Any]] = load_entries("authorship", SetHalf.DEV)
    else:
        entries = [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text().splitlines()]
    return [LabelledMessage(each["text"], each["foreign"], each["own"]) for each in entries]


def load_own() -> list[LabelledMessage]:
    """Messages with something worth remembering, in which the patterns see nobody else's text.

    They are those that the table of a statement's worth is made of (`tools/statement_worth`).
    """
    return [
        LabelledMessage(each["text"], (), (), _OWN_WEIGHT)
        for each in load_trained()
        if each["memories"] and not is_doubtful(each["text"])
    ]


def load_two_messages() -> list[LabelledMessage]:
    """Texts that are the person's own or pasted, as only the message before or after them tells.

    Each text is both, and alone it is the person's own.
    """
    table = tomllib.loads((DATA / "two_messages.toml").read_text("utf-8"))
    return [each for parts in table.values() for each in _put_together(parts)]


def _put_together(parts: Mapping[str, str]) -> Iterator[LabelledMessage]:
    lines = {name: written.strip().split("\n") for name, written in parts.items()}
    for place, text in enumerate(lines["texts"]):
        yield LabelledMessage(text, (), (text,), _PAIR_WEIGHT)
        for whose, count in (("after", 4), ("before", 3)):
            for number in range(count):
                for owner in ("own", "foreign"):
                    others = lines[f"{whose}_{owner}"]
                    other = others[(place * count + number * _STEP) % len(others)]
                    both = (text, other) if whose == "after" else (other, text)
                    said = ((text,), ()) if owner == "foreign" else ((), (text,))
                    yield LabelledMessage("\n".join(both), *said, _PAIR_WEIGHT)


def load_in_a_row() -> list[LabelledMessage]:
    """Messages of one writer that follow each other, and say nothing of each other.

    Most are a person's own; beside one that hands over a text, the other stays the person's.
    """
    texts = [each["text"] for each in load_trained() if not is_doubtful(each["text"])]
    told = [LabelledMessage(text, (), ()) for text in texts]
    found = [_join(one, other) for one, other in zip(told[::2], told[1::2], strict=False)]
    for name in WRITERS:
        messages = load_written(name)
        own = [each for each in messages if each.is_own]
        found += [_join(one, other) for one, other in zip(own[::2], own[1::2], strict=False)]
        foreign = [each for each in messages if not each.is_own]
        for place, (one, other) in enumerate(zip(foreign[::3], own, strict=False)):
            found.append(_join(one, other) if place % 2 else _join(other, one))
    return found


def _join(one: LabelledMessage, other: LabelledMessage) -> LabelledMessage:
    """Two messages as one; nothing of a message that is a person's own is another's."""
    own = [text for each in (one, other) for text in ((each.text,) if each.is_own else each.own)]
    text = f"{one.text}\n{other.text}"
    return LabelledMessage(text, (*one.foreign, *other.foreign), tuple(own), _PAIR_WEIGHT)


def read_messages(messages: Sequence[LabelledMessage]) -> list[ReadMessage]:
    """What the network makes of the messages."""
    reader = MiniLMPairReader.open()
    return [_read_message(reader, each) for each in track(messages, "Reading messages")]


def _read_message(reader: MiniLMPairReader, message: LabelledMessage) -> ReadMessage:
    states, tokens = reader.describe_message(message.text)
    owners = np.full(len(states), _OWN if message.is_own else _OPEN, np.int8)
    owners[[0, -1]] = _OPEN  # these mark where the message begins and ends
    for sentences, owner in ((message.foreign, _FOREIGN), (message.own, _OWN)):
        for sentence in sentences:
            start = message.text.find(sentence)
            end = start + len(sentence)
            for place, (first, last) in enumerate(tokens.spans, start=1):
                if start <= first < end or start < last <= end:
                    owners[place] = owner
    return ReadMessage(states, owners, not message.is_own, message.weight)
