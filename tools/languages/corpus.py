"""The texts that teach: translations, English as people write it, questions with answers."""

import csv
import json
import lzma
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).with_name("data")
_TOOLS = DATA.parents[1]

ENGLISH = "en"
LANGUAGES = {"de": 1.3, "fr": 1.2, "es": 1.2, "it": 0.8, "pt": 0.5, "nl": 0.7}
"""The languages that are taught, and how often a sentence of each is drawn."""

_CODES = {"deu": "de", "fra": "fr", "spa": "es", "ita": "it", "por": "pt", "nld": "nl"}

_LONGEST_TURN = 400
_MOST_ENGLISH = 80_000
_SEED = 11

_SET_ASIDE = 8
"""Every eighth question is set aside."""


class Translation(NamedTuple):
    """A sentence and its translation."""

    language: str
    english: str
    foreign: str


class Answer(NamedTuple):
    """A question, and the message that answers it, by language."""

    question: Mapping[str, str]
    message: Mapping[str, str]


def read_translations(file: Path) -> list[Translation]:
    """Tatoeba's pairs: lines of language, source, English and translation, packed by xz."""
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        rows = (line.rstrip("\n").split("\t") for line in lines)
        return [Translation(_CODES[row[0]], row[2], row[3]) for row in rows]


def read_test_pairs(file: Path) -> dict[str, list[tuple[str, str]]]:
    """The pairs to measure with, English first, by language: lines of three columns."""
    found: dict[str, list[tuple[str, str]]] = {}
    for line in file.read_text("utf-8").splitlines():
        code, english, foreign = line.split("\t")
        found.setdefault(_CODES.get(code, code), []).append((english, foreign))
    return found


def read_english(folder: Path) -> list[str]:
    """What people said or asked, each text once, of the public sets that lie in a folder.

    Tables have their texts in the column that `_COLUMNS` names; documents are those of CLINC150 and
    Taskmaster. The README says where they come from.
    """
    said: dict[str, None] = {}
    for file in sorted(folder.rglob("*.csv")):
        said.update(dict.fromkeys(_find_cells(file)))
    for file in sorted(folder.rglob("*.json")):
        said.update(dict.fromkeys(_find_utterances(json.loads(file.read_text("utf-8")))))
    texts = sorted(each for each in said if each.strip())
    return random.Random(_SEED).sample(texts, min(_MOST_ENGLISH, len(texts)))


_COLUMNS = {"text": ",", "answer_from_user": ";"}
"""The columns that hold a text, and what stands between the columns of such a table."""


def _find_cells(file: Path) -> Iterator[str]:
    lines = file.read_text("utf-8", errors="replace").splitlines()
    for column, separator in _COLUMNS.items():
        if column in lines[0].split(separator):
            for row in csv.DictReader(lines, delimiter=separator):
                if text := row[column]:
                    yield text.strip("<>")[:_LONGEST_TURN]


def _find_utterances(document: object) -> Iterator[str]:
    """The turns of a list of dialogues, or the queries of sets with their intents."""
    if isinstance(document, dict):
        for queries in document.values():
            yield from (text for text, _ in queries)
    elif isinstance(document, list):
        for dialogue in document:
            for turn in dialogue["utterances"]:
                yield turn["text"][:_LONGEST_TURN]


def read_written(language: str) -> list[str]:
    """Texts in a language that were written for this project, for training only."""
    found: dict[str, None] = {}
    for file in sorted(_TOOLS.glob("*/data/*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            row = json.loads(line)
            if row.get("lang") == language:
                found.update(dict.fromkeys(_find_texts(row)))
    return list(found)


def _find_texts(row: Mapping[str, object]) -> Iterator[str]:
    for name in ("old", "new", "text", "message", "question"):
        if isinstance(text := row.get(name), str):
            yield text
    statements = row.get("statements")
    if isinstance(statements, list):
        yield from statements


@cache
def _read_answers() -> tuple[Answer, ...]:
    found: list[Answer] = []
    for file in sorted(DATA.glob("qa_*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            row = json.loads(line)
            found.append(
                Answer(
                    {row["lang"]: row["question"], ENGLISH: row["question_en"]},
                    {row["lang"]: row["message"], ENGLISH: row["message_en"]},
                )
            )
    return tuple(found)


def read_answers(*, set_aside: bool = False) -> Sequence[Answer]:
    """The questions to train on, or those that are set aside for choosing."""
    return [
        each for place, each in enumerate(_read_answers()) if (place % _SET_ASIDE == 0) == set_aside
    ]
