"""Checks of the embedder, and whether every memory has a vector and tokens of its models."""

import os
import shlex
import time
from collections.abc import Iterator, Sequence

from tacit.cli.doctor.configuration import load_settings
from tacit.cli.doctor.findings import (
    DoctorFinding,
    Installation,
    error_finding,
    ok_finding,
    warning_finding,
)
from tacit.cli.doctor.store_access import (
    format_names,
    open_store_unchanged,
    workspaces_to_check,
)
from tacit.cli.output import format_count
from tacit.core.vectors import EmbeddingModel
from tacit.embedding.embedder import Embedder, token_model_of
from tacit.embedding.minilm.embedder import MiniLM, find_model_problems
from tacit.embedding.minilm.model_files import MODEL, ModelCache
from tacit.embedding.minilm.provision import configured_sources
from tacit.embedding.registry import check_embedder_name, open_embedder, shared_embedder
from tacit.search.query_embedding import choose_token_embedder
from tacit.store.location import is_url
from tacit.store.protocols.store import Store
from tacit.store.workspaces import documents_workspace

# The embedder


_WORD = "memory"


def embedder_name() -> str:
    """The name of the default embedder in this environment."""
    return os.environ.get("TACIT_EMBEDDER") or "minilm"


def check_embedder(_: Installation) -> Iterator[DoctorFinding]:
    """The embedder of this environment; nothing is fetched or built."""
    name = embedder_name()
    check_embedder_name(name)
    if name == "none":
        yield ok_finding("embedder", "none was chosen: memories are found by words only")
    elif name == "minilm":
        yield from _check_model(ModelCache.of_user())
    elif (opened := open_embedder(name)) is not None:
        try:
            yield _check_answer(opened, "at an address")
        finally:
            opened.close()  # type: ignore[attr-defined]


def _check_model(cache: ModelCache) -> Iterator[DoctorFinding]:
    if not cache.is_complete():
        sources = ", then ".join(str(source) for source in configured_sources())
        yield warning_finding(
            "embedder",
            f"{MODEL.name} is not in {cache.folder}; the first program that needs it gets it",
            f"get it now, 83 MB from {sources}: tacit model pull",
        )
    elif faults := _model_problems(cache):
        found = f"{MODEL.name} in {cache.folder}: {'; '.join(faults)}"
        yield error_finding("embedder", found, "get it anew with: tacit model pull")
    else:
        place = f"whole, {cache.size() / 1e6:,.1f} MB in {cache.folder}"
        yield _check_answer(MiniLM.load(cache), place)


def _model_problems(cache: ModelCache) -> list[str]:
    """The problems of the model; one that does not load has one problem."""
    try:
        return find_model_problems(cache)
    except Exception as error:  # the libraries have many ways to say that a file is broken
        return [f"does not load ({error})"]


def _check_answer(embedder: Embedder, place: str) -> DoctorFinding:
    start = time.perf_counter()
    embedder.embed_query(_WORD)
    took = 1_000 * (time.perf_counter() - start)
    model = f"{embedder.model.name}, {embedder.model.dims} numbers"
    return ok_finding("embedder", f"{model}, {place}; a word took {took:,.0f} ms")


# Vectors


def check_vectors(installation: Installation) -> Iterator[DoctorFinding]:
    """Memories that are found by words only, and vectors that nothing reads now."""
    name = embedder_name()
    if name == "none":
        return
    with open_store_unchanged(installation) as store:
        if store is None:
            return
        model = MODEL
        if name != "minilm" and (embedder := shared_embedder(name)) is not None:
            model = embedder.model
        names, told = workspaces_to_check(store)
        lacking = {each: count for each in names if (count := _count_lacking(store, each, model))}
        yield _missing_finding(lacking, model, told, _db_option(installation))
        yield from _check_other_models(store, names, model)


def _count_lacking(store: Store, workspace: str, model: EmbeddingModel) -> int:
    with store.read(workspace) as unit:
        return unit.vectors.lacking(model)


def _missing_finding(
    lacking: dict[str, int], model: EmbeddingModel, told: str, option: str
) -> DoctorFinding:
    if not lacking:
        return ok_finding("vectors", f"every memory in {told} has one of {model.name}")
    return warning_finding(
        "vectors",
        f"without one of {model.name}, and found by words only:"
        f" {format_count(sum(lacking.values()), 'memory')}"
        f" in {format_count(len(lacking), 'workspace')}",
        _embed_command(list(lacking), option),
    )


# Tokens


def check_tokens(installation: Installation) -> Iterator[DoctorFinding]:
    """Memories and chunks of documents that are ranked without their tokens."""
    model = _token_model(installation)
    if model is None:
        return
    with open_store_unchanged(installation) as store:
        if store is None:
            return
        names, told = workspaces_to_check(store)
        memories = {each: _count_uncoded(store, each, model) for each in names}
        chunks = {each: _count_uncoded(store, documents_workspace(each), model) for each in names}
    lacking = [each for each in names if memories[each] or chunks[each]]
    if not lacking:
        yield ok_finding("tokens", f"every memory and document in {told} has those of {model.name}")
        return
    counted = [
        format_count(sum(each.values()), noun)
        for each, noun in ((memories, "memory"), (chunks, "chunk"))
        if any(each.values())
    ]
    yield warning_finding(
        "tokens",
        f"without those of {model.name}, and ranked by vectors and words only:"
        f" {' and '.join(counted)} in {format_count(len(lacking), 'workspace')}",
        f"{_embed_command(lacking, _db_option(installation))}; a running server does it by itself",
    )


def _token_model(installation: Installation) -> EmbeddingModel | None:
    late_interaction = load_settings(installation).search.late_interaction
    embedder = choose_token_embedder(shared_embedder(embedder_name()), late_interaction)
    return None if embedder is None else token_model_of(embedder)


def _count_uncoded(store: Store, workspace: str, model: EmbeddingModel) -> int:
    with store.read(workspace) as unit:
        return unit.token_codes.lacking(model)


# The command that makes what is missing


def _embed_command(workspaces: Sequence[str], option: str) -> str:
    first, *others = workspaces
    more = f", and the same for {format_names(others)}" if others else ""
    return f"run: tacit embed --workspace {shlex.quote(first)}{option}{more}"


def _db_option(installation: Installation) -> str:
    """The --db option for a suggested command, without a URL that may hold a password."""
    if installation.db is None or installation.db == os.environ.get("TACIT_DB"):
        return ""
    return " --db …" if is_url(installation.db) else f" --db {shlex.quote(installation.db)}"


def _check_other_models(
    store: Store, workspaces: Sequence[str], model: EmbeddingModel
) -> Iterator[DoctorFinding]:
    held: set[EmbeddingModel] = set()
    for workspace in workspaces:
        with store.read(workspace) as unit:
            held.update(unit.vectors.models())
    names = sorted({f"{other.name} ({other.revision})" for other in held - {model}})
    if names:
        yield ok_finding(
            "vectors", f"of other models too, which are kept and not used: {format_names(names)}"
        )
