"""The embedder: which one, whether it is there, and whether it answers."""

import os
import time
from collections.abc import Iterator

from tacit.cli.doctor.finding import Finding, doubtful, fine, wrong
from tacit.cli.doctor.installation import Installation
from tacit.embedding.embedder import Embedder
from tacit.embedding.minilm.embedder import MiniLM, find_model_problems
from tacit.embedding.minilm.model_files import MODEL, ModelCache
from tacit.embedding.minilm.provision import configured_sources
from tacit.embedding.registry import check_embedder_name, open_embedder

_WORD = "memory"


def embedder_name() -> str:
    """The embedder that programs use when they name none."""
    return os.environ.get("TACIT_EMBEDDER") or "minilm"


def look(_: Installation) -> Iterator[Finding]:
    """The embedder of this environment; nothing is fetched or built."""
    name = embedder_name()
    check_embedder_name(name)
    if name == "none":
        yield fine("embedder", "none was chosen: memories are found by words only")
    elif name == "minilm":
        yield from _model(ModelCache.of_user())
    elif (opened := open_embedder(name)) is not None:
        try:
            yield _answering(opened, "at an address")
        finally:
            opened.close()  # type: ignore[attr-defined]


def _model(cache: ModelCache) -> Iterator[Finding]:
    if not cache.is_complete():
        sources = ", then ".join(str(source) for source in configured_sources())
        yield doubtful(
            "embedder",
            f"{MODEL.name} is not in {cache.folder}; the first program that needs it gets it",
            f"get it now, 83 MB from {sources}: tacit model pull",
        )
    elif faults := _faults(cache):
        found = f"{MODEL.name} in {cache.folder}: {'; '.join(faults)}"
        yield wrong("embedder", found, "get it anew with: tacit model pull")
    else:
        place = f"whole, {cache.size() / 1e6:,.1f} MB in {cache.folder}"
        yield _answering(MiniLM.load(cache), place)


def _faults(cache: ModelCache) -> list[str]:
    """What is wrong with the model; one that does not even load has one fault."""
    try:
        return find_model_problems(cache)
    except Exception as error:  # the libraries have many ways to say that a file is broken
        return [f"does not load ({error})"]


def _answering(embedder: Embedder, place: str) -> Finding:
    start = time.perf_counter()
    embedder.embed_query(_WORD)
    took = 1_000 * (time.perf_counter() - start)
    model = f"{embedder.model.name}, {embedder.model.dims} numbers"
    return fine("embedder", f"{model}, {place}; a word took {took:,.0f} ms")
