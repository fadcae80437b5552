"""Learning for many workspaces in one process: how soon, and how many a second."""

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import perf_counter

from benchmarks.context import Context
from benchmarks.figures import Figure, latency, rate, side_by_side
from benchmarks.report import Report
from tacit import Embedder, Tacit
from tacit.embedding.minilm.embedder import MiniLM
from tacit.writing.learning.lesson import Learned

_WORKSPACES = 100
_SAID = "By the way, I prefer {} over spaces in Go code, and our API runs on port {}."
_MOST_SECONDS = 300.0


def run(context: Context) -> Report:
    """A turn in each of many workspaces, until what was said in it is learned."""
    ways: dict[str, Embedder | str] = {"without a model": "none", "local model": MiniLM.open()}
    columns = {}
    for name, embedder in ways.items():
        context.say(name)
        columns[name] = _measure(context, name, embedder)
    return Report(
        title=f"Learning: one turn in each of {_WORKSPACES} workspaces of one process",
        columns=("measure", "unit", *columns),
        rows=side_by_side(columns),
        notes=(
            "Until learned: from the end of a commit to the memory, while turns go on.",
            "Workspaces: when a turn waits in each of them, and no more turns come.",
        ),
    )


def _measure(context: Context, name: str, embedder: Embedder | str) -> list[Figure]:
    with Tacit.open(context.folder / f"{name}.db", embedder=embedder) as tacit:
        _say(tacit, "warm-up").learn()
        learned = _LearningTimes(tacit)
        committed = _say_everywhere(tacit, "soon")
        soon = learned.wait_for(committed)
        with _held_up(tacit):
            waiting = _say_everywhere(tacit, "waiting")
        start = perf_counter()
        last = max(learned.wait_for(waiting).values())
    return [
        *latency("until learned", [soon[each] - committed[each] for each in committed]),
        rate("workspaces", _WORKSPACES, last - start),
    ]


def _say_everywhere(tacit: Tacit, name: str) -> dict[str, float]:
    """Commit a turn in each workspace; returns when, by session."""
    committed = {}
    for number in range(_WORKSPACES):
        session = f"{name}-{number}"
        _say(tacit, session)
        committed[session] = perf_counter()
    return committed


@contextmanager
def _held_up(tacit: Tacit) -> Iterator[None]:
    """Let nothing be learned meanwhile, so that all of it waits."""
    begin = threading.Event()
    for reader in tacit._context.shared.learning_workers.readers:
        reader.submit(begin.wait)
    try:
        yield
    finally:
        begin.set()


def _say(tacit: Tacit, name: str) -> Tacit:
    """Commit a turn in a workspace; its session has the same name."""
    own = tacit.workspace.open(name)
    with own.turn(session=name, text=_SAID.format(f"tabs of {name}", len(name))) as turn:
        turn.commit("I see.")
    return own


class _LearningTimes:
    """When the turn of each session was learned."""

    def __init__(self, tacit: Tacit) -> None:
        self._times: dict[str, float] = {}
        self._changed = threading.Condition()
        tacit.workspace.watch_learning(self._note)

    def wait_for(self, sessions: Iterable[str]) -> dict[str, float]:
        """Wait until all sessions were learned from."""
        with self._changed:
            self._changed.wait_for(lambda: self._times.keys() >= set(sessions), _MOST_SECONDS)
            return {session: self._times[session] for session in sessions}

    def _note(self, learned: Learned) -> None:
        with self._changed:
            for lesson in learned.lessons:
                self._times.setdefault(lesson.session, perf_counter())
            self._changed.notify_all()
