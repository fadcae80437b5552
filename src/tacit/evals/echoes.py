"""Echoes: turns that repeat what was injected, from which nothing may be learned."""

import json
import re
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tacit.api.tacit import Tacit
from tacit.evals.corpus import (
    Progress,
    SetHalf,
    caching_embedder,
    check_receipt,
    load_entries,
    mean,
    read_entries,
)
from tacit.language.sentences import split_sentences
from tacit.settings.config import CONFIG_FILE_NAME
from tacit.turn.commit import Turn
from tacit.writing.learning.lesson import Learned, Lesson, Verdict

# A fake model that notes every sentence: the worst case


_SPEAKER = re.compile(r"^(?:User \([\d-]+\)|Assistant): ")


@contextmanager
def greedy_model() -> Iterator[str]:
    """The address of an OpenAI-compatible server on this machine, for as long as the block."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _GreedyHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


class _GreedyHandler(BaseHTTPRequestHandler):
    """Answers with every sentence of the prompt, each said to be sure and to be a fact."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        prompt = json.loads(self.rfile.read(length))["messages"][-1]["content"]
        noted = json.dumps({"memories": [_to_note(each) for each in _sentences(prompt)]})
        body = json.dumps({"choices": [{"message": {"content": noted}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def _sentences(prompt: str) -> list[str]:
    found = (_SPEAKER.sub("", each).strip() for each in split_sentences(prompt))
    return [each for each in found if each]


def _to_note(sentence: str) -> dict[str, Any]:
    return {
        "content": sentence,
        "type": "fact",
        "scope": "user",
        "key": None,
        "confidence": 0.99,
        "expires": None,
        "quote": sentence,
    }


_DEADLINE_MS = 60_000
_WRITTEN = frozenset({Verdict.LEARNED, Verdict.MERGED, Verdict.PROPOSED})


@dataclass(slots=True)
class _EchoTally:
    """The counts over all turns, with one reader."""

    turns: int = 0
    injected: list[float] = field(default_factory=list)
    born: list[Lesson] = field(default_factory=list)
    verdicts: Counter[str] = field(default_factory=Counter)
    growth: int = 0
    news: list[float] = field(default_factory=list)


def evaluate_echoes(path: Path | None, progress: Progress) -> dict[str, Any]:
    """Memories born of what was injected, and how the store grew: by rules, and by a greedy model.

    Other turns repeat a memory and state something new as well: the share of that which the rules
    learned.
    """
    echoes = load_entries("echoes", SetHalf.HELD) if path is None else read_entries(path)
    news = load_entries("echoes_news", SetHalf.HELD) if path is None else []
    figures: dict[str, Any] = {}
    failures: list[str] = []
    for reader, address in _readers():
        with address as base_url:
            tally = _EchoTally()
            for number, each in enumerate(echoes):
                _echo(tally, each, base_url)
                progress(number, len(echoes) + len(news))
            if base_url is None:
                for each in news:
                    _tell(tally, each)
        figures |= _figures(tally, reader)
        failures += [f"{each.session} by {reader}: {each.content}" for each in tally.born]
    return figures | {"failures": failures}


def _readers() -> Iterator[tuple[str, Any]]:
    yield "rules", _no_model()
    yield "model", greedy_model()


@contextmanager
def _no_model() -> Iterator[None]:
    yield None


def _figures(tally: _EchoTally, reader: str) -> dict[str, Any]:
    figures: dict[str, Any] = {
        f"{reader}_turns": tally.turns,
        f"{reader}_injected": mean(tally.injected),
        f"{reader}_born": len(tally.born),
        f"{reader}_growth": tally.growth,
        f"{reader}_verdicts": dict(tally.verdicts),
    }
    return figures | ({f"{reader}_news_learned": mean(tally.news)} if tally.news else {})


def _echo(tally: _EchoTally, echo: Mapping[str, Any], base_url: str | None) -> None:
    """One memory, shown in a session, and the turns after that."""
    with _open_store(base_url) as tacit:
        tacit.remember(**echo["memory"])
        session = str(echo["id"])
        shown = _turn(tacit, session, echo["memory"]["content"], "I see.")
        tally.injected.append(float(shown.block is not None))
        for turn in echo["turns"]:
            _turn(tacit, session, _fill_placeholders(turn["user"], shown), turn["assistant"])
            tally.turns += 1
        tacit.end_session(session)
        lessons = _wait_for_lessons(tacit)
        tally.verdicts.update(str(lesson.verdict) for lesson in lessons)
        tally.born += [each for each in lessons if each.verdict in _WRITTEN]
        tally.growth += sum(tacit.workspace.stats().counts.by_state.values()) - 1


def _tell(tally: _EchoTally, news: Mapping[str, Any]) -> None:
    """One memory, shown in a session, and a turn that repeats it and has something new."""
    with _open_store(None) as tacit:
        tacit.remember(**news["memory"])
        session = str(news["id"])
        shown = _turn(tacit, session, news["memory"]["content"], "I see.")
        _turn(tacit, session, _fill_placeholders(news["user"], shown), news["assistant"])
        learned = [each for each in _wait_for_lessons(tacit) if each.verdict in _WRITTEN]
        tally.news += [float(_is_among(each["says"], learned)) for each in news["news"]]


def _is_among(says: Sequence[str], learned: Sequence[Lesson]) -> bool:
    return any(
        all(words.casefold() in lesson.content.casefold() for words in says) for lesson in learned
    )


def _turn(tacit: Tacit, session: str, text: str, reply: str) -> Turn:
    with tacit.turn(
        session=session, text=text, history=None, deadline_ms=_DEADLINE_MS, contextual_min_score=0.0
    ) as turn:
        check_receipt(turn.receipt)
        turn.commit(reply)
    return turn


def _fill_placeholders(text: str, shown: Turn) -> str:
    block = shown.block or ""
    line = next((each for each in block.splitlines() if "(importance: " in each), block)
    return text.replace("{block}", block).replace("{line}", line)


@contextmanager
def _open_store(base_url: str | None) -> Iterator[Tacit]:
    with TemporaryDirectory(prefix="tacit-eval-") as folder:
        config = Path(folder) / CONFIG_FILE_NAME
        config.write_text(_settings(base_url), "utf-8")
        with Tacit.open(":memory:", embedder=_shared_embedder(), config=config) as tacit:
            tacit.workspace.watch_learning(_told.append)
            _told.clear()
            yield tacit


def _wait_for_lessons(tacit: Tacit) -> list[Lesson]:
    """Everything that was learned so far."""
    tacit.learn()
    return [lesson for learned in _told for lesson in learned.lessons]


def _settings(base_url: str | None) -> str:
    """Somebody who reads everything as late as possible, so that what came first is known."""
    model = {} if base_url is None else {"llm_model": "greedy", "llm_base_url": base_url}
    values = {"persist_every": 1_000, "llm_tokens_per_day": 1_000_000_000, **model}
    return "[writing]\n" + "".join(
        f"{name} = {json.dumps(each)}\n" for name, each in values.items()
    )


_made: list[Any] = []
_told: list[Learned] = []


def _shared_embedder() -> Any:
    if not _made:
        _made.append(caching_embedder())
    return _made[0]
