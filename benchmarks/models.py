"""The local models beside each other: what embedding a question and a message costs each."""

import json
from pathlib import Path
from statistics import median
from time import thread_time

from benchmarks.context import Context
from benchmarks.report import Report, Row
from tacit.embedding.minilm.embedder import MiniLM
from tacit.embedding.minilm.model_files import ENGLISH, SEVEN_LANGUAGES

_DATA = Path(__file__).parents[1] / "tools" / "languages" / "data"
_LANGUAGES = ("de", "fr", "es", "it", "pt", "nl")
_TEXTS = 60


def run(context: Context) -> Report:
    """Questions with their tokens, and messages, embedded one by one by both models in turns."""
    models = [MiniLM.open(model=each) for each in (SEVEN_LANGUAGES, ENGLISH)]
    rows: list[Row] = []
    for language in ("en", *_LANGUAGES):
        context.say(language)
        questions, messages = _read_texts(language)
        for name, texts, is_question in (("question", questions, True), ("turn", messages, False)):
            taken = [[_time(model, text, is_question) for model in models] for text in texts]
            seven, english = (median(each) for each in zip(*taken, strict=True))
            rows.append((f"{language}, {name}", 1_000 * seven, 1_000 * english, seven / english))
    return Report(
        title="The local models, ms of processor a text, in turns",
        columns=("text", SEVEN_LANGUAGES.name, ENGLISH.name, "ratio"),
        rows=rows,
        notes=(f"{_TEXTS} questions with their tokens, and as many messages, of each language",),
    )


def _read_texts(language: str) -> tuple[list[str], list[str]]:
    """Questions and the messages that answer them."""
    file = _DATA / f"qa_{'de' if language == 'en' else language}.jsonl"
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()[:_TEXTS]]
    end = "_en" if language == "en" else ""
    return [row[f"question{end}"] for row in rows], [row[f"message{end}"] for row in rows]


def _time(model: MiniLM, text: str, is_question: bool) -> float:
    began = thread_time()
    if is_question:
        model.embed_query_tokens(text)
    else:
        model.embed([text])
    return thread_time() - began
