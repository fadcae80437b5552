"""Seeing to it that the cache holds a complete model."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock

from tacit.core.errors import ModelUnavailable
from tacit.embedding.minilm.cache import Cache, Manifest
from tacit.embedding.minilm.identity import TOKENIZER, WEIGHTS
from tacit.embedding.minilm.obtaining import obtain
from tacit.embedding.minilm.quantisation import quantise
from tacit.embedding.minilm.sources import configured
from tacit.embedding.progress import Progress
from tacit.runtime.files.folders import own_folder
from tacit.runtime.files.locations import CACHE_VARIABLE


def provide(cache: Cache, progress: Progress) -> None:
    """Build the model unless it is there, or another process is just building it."""
    if cache.is_complete():
        return
    with _alone(cache):
        if not cache.is_complete():
            _build(cache, progress)


def rebuild(cache: Cache, progress: Progress) -> None:
    """Build the model instead of whatever is there."""
    with _alone(cache):
        _build(cache, progress)


def pull(cache: Cache, progress: Progress) -> None:
    """Leave a model behind that is complete and undamaged."""
    provide(cache, progress)
    if cache.damaged():
        rebuild(cache, progress)


@contextmanager
def _alone(cache: Cache) -> Iterator[None]:
    """One process at a time; the system lets go of the lock of one that dies."""
    try:
        own_folder(cache.folder)
        with FileLock(cache.folder / ".lock"):
            yield
    except OSError as error:
        raise ModelUnavailable(
            f"{cache.folder}: the embedding model cannot be written there ({error}); "
            f"make room for 250 MB, or name another folder with {CACHE_VARIABLE}"
        ) from error


def _build(cache: Cache, progress: Progress) -> None:
    with _staging(cache) as staging:
        obtain(configured(), staging, progress)
        progress("building", 0, 0)
        graph, manifest = staging / cache.graph.name, staging / cache.manifest.name
        quantise(staging / WEIGHTS.name, graph)
        manifest.write_text(Manifest.of(graph).to_json())
        cache.manifest.unlink(missing_ok=True)
        _place(staging / TOKENIZER.name, cache.tokenizer)
        _place(graph, cache.graph)
        _place(manifest, cache.manifest)


@contextmanager
def _staging(cache: Cache) -> Iterator[Path]:
    """A folder to build in, always the same, so that what a kill left there is removed."""
    folder = cache.folder / ".building"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _place(built: Path, target: Path) -> None:
    with built.open("rb+") as file:
        os.fsync(file.fileno())
    built.replace(target)
