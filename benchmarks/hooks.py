"""How long a coding CLI waits for its hook, from the prompt to the answer, in whole processes."""

import json
import os
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import cycle, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.context import Context
from benchmarks.figures import p50_and_p95, seconds
from benchmarks.report import Report, Row
from benchmarks.sentences import make_sentences
from benchmarks.token_codes import encode_tokens
from tacit import Tacit

_MEMORIES = 2_000
_RUNS = 200
_LONG_RUNS = 50
_COLD_RUNS = 5
_PER_SESSION = 20
_REST = 0.6
"""Seconds in which the daemon learns from a turn; people take longer to write the next prompt."""

_SENTENCES_OF_A_LONG_PROMPT = 13

_PARTS = [
    f"{whose} {part}"
    for whose, part in product(
        ("login", "search", "billing", "mail", "image"), ("page", "job", "client", "table")
    )
]
_QUALITIES = ("retries", "timeouts", "database", "language", "backups", "logging", "caching")
_QUALITIES += ("encryption", "deployment", "monitoring")
_CHOICES = ("Redis", "Postgres", "Kafka", "Rust", "Go", "Grafana", "S3", "SQLite", "nginx", "Caddy")


def run(context: Context) -> Report:
    """Every prompt is followed by its reply and a rest, which are not timed; all in one run."""
    with TemporaryDirectory(prefix="tacit-hooks-", dir="/tmp") as short:
        hook = _Hook(context.folder, Path(short))
        _fill(context)
        prompts = _prompts()
        try:
            rows = [
                _row("python -c pass", _bare(context)),
                _row("cold", _cold(context, hook, prompts)),
                _row("warm, 10–25 tokens", _warm(context, hook, prompts, _RUNS)),
                _row("warm, 200 tokens", _warm(context, hook, _long(prompts), _LONG_RUNS)),
            ]
        finally:
            hook.stop_daemon()
    return Report(
        title="Hooks: from the prompt to the answer, in ms",
        columns=("what", "p50", "p95", "fastest", "slowest", "runs", "context"),
        rows=rows,
        notes=(
            f"Whole processes of claude-code's hook; {_MEMORIES:,} memories, all-MiniLM-L6-v2.",
        ),
    )


class _Hook:
    """The hook as the client calls it, with a daemon of its own."""

    def __init__(self, folder: Path, short: Path) -> None:
        self._folder = folder
        self._command = str(Path(sysconfig.get_path("scripts")) / "tacit")
        self._environment = {
            **os.environ,
            "TACIT_DB": str(folder / "memory.db"),
            "TACIT_EMBEDDER": "minilm",
            "TACIT_RUNTIME_DIR": str(short),
            "TACIT_LOG_FOLDER": str(folder / "log"),
            "TACIT_HOOKS_SECONDS": "60",
            "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
        }
        self._environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def tell(self, event: str, **data: Any) -> str:
        """Call it for an event."""
        written = {"hook_event_name": event, "cwd": str(self._folder), **data}
        ran = subprocess.run(
            [self._command, "hook", "claude-code"],
            input=json.dumps(written).encode(),
            env=self._environment,
            stdout=subprocess.PIPE,
            check=True,
        )
        return ran.stdout.decode()

    def stop_daemon(self) -> None:
        """End it, so that the next hook has to start one."""
        stop = [self._command, "daemon", "stop"]
        subprocess.run(stop, env=self._environment, stdout=subprocess.DEVNULL, check=True)


_Timed = tuple[list[float], int | None]
"""Durations in seconds, and how many of the answers had something for the model."""


def _fill(context: Context) -> None:
    context.say(f"remembering {_MEMORIES}")
    decided = [
        f"For the {quality} of the {part} we chose {_CHOICES[number % len(_CHOICES)]}"
        for number, (part, quality) in enumerate(product(_PARTS, _QUALITIES))
    ]
    with Tacit.open(context.folder / "memory.db", embedder="minilm") as tacit:
        tacit.memories.remember_all([*decided, *make_sentences(_MEMORIES - len(decided))])
        encode_tokens(tacit)


def _prompts() -> list[str]:
    return [
        f"Before I change the {part} again, remind me what we chose for its {quality} and why"
        for part, quality in product(_PARTS, _QUALITIES)
    ]


def _long(prompts: Sequence[str]) -> list[str]:
    step = _SENTENCES_OF_A_LONG_PROMPT
    return [". ".join(prompts[at : at + step]) for at in range(0, len(prompts) - step, step)]


def _bare(context: Context) -> _Timed:
    context.say("python alone")
    command = [sys.executable, "-c", "pass"]
    return [seconds(lambda: subprocess.run(command, check=True)) for _ in range(_LONG_RUNS)], None


def _cold(context: Context, hook: _Hook, prompts: Sequence[str]) -> _Timed:
    hook.tell("SessionStart", session_id="compiling", source="startup")
    return _timed(hook, _sessions("cold", prompts, _COLD_RUNS, context), hook.stop_daemon)


def _warm(context: Context, hook: _Hook, prompts: Sequence[str], runs: int) -> _Timed:
    hook.tell("SessionStart", session_id="first", source="startup")
    return _timed(hook, _sessions(f"warm-{runs}", prompts, runs, context), lambda: None)


def _sessions(
    name: str, prompts: Sequence[str], runs: int, context: Context
) -> Iterator[Mapping[str, str]]:
    for number, prompt in zip(range(runs), cycle(prompts), strict=False):
        context.say(f"{name}: prompt {number + 1} of {runs}")
        yield {"session_id": f"{name}-{number // _PER_SESSION}", "prompt": prompt}


def _timed(hook: _Hook, events: Iterator[Mapping[str, str]], before: Callable[[], None]) -> _Timed:
    durations, answers = [], []
    for event in events:
        before()
        durations.append(
            seconds(lambda event=event: answers.append(hook.tell("UserPromptSubmit", **event)))
        )
        hook.tell("Stop", session_id=event["session_id"], last_assistant_message="As you say.")
        time.sleep(_REST)
    return durations, sum(map(bool, answers))


def _row(name: str, timed: _Timed) -> Row:
    durations = [1e3 * each for each in timed[0]]
    p50, p95 = p50_and_p95(durations)
    return (name, p50, p95, min(durations), max(durations), len(durations), timed[1])
