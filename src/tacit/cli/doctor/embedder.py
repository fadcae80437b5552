"""Checks of the embedder, and whether everything has a vector and tokens of its models."""

import os
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

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
from tacit.core.errors import TacitError
from tacit.core.vectors import EmbeddingModel, GenerationState
from tacit.embedding.embedder import Embedder, model_of, token_model_of
from tacit.embedding.minilm.embedder import MiniLM, find_model_problems
from tacit.embedding.minilm.model_files import MiniLMModel, ModelCache, find_local_model
from tacit.embedding.minilm.provision import configured_sources
from tacit.embedding.registry import (
    EmbedderSet,
    check_embedder_name,
    open_embedder,
    shared_embedder,
)
from tacit.search.query_embedding import choose_token_embedder
from tacit.store.generations import report_generations, serving_model
from tacit.store.location import is_url
from tacit.store.protocols.store import Store
from tacit.store.stats import GenerationReport
from tacit.store.workspaces import (
    documents_workspace,
    episodes_workspace,
    items_workspace,
)

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
    elif local := find_local_model(name):
        yield from _check_model(ModelCache.of_user(), local)
    elif (opened := open_embedder(name)) is not None:
        try:
            yield _check_answer(opened, "at an address")
        finally:
            opened.close()  # type: ignore[attr-defined]


def _check_model(cache: ModelCache, model: MiniLMModel) -> Iterator[DoctorFinding]:
    if not cache.is_complete():
        sources = ", then ".join(str(source) for source in configured_sources())
        yield warning_finding(
            "embedder",
            f"{model.model.name} is not in {cache.folder}; the first program that needs it gets it",
            f"get it now, 83 MB from {sources}: tacit model pull",
        )
    elif faults := _model_problems(cache):
        found = f"{model.model.name} in {cache.folder}: {'; '.join(faults)}"
        yield error_finding("embedder", found, "get it anew with: tacit model pull")
    else:
        place = f"whole, {cache.size() / 1e6:,.1f} MB in {cache.folder}"
        yield _check_answer(MiniLM.load(cache, model=model), place)


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
    """What is found by words only, which model serves, and how far a switch to another one is."""
    embedders = _open_embedders()
    if embedders.configured is None:
        return
    with open_store_unchanged(installation) as store:
        if store is None:
            return
        names, told = workspaces_to_check(store)
        model = model_of(embedders.configured)
        lacking = _find_lacking(
            names, lambda name: _count_unembedded(store, name, model), _VECTOR_PLACES
        )
        reports = {name: report_generations(store, name) for name in names}
    served = {each.model for found in reports.values() for each in found if each.is_serving}
    made_by = format_names(sorted(served)) if served else model.name
    if lacking.is_none:
        yield ok_finding(
            "vectors", f"every memory, episode, document and item in {told} has one of {made_by}"
        )
    else:
        found = f"without one of {made_by}, and found by words only: {lacking.to_text()}"
        yield warning_finding("vectors", found, _embed_command(lacking, _db_option(installation)))
    for name, found_reports in reports.items():
        yield from _check_generations(
            name, found_reports, embedders, model, _db_option(installation)
        )


def _open_embedders() -> EmbedderSet:
    """The embedders of this environment."""
    previous = os.environ.get("TACIT_PREVIOUS_EMBEDDER") or "none"
    return EmbedderSet(
        shared_embedder(embedder_name()), shared_embedder(previous, is_previous=True)
    )


def _count_unembedded(store: Store, workspace: str, model: EmbeddingModel) -> int:
    with store.read(workspace) as unit:
        return unit.vectors.lacking(serving_model(unit) or model)


def _check_generations(
    workspace: str,
    reports: Sequence[GenerationReport],
    embedders: EmbedderSet,
    configured: EmbeddingModel,
    option: str,
) -> Iterator[DoctorFinding]:
    """Whether the model that serves a workspace is that of the settings, and what else is kept."""
    command = f"tacit embed --workspace {shlex.quote(workspace)}{option}"
    for each in reports:
        told = f"workspace {workspace}: {each.model} ({each.revision})"
        count = f"{each.vectors:,} of {each.texts:,} texts"
        is_own = (each.model, each.revision) == (configured.name, configured.revision)
        if each.is_serving and not is_own:
            found = f"{told} serves, and {configured} is configured"
            yield warning_finding(
                "vectors",
                found,
                f"to switch, run: {command}; any program that stays open does it by itself",
            )
            yield from _check_at_hand(told, each, embedders)
        elif each.state is GenerationState.FILLING:
            yield ok_finding("vectors", f"{told} is being made and serves next: {count}")
        elif each.state is GenerationState.PREVIOUS:
            found = f"{told} served before, and {each.vectors:,} vectors of it are kept"
            yield ok_finding("vectors", f"{found}; to remove them, run: {command} --drop-old")


def _check_at_hand(
    told: str, served: GenerationReport, embedders: EmbedderSet
) -> Iterator[DoctorFinding]:
    try:
        embedders.find(EmbeddingModel(served.model, served.dims, served.revision))
    except TacitError as error:
        found = f"{told} cannot be opened, so that all is found by words only"
        yield warning_finding("vectors", found, str(error))


# Tokens


def check_tokens(installation: Installation) -> Iterator[DoctorFinding]:
    """Memories, episodes and chunks of documents that are ranked without their tokens."""
    embedders = _open_embedders()
    model = _token_model(installation, embedders.configured)
    if model is None:
        return

    def find_model(serving: EmbeddingModel | None) -> EmbeddingModel | None:
        if serving is None:
            return model
        with suppress(TacitError):
            return _token_model(installation, embedders.find(serving))
        return None

    with open_store_unchanged(installation) as store:
        if store is None:
            return
        names, told = workspaces_to_check(store)
        lacking = _find_lacking(names, lambda name: _count_uncoded(store, name, find_model))
        serving = _find_serving_models(store, names)
    used = {each.name for each in map(find_model, serving) if each is not None}
    made_by = format_names(sorted(used or {model.name}))
    if lacking.is_none:
        yield ok_finding(
            "tokens", f"every memory, episode and document in {told} has those of {made_by}"
        )
        return
    yield warning_finding(
        "tokens",
        f"without those of {made_by}, and ranked by vectors and words only: {lacking.to_text()}",
        f"{_embed_command(lacking, _db_option(installation))}; a running server does it by itself",
    )


def _find_serving_models(store: Store, workspaces: Sequence[str]) -> set[EmbeddingModel]:
    """The models whose vectors are searched."""
    found = set()
    for name in (place(each) for place in _PLACES.values() for each in workspaces):
        with store.read(name) as unit:
            found.add(serving_model(unit))
    return {each for each in found if each is not None}


def _token_model(installation: Installation, embedder: Embedder | None) -> EmbeddingModel | None:
    late_interaction = load_settings(installation).search.late_interaction
    maker = choose_token_embedder(embedder, late_interaction)
    return None if maker is None else token_model_of(maker)


def _count_uncoded(
    store: Store,
    workspace: str,
    find_model: Callable[[EmbeddingModel | None], EmbeddingModel | None],
) -> int:
    """How many texts lack the tokens that searches use, as far as they can be made here."""
    with store.read(workspace) as unit:
        model = find_model(serving_model(unit))
        return 0 if model is None else unit.token_codes.lacking(model)


# What is missing, and the command that makes it


_PLACES: Mapping[str, Callable[[str], str]] = {
    "memory": lambda workspace: workspace,
    "episode": episodes_workspace,
    "chunk": documents_workspace,
}
"""What has vectors and tokens, and the workspace that holds it."""
_VECTOR_PLACES = {**_PLACES, "item": items_workspace}
"""What has vectors; items have no tokens."""


@dataclass(frozen=True, slots=True)
class _Lacking:
    """How many of each kind lack something, and the workspaces in which any does."""

    counts: Mapping[str, int]
    workspaces: Sequence[str]

    @property
    def is_none(self) -> bool:
        return not self.workspaces

    def to_text(self) -> str:
        """How many, and in how many workspaces."""
        counted = [format_count(count, noun) for noun, count in self.counts.items() if count]
        *others, last = counted
        texts = f"{', '.join(others)} and {last}" if others else last
        return f"{texts} in {format_count(len(self.workspaces), 'workspace')}"


def _find_lacking(
    workspaces: Sequence[str],
    count: Callable[[str], int],
    places: Mapping[str, Callable[[str], str]] = _PLACES,
) -> _Lacking:
    """Count what lacks something; `count` gets the name of a workspace of the store."""
    found = {
        (noun, workspace): count(place(workspace))
        for noun, place in places.items()
        for workspace in workspaces
    }
    return _Lacking(
        {noun: sum(found[noun, each] for each in workspaces) for noun in places},
        [each for each in workspaces if any(found[noun, each] for noun in places)],
    )


def _embed_command(lacking: _Lacking, option: str) -> str:
    first, *others = lacking.workspaces
    more = f", and the same for {format_names(others)}" if others else ""
    return f"run: tacit embed --workspace {shlex.quote(first)}{option}{more}"


def _db_option(installation: Installation) -> str:
    """The --db option for a suggested command, without a URL that may hold a password."""
    if installation.db is None or installation.db == os.environ.get("TACIT_DB"):
        return ""
    return " --db …" if is_url(installation.db) else f" --db {shlex.quote(installation.db)}"
