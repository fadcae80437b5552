"""How soon a server answers `/health` while clients send it long texts."""

import asyncio
import itertools
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median, quantiles

import httpx2

from benchmarks.context import Context
from benchmarks.hostile.repetitions import Repetition
from benchmarks.load.process import Server, serving
from benchmarks.report import Report
from benchmarks.texts import make_texts

_SIZE = 50_000
_SENTENCES = 400
_PAUSE = 0.02
_PATIENCE_SECONDS = 120
_WARM_UP_SECONDS = 5.0
_GOAL_MS = 100.0
_UNITS = ("Aa", "-- ", "password: ", "I prefer a. ", "U.S. ", "a@b ")
_PROSE = "prose"
_HOSTILE = "repetitions"


def run(context: Context) -> Report:
    """`/health` alone, beside long prose, and beside long repetitions."""
    rows = []
    command = [sys.executable, "-m", "tacit", "serve", "--no-ui", "--port", "0"]
    environment = {"TACIT_EMBEDDER": "none", "TACIT_SERVER_REQUESTS_PER_MINUTE": "0"}
    with serving(
        [*command, "--db", str(context.folder / "m.db"), "--log-level", "warning"],
        {**environment, "TACIT_CONFIG": _config(context.folder)},
    ) as server:
        rows.append(("nothing", *_probed(server, context.seconds), 0, 0))
        for kind in (_PROSE, _HOSTILE):
            context.say(f"{context.clients} clients send {kind}")
            with _clients(server, kind, context) as answers:
                time.sleep(_WARM_UP_SECONDS)
                figures = _probed(server, context.seconds)
            refused = sum(count for status, count in answers.items() if status >= 400)
            rows.append((kind, *figures, sum(answers.values()), refused))
    return Report(
        title=f"/health beside {context.clients} clients that send 50 KB each, ms",
        columns=("they send", "p50", "p95", "slowest", "answered", "refused"),
        rows=rows,
        notes=(f"The goal is a p95 of {_GOAL_MS:.0f} ms.",),
    )


def _config(folder: Path) -> str:
    path = folder / "tacit.toml"
    path.write_text("[server]\nrequests_per_minute = 0\n")
    return str(path)


def _probed(server: Server, seconds: float) -> tuple[float, float, float]:
    """The median, the 95th percentile and the slowest of many questions, one after the other."""
    took = []
    end = time.monotonic() + seconds
    with httpx2.Client(base_url=server.url, timeout=_PATIENCE_SECONDS) as http:
        while time.monotonic() < end:
            begun = time.perf_counter()
            http.get("/health").raise_for_status()
            took.append(1_000 * (time.perf_counter() - begun))
            time.sleep(_PAUSE)
    return median(took), quantiles(took, n=20)[-1], max(took)


@contextmanager
def _clients(server: Server, kind: str, context: Context) -> Iterator[Counter[int]]:
    """Clients in a process of their own; afterwards, how often each status was answered."""
    answers: Counter[int] = Counter()
    seconds = _WARM_UP_SECONDS + context.seconds
    asked = json.dumps([server.url, kind, context.clients, seconds])
    with subprocess.Popen(
        [sys.executable, "-m", "benchmarks.responsiveness", asked], stdout=subprocess.PIPE
    ) as process:
        yield answers
        told, _ = process.communicate()
    answers.update({int(status): count for status, count in json.loads(told).items()})


async def _drive(url: str, kind: str, clients: int, seconds: float) -> Counter[int]:
    statuses: Counter[int] = Counter()
    end = time.monotonic() + seconds
    limits = httpx2.Limits(max_connections=clients)
    async with httpx2.AsyncClient(base_url=url, timeout=_PATIENCE_SECONDS, limits=limits) as http:

        async def client(number: int) -> None:
            for path, body in _calls(kind, number):
                if time.monotonic() > end:
                    return
                answer = await http.post(path, **body)
                statuses[answer.status_code] += 1

        await asyncio.gather(*map(client, range(clients)))
    return statuses


def _calls(kind: str, number: int) -> Iterator[tuple[str, dict[str, object]]]:
    """Calls of every kind that reads text, with another text each time."""
    draw = Random(number)
    for turn in itertools.count():
        text = _text(kind, draw)
        message = {"role": "user", "content": text}
        calls = (
            ("/v1/extract", {"json": {"text": text}}),
            ("/v1/turns", {"json": {"session": f"s{number}-{turn}", "text": text}}),
            ("/v1/turns/preview", {"json": {"session": "s", "text": "a", "history": [message]}}),
            ("/v1/memories", {"json": {"content": text[:49_000]}}),
            ("/v1/memories/import", {"content": text.encode()}),
            ("/v1/learn", {}),
        )
        yield calls[(turn + number) % len(calls)]


def _text(kind: str, draw: Random) -> str:
    if kind == _HOSTILE:
        return Repetition(draw.choice(_UNITS)).text(_SIZE - draw.randrange(100))
    texts = make_texts(_SENTENCES, seed=draw.randrange(10_000))
    return " ".join(f"We decided that {text}." for text in texts)[:_SIZE]


if __name__ == "__main__":
    print(json.dumps(asyncio.run(_drive(*json.loads(sys.argv[1])))))
