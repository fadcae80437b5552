"""How long a prompt takes to be put together, as the log and the documents grow."""

from pathlib import Path
from time import perf_counter

from benchmarks.clustered import ClusteredEmbedder
from benchmarks.context import Context
from benchmarks.figures import p50_and_p95
from benchmarks.report import Report, Row
from benchmarks.token_codes import encode_tokens
from tacit import Tacit

_LINES = (1_000, 100_000)
_FILES = 250
_SECTIONS = 20
_RUNS = 200
_PATIENT = {"deadline_ms": 20_000}

_SUBJECTS = ("deploy", "billing", "search", "login", "mail", "cache", "backup", "queue")
_WORDS = [
    f"{first}{last}" for first in ("ro", "ta", "mi", "su", "le") for last in ("na", "ber", "kit")
]
_ASKED = [
    f"Which file in the docs tells of the {subject} of service {number}?"
    for number in range(25)
    for subject in _SUBJECTS
]


def run(context: Context) -> Report:
    """The same questions after a short log and after a long one, embedding excluded."""
    rows: list[Row] = []
    for lines in _LINES:
        folder = context.folder / str(lines)
        _write_documents(folder / "docs")
        with Tacit.open(folder / "memory.db", embedder=ClusteredEmbedder()) as tacit:
            context.say(f"indexing {_FILES * _SECTIONS:,} sections")
            tacit.documents.add(folder / "docs")
            tacit.documents.index()
            encode_tokens(tacit)
            context.say(f"writing {lines:,} lines")
            _talk(tacit, folder, lines)
            rows += [_row(tacit, lines, context)]
    return Report(
        title="Grounding: from a message to a prompt, in ms",
        columns=(
            *("log", "chunks", "p50", "p95", "p50 without the turn", "p95 without the turn"),
            *("with documents", "summaries written"),
        ),
        rows=rows,
        notes=(
            "Memory's turn, policy, summary, tail, documents and assembly; no model is in it."
            " Target: p95 ≤ 20 with 100,000 lines and 10,000 chunks.",
        ),
    )


def _write_documents(folder: Path) -> None:
    folder.mkdir(parents=True)
    for number in range(_FILES):
        sections = [
            f"## Part {part}\n\nThe {subject} of service {number} runs on host {number * part}."
            f" Team {part} looks after it; step {part} of the runbook restarts it.\n\n"
            + _filler(number * _SECTIONS + part)
            for part in range(_SECTIONS)
            for subject in [_SUBJECTS[part % len(_SUBJECTS)]]
        ]
        text = f"# Service {number}\n\n" + "\n".join(sections)
        (folder / f"service-{number}.md").write_text(text, "utf-8")


def _filler(number: int) -> str:
    """Some 450 tokens of words that other sections have too, so that each is a chunk."""
    words = (_WORDS[(number * 7 + place * place) % len(_WORDS)] for place in range(350))
    return " ".join(words) + ".\n"


def _talk(tacit: Tacit, folder: Path, lines: int) -> None:
    """A log of so many lines, three to an entry; the last exchange is written by the library."""
    log = folder / "workspaces" / "default" / "logs" / "chats" / "local" / "room.md"
    with tacit.ground("The first words of it all.", external_id="room", **_PATIENT) as grounding:
        grounding.commit("Noted.")
    entry = "## 2026-03-01T12:00:00.000Z {}\nWord {} about the service and its host.\n\n"
    kinds = ("INBOUND", "OUTBOUND")
    with log.open("a", encoding="utf-8") as file:
        for number in range(lines // 3):
            file.write(entry.format(kinds[number % 2], number))


def _row(tacit: Tacit, lines: int, context: Context) -> Row:
    with tacit.ground(_ASKED[0], external_id="room", **_PATIENT) as first:
        first.commit("Noted.")
    times: list[float] = []
    alone: list[float] = []
    documents = refreshed = 0
    for number in range(_RUNS):
        context.say(f"{lines:,} lines: {number} of {_RUNS}")
        begun = perf_counter()
        grounding = tacit.ground(_ASKED[number % len(_ASKED)], external_id="room", **_PATIENT)
        times.append(1_000 * (perf_counter() - begun))
        alone.append(times[-1] - grounding.receipt.timings_ms["total"])
        documents += grounding.metrics.used_qmd
        refreshed += grounding.metrics.summary_refreshed
        grounding.commit("Noted.")
        tacit.learn()
    chunks = tacit.documents.status().chunks
    whole, parts = p50_and_p95(times), p50_and_p95(alone)
    return (f"{lines:,} lines", chunks, *whole, *parts, documents, refreshed)
