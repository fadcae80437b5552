"""Secrets: whether one that was said is found again in any file, and what is hidden needlessly."""

import json
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import apsw

from tacit.api.tacit import Tacit
from tacit.core.errors import ArchiveError
from tacit.evals.corpus import Progress, SetHalf, load_entries, load_lines, mean, read_benchmark
from tacit.writing.archive.files import Format

_DATABASE = "memory.db"
_DEADLINE_MS = 60_000
_LONG_LINE = 20
"""A line of a secret that has so many characters is a secret by itself."""


@dataclass(frozen=True, slots=True)
class _SecretLeak:
    """A text that somebody should not have sent."""

    id: str
    kind: str
    text: str
    secrets: tuple[str, ...]


def evaluate_secrets(path: Path | None, progress: Progress) -> dict[str, Any]:
    """Texts with secrets, remembered, said in turns and imported; then every file is read.

    `gone` is the share of secrets that no file holds: neither its bytes nor a value of the
    database, plain or escaped, while the store is open or once it is closed. `changed` is the
    share of ordinary sentences that are not stored as they were said. A file of one's own,
    `secrets_x.jsonl`, has its ordinary sentences beside it in `ordinary_x.txt`.
    """
    leaks, ordinary = _sets(path)
    with TemporaryDirectory() as folder:
        database = Path(folder) / _DATABASE
        with Tacit.open(database, embedder="none") as tacit:
            for number, leak in enumerate(leaks, start=1):
                _say(tacit, leak)
                progress(number, len(leaks))
            tacit.learn()
            held = dict(_stored_bytes(Path(folder), "open"))
        held |= _stored_bytes(Path(folder), "closed")
        changed = _changed_lines(database, ordinary)
    found = [(leak, _find_secret(secret, held)) for leak in leaks for secret in leak.secrets]
    return {
        "gone": mean([float(not where) for _, where in found]),
        "changed": len(changed) / len(ordinary) if ordinary else 0.0,
        "secrets": len(found),
        "ordinary": len(ordinary),
        "failures": [
            *(f"{leak.id} {leak.kind}: is in {', '.join(where)}" for leak, where in found if where),
            *(f"changed: {said} -> {kept}" for said, kept in changed.items()),
        ],
    }


def _sets(path: Path | None) -> tuple[list[_SecretLeak], list[str]]:
    if path is None:
        entries, ordinary = (
            load_entries("secrets", SetHalf.HELD),
            load_lines(f"ordinary_{SetHalf.HELD}.txt"),
        )
        return [_to_leak(each) for each in entries], ordinary
    try:
        lines = [line for line in read_benchmark(path).splitlines() if line.strip()]
        leaks = [_to_leak(json.loads(line)) for line in lines]
    except (ValueError, LookupError, TypeError) as error:
        raise ArchiveError(f"{path}: is not a set of secrets ({error!r})") from None
    beside = path.with_name(f"ordinary_{path.stem.removeprefix('secrets_')}.txt")
    return leaks, read_benchmark(beside).decode().splitlines() if beside.exists() else []


def _to_leak(entry: Mapping[str, Any]) -> _SecretLeak:
    """A text is kept apart from its secrets, and they in parts, so that no scanner finds them."""
    secrets = tuple("".join(parts) for parts in entry["secrets"])
    text = str(entry["text"])
    for place, secret in enumerate(secrets):
        text = text.replace(f"{{{place}}}", secret)
    return _SecretLeak(str(entry["id"]), str(entry["kind"]), text, secrets)


def _say(tacit: Tacit, leak: _SecretLeak) -> None:
    """Store a text in every way: as a memory, in a turn and its reply, and cut into lines."""
    tacit.remember(leak.text, tags=[leak.id], metadata={"said": leak.text, "as": {"it": leak.text}})
    begin = partial(tacit.turn, session=leak.id, deadline_ms=_DEADLINE_MS)
    with begin(text=leak.text, history=[]) as turn:
        turn.commit(f"You said: {leak.text}")
    begin(text="what was that again?", history=turn.history)  # and left open
    line = json.dumps({"content": leak.text, "origin": {"file": leak.id}})
    imported = tacit.workspace.open("imported")
    imported.archive.import_from(BytesIO(line.encode()))
    for format in (Format.LINES, Format.MARKDOWN):
        with suppress(ArchiveError):  # what is JSON is no Markdown
            imported.archive.import_from(BytesIO(leak.text.encode()), format=format)


def _stored_bytes(folder: Path, state: str) -> Iterator[tuple[str, bytes]]:
    """What every file holds, and every value of the database, by where it stands."""
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            yield f"{file.name} ({state})", file.read_bytes()
    flags = apsw.SQLITE_OPEN_READONLY
    with apsw.Connection(str(folder / _DATABASE), flags=flags) as database:
        tables = [name for (name,) in database.execute(_TABLES)]
        for table in tables:
            values = (
                value for row in database.execute(f'SELECT * FROM "{table}"') for value in row
            )
            yield f"table {table} ({state})", b"\n".join(map(_to_bytes, values))


_TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table'"


def _to_bytes(value: Any) -> bytes:
    """A value as bytes; what was compressed is unpacked."""
    if not isinstance(value, bytes):
        return str(value).encode()
    with suppress(zlib.error):
        return zlib.decompress(value)
    return value


def _find_secret(secret: str, held: Mapping[str, bytes]) -> list[str]:
    """Where a secret or a long line of it is held."""
    lines = [line.strip() for line in secret.splitlines()]
    parts = [secret, *(line for line in lines if len(line) >= _LONG_LINE)]
    forms = {form.encode() for part in parts for form in _forms(part)}
    return [place for place, content in held.items() if any(form in content for form in forms)]


def _forms(text: str) -> tuple[str, ...]:
    """A text as it is, and as JSON may write it."""
    return text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]


def _changed_lines(database: Path, ordinary: list[str]) -> dict[str, str]:
    """The sentences that are not stored as they were said, with what is stored instead."""
    with Tacit.open(database, "ordinary", embedder="none") as tacit:
        kept = tacit.memories.remember_all(ordinary)
    pairs = zip(ordinary, kept, strict=True)
    return {said: each.memory.content for said, each in pairs if each.memory.content != said}
