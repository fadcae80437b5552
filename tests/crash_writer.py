"""Writes to a database until it is killed, saying on standard output what is durable.

Each line is a JSON list of [id, content] pairs that a finished call has acknowledged.
"""

import itertools
import json
import random
import sys

from tacit import FakeEmbedder, Tacit


def write(path: str, name: str) -> None:
    tacit = Tacit.open(path, embedder=FakeEmbedder())
    choose = random.Random(name)
    for number in itertools.count():
        size = choose.choice([1, 1, 1, 7, 40])
        contents = [f"{name} wrote number {number}.{n}" for n in range(size)]
        written = tacit.memories.remember_all(contents)
        if choose.random() < 0.3:
            id = written[0].id
            written[0] = tacit.edit(id, content=f"{name} corrected number {number}")
        _acknowledge([(each.id, each.memory.content) for each in written])
        if choose.random() < 0.05:
            tacit.close()
            tacit = Tacit.open(path, embedder=FakeEmbedder())


def _acknowledge(pairs: list[tuple[str, str]]) -> None:
    sys.stdout.write(json.dumps(pairs) + "\n")
    sys.stdout.flush()
