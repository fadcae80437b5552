"""What token codes take: on the disk of each backend, and in the memory of a process."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.batches import batches
from benchmarks.clustered import ClusteredEmbedder
from benchmarks.context import Context
from benchmarks.fresh import resident
from benchmarks.report import Report, Row
from benchmarks.sentences import make_turns, natural_queries
from benchmarks.server import database, server
from benchmarks.texts import make_texts
from benchmarks.token_codes import encode_tokens
from tacit import Tacit
from tacit.search import indexes

_TOKENS = 35
_QUERIES = 500
_MEGABYTE = 1_000_000
_TARGET_BYTES = 1_500


class _WithoutTokens(ClusteredEmbedder):
    """The same vectors, and no tokens."""

    token_model = None


def run(context: Context) -> Report:
    """The same turns with and without codes, in both backends; then searches of one of them."""
    count = context.memories
    texts = [" ".join(text.split()[:_TOKENS]) for text in _join(make_texts(2 * count, seed=6))]
    rows: list[Row] = []
    with _places(context.folder) as places:
        for backend, (without, filled) in places.items():
            context.say(f"{backend}: remembering")
            before = _fill(without, texts, _WithoutTokens()) / count
            after = _fill(filled, texts, ClusteredEmbedder()) / count
            rows.append((f"{backend}, a memory on disk", "bytes", before, after, after - before))
    context.say("searching")
    rows.append(("process, after searches", "MB", *_memory(context.folder / "with.db", texts)))
    over = rows[0][4]
    met = "met" if isinstance(over, float) and over <= _TARGET_BYTES else "MISSED"
    return Report(
        title=f"Space: {count:,} memories of {_TOKENS} tokens in sessions",
        columns=("measure", "unit", "without codes", "with codes", "difference"),
        rows=rows,
        notes=(
            "Every memory but the first two of a session is encoded behind two others, which its"
            " codes name.",
            f"The process has searched {_QUERIES} times, and so read the codes of many memories;"
            f" it holds at most {indexes._MOST_CODE_BYTES / _MEGABYTE:,.0f} MB of them.",
            f"{met}: codes on disk with SQLite, target ≤ {_TARGET_BYTES:,} bytes",
        ),
    )


def _join(texts: list[str]) -> list[str]:
    """Two texts as one, which has enough words."""
    return [f"{one} {other}" for one, other in zip(texts[::2], texts[1::2], strict=True)]


@contextmanager
def _places(folder: Path) -> Iterator[dict[str, tuple[str, str]]]:
    """A place without codes and one with them, in each backend."""
    with (
        server() as url,
        database(url, "tacit_space_without") as without,
        database(url, "tacit_space_with") as filled,
    ):
        yield {
            "SQLite": (str(folder / "without.db"), str(folder / "with.db")),
            "PostgreSQL": (without, filled),
        }


def _fill(place: str, texts: list[str], embedder: ClusteredEmbedder) -> float:
    """Write all turns; returns how many bytes the database then has."""
    with Tacit.open(place, embedder=embedder) as tacit:
        for batch in batches(make_turns(texts)):
            tacit.memories.remember_all(batch)
        encode_tokens(tacit)
    with Tacit.open(place, embedder=embedder) as tacit:
        return float(str(tacit._context.store.describe()["bytes"]))


def _memory(path: Path, texts: list[str]) -> tuple[float, float, float]:
    """The memory of this process after searches without tokens, and after the same with them."""
    queries = natural_queries(texts, _QUERIES)
    found = []
    with Tacit.open(path, embedder=ClusteredEmbedder()) as tacit:
        for mode in ("off", "auto"):
            for query in queries:
                tacit.search(query, late_interaction=mode)
            found.append(resident() / _MEGABYTE)
    without, filled = found
    return without, filled, filled - without
