"""Texts with the stop words that people use, and what people ask about them."""

from collections.abc import Sequence
from itertools import islice
from random import Random
from typing import Any

import numpy as np

from benchmarks.texts import vocabulary


def _split(words: str) -> list[str]:
    return words.split()


_STOP_WORDS = _split(
    "the of and to a in that is was it for on with he be i by as at you are his had not this have"
    " from but which she they or an her were there we their been has when who will no more if out"
    " so what up"
)
_ENGLISH = _split(
    "time year people way day man thing woman life child world school state family student group"
    " country problem hand part place case week company system program question work government"
    " number night point home water room mother area money story fact month lot right study book"
    " eye job word business issue side kind head house service friend father power hour game line"
    " end member law car city community name president team minute idea kid body information back"
    " parent face level office door health person art war history party result change morning"
    " reason research girl guy moment air teacher force education"
)
_COMMON = len(_STOP_WORDS)
_WORDS = [*_STOP_WORDS, *_ENGLISH]
_WORDS += vocabulary()[len(_WORDS) :]
_SHORTEST, _LONGEST = 20, 40
_TURNS_OF_A_SESSION = 20


def make_sentences(count: int, seed: int = 1) -> list[str]:
    """Texts of about thirty words, stop words among them; the same seed makes the same."""
    random = np.random.default_rng(seed)
    lengths = random.integers(_SHORTEST, _LONGEST + 1, count).tolist()
    frequencies = 1 / np.arange(1, len(_WORDS) + 1)
    drawn = random.choice(len(_WORDS), sum(lengths), p=frequencies / frequencies.sum())
    words = (_WORDS[rank] for rank in drawn.tolist())
    return [" ".join(islice(words, length)) for length in lengths]


def make_turns(texts: Sequence[str]) -> list[dict[str, Any]]:
    """The texts as memories with an origin: two people in sessions of twenty turns."""
    return [
        {
            "content": text,
            "origin": {
                "session": str(number // _TURNS_OF_A_SESSION),
                "ordinal": number % _TURNS_OF_A_SESSION,
                "speaker": ("Ann", "Ben")[number % 2],
            },
        }
        for number, text in enumerate(texts)
    ]


def natural_queries(texts: Sequence[str], count: int, seed: int = 2) -> list[str]:
    """Ten to twenty-five words: some of a text, some of anywhere, and stop words between them."""
    random = Random(seed)
    return [_natural(random, random.choice(texts), random.randint(10, 25)) for _ in range(count)]


def content_queries(count: int, seed: int = 3) -> list[str]:
    """Six words that are no stop words."""
    random = Random(seed)
    return [" ".join(_content(random, 6)) for _ in range(count)]


def english_queries(count: int, shortest: int, longest: int, seed: int = 4) -> list[str]:
    """Common English words, each one token of MiniLM, with room for the two it adds itself."""
    random = Random(seed)
    lengths = (random.randint(shortest, longest) - 2 for _ in range(count))
    return [" ".join(random.choices([*_STOP_WORDS, *_ENGLISH], k=length)) for length in lengths]


def _natural(random: Random, text: str, length: int) -> str:
    own = [word for word in text.split() if word not in _STOP_WORDS]
    stop_words = random.choices(_STOP_WORDS, k=length * 2 // 5)
    chosen = random.sample(own, min(len(own), length // 3))
    words = stop_words + chosen
    words += _content(random, length - len(words))
    random.shuffle(words)
    return " ".join(words)


def _content(random: Random, count: int) -> list[str]:
    ranks = range(_COMMON, len(_WORDS))
    return [_WORDS[rank] for rank in random.choices(ranks, _FREQUENCIES, k=count)]


_FREQUENCIES = [1 / (rank + 1) for rank in range(_COMMON, len(_WORDS))]
