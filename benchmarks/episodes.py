"""Episodes beside memories: what they add to a turn, and what one costs to keep."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import mean
from time import perf_counter, process_time

from benchmarks.batches import batches
from benchmarks.clustered import ClusteredEmbedder
from benchmarks.context import Context
from benchmarks.figures import Figure, latency
from benchmarks.minilm import minilm
from benchmarks.report import Report, Row
from benchmarks.sentences import english_queries, make_sentences
from benchmarks.texts import make_texts
from benchmarks.timed_model import TimedModel
from tacit import Tacit
from tacit.core.episodes import Episode, EpisodeRole, to_episode_id
from tacit.runtime.clock import new_id
from tacit.store.episodes import EpisodeTable
from tacit.store.workspaces import episodes_workspace

_OWNERS = ("ann", "ben", "cy", "dee")
_SIZE = 100_000
_TURNS = 300
_SAID = 200
_SESSION = 20
_TARGET = 1.3
_WHOLE_WAY = {"contextual_min_score": 0.0, "deadline_ms": 60_000}
_NOTES = (
    "Memories and episodes of four users, with generated vectors and token codes; messages of 10 to"
    " 25 tokens, embedded by MiniLM. Turns with and without episodes alternate in one process, each"
    " with a message of its own; the relevance floor is 0, so that every turn goes the whole way.",
    "Keeping is what the background does after a commit: cut, write, embed, compare with what was"
    " said before, and encode tokens. It is the difference to the same turns without it.",
)


def run(context: Context) -> Report:
    """Turns with the memories alone, and with as many episodes; then the cost of keeping some."""
    size = max(min(context.sizes[-1], _SIZE), 1_000)
    path = context.folder / "episodes.db"
    _fill(path, size, context)
    context.say("turns")
    with Tacit.open(path, embedder=TimedModel(ClusteredEmbedder())) as tacit:
        tacit.warm()
        alone, both, stage = _measure_turns(tacit)
    rows: list[Row] = [
        (one.measure, one.unit, one.value, other.value, other.value / one.value)
        for one, other in zip(alone, both, strict=True)
    ]
    rows.append(("stage episodes, mean", "ms", 0.0, stage, None))
    context.say("keeping")
    rows += [
        (each.measure, each.unit, None, each.value, None) for each in _measure_keeping(context)
    ]
    ratio = both[0].value / alone[0].value
    return Report(
        title=f"Episodes: {size:,} beside {size:,} memories of {len(_OWNERS)} users",
        columns=("measure", "unit", "memories", "with episodes", "ratio"),
        rows=rows,
        notes=(
            *_NOTES,
            f"{'met' if ratio <= _TARGET else 'MISSED'}: turn, p50: {ratio:.2f},"
            f" target ≤ {_TARGET}",
        ),
    )


def _fill(path: Path, size: int, context: Context) -> None:
    context.say(f"{size:,} memories")
    with Tacit.open(path, embedder=ClusteredEmbedder()) as tacit:
        owned = (
            {"content": text, "scope": "user", "scope_id": _OWNERS[number % len(_OWNERS)]}
            for number, text in enumerate(make_sentences(size))
        )
        for batch in batches(list(owned)):
            tacit.memories.remember_all(batch)
        context.say(f"{size:,} episodes")
        for kept in batches(list(_make_episodes(size))):
            with tacit._context.store.write(episodes_workspace(tacit.workspace.name)) as unit:
                for episode in kept:
                    EpisodeTable(unit).add(episode, episode.id)
        context.say("vectors and tokens")
        tacit.archive.embed_missing()


def _make_episodes(size: int) -> Iterator[Episode]:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    for number, text in enumerate(make_texts(size, seed=24)):
        user = _OWNERS[number // _SESSION % len(_OWNERS)]
        yield Episode(
            id=to_episode_id(new_id()),
            session=f"{user}-{number // (_SESSION * len(_OWNERS))}",
            place=number % _SESSION + 1,
            role=EpisodeRole.USER,
            at=start + timedelta(minutes=number),
            text=text,
            user=user,
        )


def _measure_turns(tacit: Tacit) -> tuple[list[Figure], list[Figure], float]:
    """Turns with and without episodes, in turns, and what the search of episodes takes."""
    durations: dict[int, list[float]] = {0: [], 6: []}
    stages = []
    for number, text in enumerate(english_queries(2 * _TURNS, 10, 25)):
        lines = 6 * (number % 2)
        start = perf_counter()
        turn = tacit.turn(
            session=f"s-{number}", text=text, user="ann", episode_lines=lines, **_WHOLE_WAY
        )
        durations[lines].append(perf_counter() - start)
        turn.roll_back()
        if lines:
            stages.append(turn.receipt.timings_ms["episodes"])
    return latency("turn", durations[0]), latency("turn", durations[6]), mean(stages)


def _measure_keeping(context: Context) -> list[Figure]:
    """What it costs to keep messages with the real model: on disk, and of a processor's time.

    The same turns are taken without keeping what is said, so that only the difference counts.
    """
    said = make_texts(2 * _SAID, seed=25)
    cost = {policy: _converse(context.folder, policy, said) for policy in ("off", "user")}
    grown, spent = (one - other for one, other in zip(cost["user"], cost["off"], strict=True))
    return [
        Figure("an episode on disk", "bytes", grown / _SAID),
        Figure("keeping an episode, CPU", "ms", spent / _SAID * 1e3),
    ]


def _converse(folder: Path, policy: str, said: Sequence[str]) -> tuple[float, float]:
    """The bytes and the processor's time that the second half of some messages takes."""
    path, config = folder / f"kept-{policy}.db", folder / f"{policy}.toml"
    config.write_text(f'[writing]\nepisodes = "{policy}"\n', "utf-8")
    measured = []
    for half in (said[:_SAID], said[_SAID:]):
        with Tacit.open(path, embedder=minilm(), config=config) as tacit:
            tacit.warm()
            start = process_time()
            _say(tacit, f"s-{len(measured)}", half)
            tacit.archive.embed_missing()
            spent = process_time() - start
        measured.append((_bytes_of(path), spent))
    return float(measured[1][0] - measured[0][0]), measured[1][1]


def _say(tacit: Tacit, session: str, texts: Sequence[str]) -> None:
    for text in texts:
        with tacit.turn(session=session, history=None, text=text) as turn:
            turn.commit("Understood.")
    tacit.learn()


def _bytes_of(path: Path) -> int:
    return sum(each.stat().st_size for each in path.parent.glob(f"{path.name}*"))
