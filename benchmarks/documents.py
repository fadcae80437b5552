"""Documents: how fast a folder is read, how soon a change is seen, and what a search takes."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.context import Context
from benchmarks.figures import p50_and_p95, seconds
from benchmarks.report import Report, Row
from tacit import Tacit
from tacit.settings.grounding import GroundingSettings

_CHANGES = 20
_SEARCHES = 300
_CHUNKS = 10_000
_PATIENCE = 30.0
_ENDINGS = (".txt", ".md", ".rst")
_QUESTION = "how do I cache a page per user and delete it when the model behind it changes"
_OWN = Path(__file__).parents[1] / "docs"


def run(context: Context) -> Report:
    """Everything on a copy of a folder, in a store of its own, without and with vectors."""
    data = _pages(context)
    rows: list[Row] = []
    with Tacit.open(context.folder / "words.db", embedder="none") as tacit:
        rows += _reading(context, tacit, data)
    with Tacit.open(context.folder / "vectors.db") as tacit:
        rows += _embedding(context, tacit, data)
    with Tacit.open(context.folder / "large.db", embedder="none") as tacit:
        rows += _searching(context, tacit, data)
    with Tacit.open(context.folder / "watched.db", embedder="none") as tacit:
        rows += _watching(context, tacit)
    return Report(
        title=f"Documents: {data.name}",
        columns=("what", "median", "p95", "unit"),
        rows=rows,
        notes=(
            "Targets: 50 files/s without vectors; a change seen within 2 s.",
            f"Searches are in {_CHUNKS:,} chunks or more, by words, hashes of files checked.",
        ),
    )


def _pages(context: Context) -> Path:
    """The folder that is named, if there is something to read, or our own pages."""
    data = context.data
    return data if data and any(each.suffix in _ENDINGS for each in data.rglob("*")) else _OWN


def _reading(context: Context, tacit: Tacit, data: Path) -> list[Row]:
    context.say("reading")
    tacit.documents.add(data)
    took = seconds(tacit.documents.index)
    again = seconds(tacit.documents.index)
    return [
        ("reading, without vectors", tacit.documents.status().files / took, None, "files/s"),
        ("looking again, nothing changed", 1e3 * again, None, "ms"),
    ]


def _embedding(context: Context, tacit: Tacit, data: Path) -> list[Row]:
    tacit.documents.add(data)
    started = time.perf_counter()
    report = tacit.documents.index()
    tacit.archive.embed_missing(
        progress=lambda stage, done, total: context.say(f"{stage} {done:,} of {total:,}")
    )
    took = time.perf_counter() - started
    return [("reading, with vectors", report.indexed / took, None, "files/s")]


def _searching(context: Context, tacit: Tacit, data: Path) -> list[Row]:
    """The folder as often as it takes to have enough chunks."""
    copies = context.folder / "copies"
    number = 0
    while tacit.documents.status().chunks < _CHUNKS:
        context.say(f"copy {number + 1}")
        _copy(data, copies / str(number))
        if not number:
            tacit.documents.add(copies)
        tacit.documents.index()
        number += 1
    size = GroundingSettings().max_doc_excerpt_bytes
    tacit.documents.excerpts("first", 3, size)
    context.say("searching")
    words, times = _QUESTION.split(), []
    for count in range(_SEARCHES):
        text = " ".join(words[count % 8 : count % 8 + 4 + count % 7])
        times.append(seconds(lambda text=text: tacit.documents.excerpts(text, 3, size)))
    return [_row("three excerpts", times)]


def _watching(context: Context, tacit: Tacit) -> list[Row]:
    """From the write of a file to the first search that finds what it says."""
    folder = context.folder / "watched"
    folder.mkdir()
    (folder / "page.md").write_text("# Page\n\nNothing yet.")
    tacit.documents.add(folder)
    _until(lambda: bool(tacit.documents.search("nothing yet").hits))
    times = []
    for number in range(_CHANGES):
        context.say(f"change {number + 1} of {_CHANGES}")
        word = f"giraffe{number:03}"
        (folder / f"page{number}.md").write_text(f"# Page\n\nThe word is {word}.")
        times.append(seconds(lambda word=word: _until(lambda: word in _first(tacit, word))))
    return [_row("a new file, until it is found", times)]


def _first(tacit: Tacit, text: str) -> str:
    return "".join(hit.text for hit in tacit.documents.search(text, 1).hits)


def _until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + _PATIENCE
    while not is_so():
        if time.monotonic() > end:
            raise SystemExit("documents: a change was not seen")
        time.sleep(0.01)


def _copy(source: Path, target: Path) -> None:
    """The texts of a folder, each a little different, so that none is known."""
    for path in sorted(source.rglob("*")):
        if path.suffix in _ENDINGS and path.is_file():
            place = target / path.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(path.read_bytes() + f"\n\n{target.name}\n".encode())


def _row(name: str, times: Sequence[float]) -> Row:
    p50, p95 = p50_and_p95(times)
    return (name, 1e3 * p50, 1e3 * p95, "ms")
