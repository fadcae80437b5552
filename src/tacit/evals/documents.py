"""Documents: questions about the pages of a folder, and whether the right page is among the first.

The questions of our sets are about the documentation of Django 5.2, whose folder is named. Plain
full text over whole pages stands beside the search.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import apsw

from tacit.api.tacit import Tacit
from tacit.core.errors import ArchiveError
from tacit.evals.corpus import Progress, SetHalf, caching_embedder, load_entries
from tacit.runtime.files import cache_folder

_FIRST = 3
_WORD = re.compile(r"\w+")
_ENDINGS = (".txt", ".rst", ".md", ".markdown")

Found = Sequence[Sequence[str]]
"""For each question the pages that were found, best first."""


def evaluate_documents(
    folder: Path, progress: Progress, half: SetHalf = SetHalf.HELD
) -> dict[str, Any]:
    """The share of questions whose page is the first, and that of those with it among three."""
    if not folder.is_dir():
        raise ArchiveError(f"{folder}: is no folder; name that of the documents")
    entries = load_entries("documents", half)
    questions = [entry["question"] for entry in entries]
    with _open_folder(folder) as tacit:
        tacit.documents.add(folder)
        tacit.documents.index(progress)
        if tacit.workspace.embedder_name is not None:
            tacit.archive.embed_missing(progress=lambda _, done, total: progress(done, total))
        status = tacit.documents.status()
        found = [_ask(tacit, question) for question in questions]
    plain = _by_full_text(folder, questions)
    return {
        "questions": len(entries),
        "files": status.files,
        "chunks": status.chunks,
        "first": _recall(entries, found, 1),
        "recall": _recall(entries, found, _FIRST),
        "full_text_first": _recall(entries, plain, 1),
        "full_text_recall": _recall(entries, plain, _FIRST),
        "failures": list(_failures(entries, found)),
    }


@contextmanager
def _open_folder(folder: Path) -> Iterator[Tacit]:
    """A store that is kept, so that a second run reads and embeds only what has changed."""
    name = sha256(str(folder.resolve()).encode()).hexdigest()[:12]
    place = cache_folder() / "evals" / f"documents-{name}"
    place.mkdir(parents=True, exist_ok=True)
    with Tacit.open(place / "documents.db", embedder=caching_embedder()) as tacit:
        yield tacit


def _ask(tacit: Tacit, question: str) -> list[str]:
    return [hit.source for hit in tacit.documents.search(question, _FIRST).hits]


def _recall(entries: Sequence[Mapping[str, Any]], found: Found, first: int) -> float:
    right = sum(
        not set(entry["pages"]).isdisjoint(pages[:first])
        for entry, pages in zip(entries, found, strict=True)
    )
    return right / len(entries) if entries else 0.0


def _failures(entries: Iterable[Mapping[str, Any]], found: Found) -> Iterator[str]:
    for entry, pages in zip(entries, found, strict=True):
        if set(entry["pages"]).isdisjoint(pages[:_FIRST]):
            yield f"{entry['id']} {', '.join(entry['pages'])}: found {', '.join(pages)}"


def _by_full_text(folder: Path, questions: Iterable[str]) -> list[list[str]]:
    """What SQLite's own full text search over whole pages finds, by its BM25."""
    with closing(apsw.Connection(":memory:")) as database:
        database.execute("CREATE VIRTUAL TABLE pages USING fts5(name UNINDEXED, text)")
        for path in sorted(folder.rglob("*")):
            if path.suffix.lower() in _ENDINGS and path.is_file():
                row = (path.relative_to(folder).as_posix(), path.read_text("utf-8", "replace"))
                database.execute("INSERT INTO pages VALUES (?, ?)", row)
        return [_best_by_full_text(database, question) for question in questions]


def _best_by_full_text(database: apsw.Connection, question: str) -> list[str]:
    words = " OR ".join(f'"{word}"' for word in _WORD.findall(question))
    asked = "SELECT name FROM pages WHERE pages MATCH ? ORDER BY rank LIMIT ?"
    return [str(name) for (name,) in database.execute(asked, (words, _FIRST))]
