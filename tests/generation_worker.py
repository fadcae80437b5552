"""Processes that use a store while another model takes over, and the one that makes its vectors."""

import json
import random
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tacit import FakeEmbedder, Tacit

OLD, NEW = FakeEmbedder(), FakeEmbedder(revision="2")
_WORDS = ("amber", "birch", "cedar", "delta", "fjord", "grove", "heath", "islet", "jetty", "knoll")
_WRITES_EVERY = 4
_MOST_AFTERWARDS = 100
_PAUSE_SECONDS = 0.3
_NEAR = 0.02
_DISTINCT = 0.1
"""How far the cosines of two models must be apart to say which of them was used."""


def text_of(number: int) -> str:
    """One of the texts that are there from the beginning."""
    choose = random.Random(number)
    return f"item {number} {' '.join(choose.sample(_WORDS, 4))}"


def open_with(place: str, first: FakeEmbedder, second: FakeEmbedder) -> Tacit:
    """The store, with the settings of a process that has one model, and had or gets the other."""
    return Tacit.open(place, embedder=first, previous_embedder=second)


def fill(place: str) -> None:
    """Make the vectors of the new model, and switch."""
    tacit = open_with(place, NEW, OLD)
    tacit.archive.embed_missing()
    tacit.close()


@dataclass
class Seen:
    """What a process wrote, and by which models its searches were answered."""

    written: dict[str, str] = field(default_factory=dict)
    models: dict[str, int] = field(default_factory=lambda: {OLD.model.revision: 0, "2": 0})
    wrong: list[str] = field(default_factory=list)


def ready_file(stop: str, name: str) -> Path:
    """What is there once a process was answered by the old model."""
    return Path(f"{stop}-{name}-ready")


def use(place: str, name: str, stop: str, texts: int) -> None:
    """Search and write until a file says to stop and the new model has answered a search.

    Once the old model has answered one, a file beside it says so (`ready_file`). The report is the
    last line that is written.
    """
    choose, seen = random.Random(name), Seen()
    first, second = (OLD, NEW) if choose.random() < 0.5 else (NEW, OLD)
    tacit = open_with(place, first, second)
    count, left = 0, _MOST_AFTERWARDS
    while left and not (Path(stop).exists() and seen.models[NEW.model.revision]):
        left -= Path(stop).exists()
        _search(tacit, text_of(choose.randrange(texts)), seen)
        if seen.models[OLD.model.revision]:
            ready_file(stop, name).touch()
        if count % _WRITES_EVERY == 0:
            text = f"{name} writes {count} {' '.join(choose.sample(_WORDS, 3))}"
            seen.written[tacit.remember(text).id] = text
        count += 1
        time.sleep(_PAUSE_SECONDS)
    tacit.close()
    sys.stdout.write(json.dumps(vars(seen)) + "\n")


def _search(tacit: Tacit, text: str, seen: Seen) -> None:
    """Search for a text that is there: every cosine must be of one and the same model."""
    result = tacit.search(text)
    if result.degraded:
        seen.wrong.append(f"{text}: {result.degraded}")
    if text not in [hit.memory.content for hit in result.hits]:
        seen.wrong.append(f"{text}: was not found")
    cosines = {
        hit.memory.content: hit.sources["vectors"].score
        for hit in result.hits
        if "vectors" in hit.sources
    }
    if not cosines:
        seen.wrong.append(f"{text}: nothing was found by its vector")
        return
    expected = {model: _cosines(model, text, list(cosines)) for model in (OLD, NEW)}
    found = np.array(list(cosines.values()))
    fits = [model for model in expected if np.abs(expected[model] - found).max() < _NEAR]
    if not fits:
        seen.wrong.append(f"{text}: {cosines} is of neither model")
    elif np.abs(expected[OLD] - expected[NEW]).max() > _DISTINCT:
        seen.models[fits[0].model.revision] += 1


def _cosines(model: FakeEmbedder, text: str, others: list[str]) -> np.ndarray:
    return np.array(model.embed(others)) @ np.array(model.embed_query(text))
