"""Messages whose sentences are a person's own or somebody else's, as the network reads them."""

import json
from collections.abc import Mapping, Sequence
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
