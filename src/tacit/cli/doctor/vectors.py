"""Vectors: whether every memory has one of the embedder's model."""

import os
import shlex
from collections.abc import Iterator, Sequence

from tacit.cli.doctor.embedder import embedder_name
from tacit.cli.doctor.finding import Finding, doubtful, fine
from tacit.cli.doctor.installation import Installation
from tacit.cli.doctor.place import opened
from tacit.cli.doctor.tenants import counted, examined, listed
from tacit.core.vectors import EmbeddingModel
from tacit.embedding.minilm.model_files import MODEL
from tacit.embedding.registry import shared_embedder
from tacit.store.location import is_url
from tacit.store.protocols.store import Store


def look(installation: Installation) -> Iterator[Finding]:
    """Memories that are found by words only, and vectors that nothing reads now."""
    name = embedder_name()
    if name == "none":
        return
    with opened(installation) as store:
        if store is None:
            return
        model = MODEL
        if name != "minilm" and (embedder := shared_embedder(name)) is not None:
            model = embedder.model
        names, told = examined(store)
        lacking = {each: count for each in names if (count := _lacking(store, each, model))}
        yield _missing(lacking, model, told, _option(installation))
        yield from _others(store, names, model)


def _lacking(store: Store, workspace: str, model: EmbeddingModel) -> int:
    with store.read(workspace) as unit:
        return unit.vectors.lacking(model)


def _missing(lacking: dict[str, int], model: EmbeddingModel, told: str, option: str) -> Finding:
    if not lacking:
        return fine("vectors", f"every memory in {told} has one of {model.name}")
    first = next(iter(lacking))
    more = "" if len(lacking) == 1 else f", and the same for {listed(list(lacking)[1:])}"
    return doubtful(
        "vectors",
        f"without one of {model.name}, and found by words only:"
        f" {counted(sum(lacking.values()), 'memory')} in {counted(len(lacking), 'workspace')}",
        f"run: tacit embed --workspace {shlex.quote(first)}{option}{more}",
    )


def _option(installation: Installation) -> str:
    """How to name the store again, where the environment does not; a URL may hold a password."""
    if installation.db is None or installation.db == os.environ.get("TACIT_DB"):
        return ""
    return " --db …" if is_url(installation.db) else f" --db {shlex.quote(installation.db)}"


def _others(store: Store, workspaces: Sequence[str], model: EmbeddingModel) -> Iterator[Finding]:
    held: set[EmbeddingModel] = set()
    for workspace in workspaces:
        with store.read(workspace) as unit:
            held.update(unit.vectors.models())
    names = sorted({f"{other.name} ({other.revision})" for other in held - {model}})
    if names:
        yield fine("vectors", f"of other models too, which are kept and not used: {listed(names)}")
