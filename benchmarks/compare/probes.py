"""What is measured of a revision, through calls that every revision has.

Nothing of `tacit` is imported before a probe runs: how long that takes is measured too.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any

from benchmarks.texts import make_queries, make_texts

Figures = dict[str, float]
"""Milliseconds by what took them: less is better, always."""

_LENIENT = {"contextual_min_score": 0.0, "deadline_ms": 60_000}
_BATCH = 100
_TEXTS_PER_REPEAT = 10
_FIRST_SEARCHES = 5
_PAUSE_SECONDS = 0.02
_TURNS_OF_A_SESSION = 10
_TOPICS = ("Go", "Rust", "SQL", "CSS", "YAML", "Python", "Bash", "Lua", "C", "Java")


class NotThere(Exception):
    """A call that a revision lacks."""


@dataclass(frozen=True, slots=True)
class Task:
    """Where a probe works, how many memories there are, and how often it measures."""

    folder: Path
    memories: int
    repeats: int


def measure_import(_: Task) -> Figures:
    """The first import of a process."""
    start = perf_counter()
    from tacit import Tacit

    assert Tacit
    return {"import tacit": _milliseconds(start)}


def measure_open(task: Task) -> Figures:
    """Opening a database that is there, and one that is not."""
    path = _filled(task)
    new = iter(range(task.repeats))

    def make() -> None:
        _open(task.folder / f"new-{os.getpid()}-{next(new)}.db").close()

    return {
        "open": _median(task, lambda: _open(path).close()),
        "open, new database": _median(task, make),
    }


def measure_remember(task: Task) -> Figures:
    """Writing one memory, and a hundred at once."""
    texts = iter(make_texts(task.repeats * (_BATCH + 1), seed=3))
    with _empty(task) as tacit:
        one = _median(task, lambda: tacit.remember(next(texts)))
        many = _median(
            task, lambda: tacit.memories.remember_all([next(texts) for _ in range(_BATCH)])
        )
    return {"remember": one, f"remember_all, {_BATCH} memories": many}


def measure_ingest(task: Task) -> Figures:
    """Writing with MiniLM, a text: until the writes returned, and until all that follows is there.

    With an origin the texts are turns of sessions.
    """
    from benchmarks.sentences import make_sentences, make_turns

    texts = make_sentences(task.repeats * _TEXTS_PER_REPEAT, seed=9)
    alone = [{"content": text} for text in texts]
    figures: Figures = {}
    for name, drafts in (("", alone), (" with origin", make_turns(texts))):
        returned, complete = _ingest(task, drafts)
        figures[f"write a text{name}"] = returned / len(texts)
        figures[f"write and encode a text{name}"] = complete / len(texts)
    return figures


def measure_search(task: Task) -> Figures:
    """Searching among the memories, by words alone."""
    queries = iter(" ".join(words) for words in make_queries(task.repeats + 1))
    with _open(_filled(task)) as tacit:
        first = perf_counter()
        tacit.search(next(queries))
        return {
            "search, first": _milliseconds(first),
            "search": _median(task, lambda: tacit.search(next(queries))),
        }


def measure_hybrid(task: Task) -> Figures:
    """Searching by words, vectors and what else there is, with the query's vectors at hand."""
    from benchmarks.clustered import ClusteredEmbedder
    from benchmarks.sentences import content_queries, make_sentences, natural_queries

    embedder = ClusteredEmbedder()
    texts = make_sentences(task.memories)
    with _open(_filled(task, texts, embedder), embedder) as tacit:
        tacit.warm()
        for query in content_queries(_FIRST_SEARCHES, seed=5):
            tacit.search(query)
        figures: Figures = {}
        natural, content = natural_queries(texts, task.repeats), content_queries(task.repeats)
        for kind, queries in (("natural", natural), ("content", content)):
            embedder.prepare(queries)
            figures |= _p50_and_p95(f"search, {kind}", tacit.search, queries)
        return figures


def measure_turn(task: Task) -> Figures:
    """Beginning a turn among the memories, and committing it."""
    texts = [" ".join(words) for words in make_queries(task.repeats, length=10)]
    begun, committed = [], []
    history: Sequence[Any] = ()
    with _open(_filled(task)) as tacit:
        tacit.warm()
        for number, text in enumerate(texts):
            session, place = divmod(number, _TURNS_OF_A_SESSION)
            name = f"s-{os.getpid()}-{session}"
            start = perf_counter()
            turn = tacit.turn(session=name, history=history if place else (), text=text, **_LENIENT)
            begun.append(_milliseconds(start))
            start = perf_counter()
            turn.commit("Understood.")
            committed.append(_milliseconds(start))
            history = turn.history
    return {"turn": median(begun), "commit": median(committed)}


def measure_learn(task: Task) -> Figures:
    """Turns and the learning from them by rules, whether in the background or at the end."""
    with _empty(task) as tacit:
        _say_preference(tacit, 0)
        tacit.learn()
        start = perf_counter()
        for number in range(1, task.repeats + 1):
            _say_preference(tacit, number)
        tacit.learn()
        return {"turn, commit and learn": _milliseconds(start) / task.repeats}


def measure_extract(task: Task) -> Figures:
    """What the rules take from a message."""
    texts = iter(
        f"Remember that we always use {_topic(number)} for job {number}. {text}"
        for number, text in enumerate(make_texts(task.repeats + 1))
    )
    with _empty(task) as tacit:
        first = perf_counter()
        tacit.extract(next(texts))
        return {
            "extract, first": _milliseconds(first),
            "extract": _median(task, lambda: tacit.extract(next(texts))),
        }


def measure_hook(task: Task) -> Figures:
    """The process that a coding CLI waits for, with its daemon running."""
    with TemporaryDirectory(prefix="tacit-hook-", dir="/tmp") as short:
        environment = {
            **os.environ,
            "TACIT_DB": str(_filled(task)),
            "TACIT_RUNTIME_DIR": short,
            "TACIT_LOG_FOLDER": str(task.folder / "log"),
            "TACIT_HOOKS_SECONDS": "60",
        }
        tell = _hook(task, environment)
        try:
            tell("SessionStart", source="startup")
            prompts = iter(" ".join(words) for words in make_queries(task.repeats, length=10))
            return {"hook": _median(task, lambda: tell("UserPromptSubmit", prompt=next(prompts)))}
        finally:
            quiet = subprocess.DEVNULL
            subprocess.run(
                [_command(), "daemon", "stop"], env=environment, stdout=quiet, check=False
            )


PROBES: Mapping[str, Callable[[Task], Figures]] = {
    "import": measure_import,
    "open": measure_open,
    "remember": measure_remember,
    "ingest": measure_ingest,
    "search": measure_search,
    "hybrid": measure_hybrid,
    "turn": measure_turn,
    "learn": measure_learn,
    "extract": measure_extract,
    "hook": measure_hook,
}


def _hook(task: Task, environment: Mapping[str, str]) -> Callable[..., None]:
    def tell(event: str, **data: Any) -> None:
        written = {
            "hook_event_name": event,
            "session_id": f"s-{os.getpid()}",
            "cwd": str(task.folder),
            **data,
        }
        done = subprocess.run(
            [_command(), "hook", "claude-code"],
            input=json.dumps(written).encode(),
            env=dict(environment),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        if done.returncode:  # a hook that is there never fails
            raise NotThere("there is no command: tacit hook claude-code")

    return tell


def _command() -> str:
    return str(Path(sys.executable).parent / "tacit")


def _open(path: Path, embedder: object = "none") -> Any:
    from tacit import Tacit

    return Tacit.open(path, embedder=embedder)


@contextmanager
def _empty(task: Task) -> Any:
    """A new database, which is removed again."""
    with TemporaryDirectory(dir=task.folder) as folder, _open(Path(folder) / "memory.db") as tacit:
        yield tacit


def _ingest(task: Task, drafts: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    """How long it took until the writes returned, and until nothing is left to be made."""
    with (
        TemporaryDirectory(dir=task.folder) as folder,
        _open(Path(folder) / "memory.db", "minilm") as tacit,
    ):
        tacit.warm()
        start = perf_counter()
        for begin in range(0, len(drafts), _BATCH):
            tacit.memories.remember_all(drafts[begin : begin + _BATCH])
        returned = _milliseconds(start)
        while _is_encoding(tacit):
            sleep(_PAUSE_SECONDS)
        return returned, _milliseconds(start)


def _is_encoding(tacit: Any) -> bool:
    """Whether token codes are still made in the background; older revisions make none."""
    counts = tacit.workspace.stats().counts
    made = getattr(counts, "token_codes", None)
    return made is not None and sum(made.values()) < sum(counts.by_state.values())


def _filled(task: Task, texts: Sequence[str] = (), embedder: object = "none") -> Path:
    """A database with the same memories for every revision, made by its first process."""
    path = task.folder / f"{task.memories}{'' if embedder == 'none' else '-embedded'}.db"
    if not path.exists():
        making = path.with_suffix(".making")
        with _open(making, embedder) as tacit:
            given = texts or make_texts(task.memories)
            for start in range(0, len(given), _BATCH):
                tacit.memories.remember_all(given[start : start + _BATCH])
            if embedder != "none":
                tacit.archive.embed_missing()
        making.rename(path)
    return path


def _median(task: Task, work: Callable[[], object]) -> float:
    times = []
    for _ in range(task.repeats):
        start = perf_counter()
        work()
        times.append(_milliseconds(start))
    return median(times)


def _p50_and_p95(measure: str, work: Callable[[str], object], given: Sequence[str]) -> Figures:
    """How long a call usually takes, and how long nearly always."""
    times = []
    for each in given:
        start = perf_counter()
        work(each)
        times.append(_milliseconds(start))
    cuts = quantiles(times, n=20, method="inclusive")
    return {f"{measure}, p50": cuts[9], f"{measure}, p95": cuts[18]}


def _say_preference(tacit: Any, number: int) -> None:
    said = f"I prefer tool{number} over tool{number + 1} in {_topic(number)} code."
    with tacit.turn(session=f"s{number}", text=said, **_LENIENT) as turn:
        turn.commit("I see.")


def _milliseconds(start: float) -> float:
    return (perf_counter() - start) * 1e3


def _topic(number: int) -> str:
    return _TOPICS[number % len(_TOPICS)]
