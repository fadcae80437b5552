"""Which models these are, to the byte, and the folder that caches their built files."""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from tacit.core.vectors import EmbeddingModel
from tacit.language.languages import DEFAULT_LANGUAGE
from tacit.runtime.files import cache_folder


@dataclass(frozen=True, slots=True)
class ModelAsset:
    """A published file and its SHA-256, wherever it comes from."""

    name: str
    sha256: str


WEIGHTS = ModelAsset(
    "model.safetensors", "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
)
TOKENIZER = ModelAsset(
    "tokenizer.json", "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
)
ASSETS = (WEIGHTS, TOKENIZER)

WIDTH = 384

BUILD = "v8"
"""How the graphs are built from the weights. Another build has files of its own beside those of
this one, so that two versions of Tacit can share a cache; it need not make other vectors."""

VECTORS = "int8-v1"
"""How vectors are made of the weights; another way makes other vectors."""

LANGUAGES = ModelAsset(
    "languages.npz", "efdcb6421f49dc547f71133cb35b40239b76a501d6348bd9d9ace3d9c9b0bef9"
)
"""What teaches the network six languages more, by tools/languages; part of this package."""

LANGUAGES_FILE = Path(__file__).with_name(LANGUAGES.name)

TOKEN_DIMS = 256
"""The numbers that are kept of a token."""


@dataclass(frozen=True, slots=True)
class MiniLMModel:
    """A network that is made of the published weights, and what is fitted to its vectors.

    A revision changes with the vectors, so that a generation of vectors that was made by another
    revision is not taken for this one.
    """

    name: str
    """The embedder's name in the settings."""
    model: EmbeddingModel
    token_model: EmbeddingModel
    components: Path
    """The matrix that makes 256 numbers of the 384 of a token, by tools/token_components.py."""
    languages: frozenset[str]
    """The languages that its vectors mean something in, of those that are told apart."""
    update: Path | None = None
    """What is learned on top of the published weights."""

    def token_components(self) -> NDArray[np.float32]:
        """The matrix (384, 256) that is part of this package."""
        matrix: NDArray[np.float32] = np.load(self.components).astype(np.float32)
        return matrix


def _describe(
    name: str,
    called: str,
    weights: str,
    components: str,
    languages: Collection[str],
    update: Path | None = None,
) -> MiniLMModel:
    revision = f"{weights[:8]}-{VECTORS}"
    return MiniLMModel(
        name,
        EmbeddingModel(called, WIDTH, revision),
        EmbeddingModel(f"{called}-tokens", TOKEN_DIMS, f"{revision}-components-v1"),
        Path(__file__).with_name(components),
        frozenset(languages),
        update,
    )


SEVEN_LANGUAGES = _describe(
    "minilm",
    "minilm-7",
    LANGUAGES.sha256,
    "token_components_7.npy",
    ("english", "german", "french", "spanish", "italian", "portuguese", "dutch"),
    LANGUAGES_FILE,
)
"""Reads English, German, French, Spanish, Italian, Portuguese and Dutch; the default."""

ENGLISH = _describe(
    "minilm-en", "all-MiniLM-L6-v2", WEIGHTS.sha256, "token_components.npy", (DEFAULT_LANGUAGE,)
)
"""The network as it was published."""

MODELS = (SEVEN_LANGUAGES, ENGLISH)


def find_local_model(name: str) -> MiniLMModel | None:
    """The local model that the settings call by this name."""
    return next((each for each in MODELS if each.name == name), None)


def find_local_name(model: EmbeddingModel) -> str | None:
    """The name of the embedder that makes vectors of this model on this machine, if one does."""
    return next((each.name for each in MODELS if each.model == model), None)


PAIR_UPDATES = Path(__file__).with_name("pair_updates.npz")
"""What changes the weights to read two texts together, by tools/pair_reading."""

STATEMENT_WEIGHTS = Path(__file__).with_name("statement_weights.npz")
"""What tells whether a statement is worth remembering, by tools/statement_worth."""

AUTHORSHIP_WEIGHTS = Path(__file__).with_name("authorship_weights.npz")
"""What tells whether a message holds somebody else's text, by tools/authorship."""

EXCHANGE_WEIGHTS = Path(__file__).with_name("exchange_weights.npz")
"""What tells whose words two messages are that follow each other, by tools/authorship."""

FITTED_TO = "fitted_to"
"""The name in a file of weights of the model whose vectors or states they are fitted to. Weights of
another model are not used, or a test fails until they are fitted again."""


def file_sha256(path: Path) -> str:
    """The hash of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True, slots=True)
class ModelManifest:
    """The build of complete models, what they were built of, and the hash of every file."""

    build: str
    sources: Mapping[str, str]
    files: Mapping[str, str]

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """The manifest, if there is a readable one."""
        try:
            return cls(**json.loads(path.read_bytes()))
        except (OSError, ValueError, TypeError):
            return None

    @classmethod
    def of(cls, files: Sequence[Path]) -> Self:
        """The manifest of files that were just built."""
        return cls(BUILD, _SOURCES, {path.name: file_sha256(path) for path in files})

    def is_current(self) -> bool:
        """Whether this version of Tacit would build the same models."""
        return (self.build, self.sources) == (BUILD, _SOURCES)

    def to_json(self) -> str:
        """The manifest as a document."""
        return json.dumps(asdict(self), indent=2)


_SOURCES = {asset.name: asset.sha256 for asset in (WEIGHTS, TOKENIZER, LANGUAGES)}


@dataclass(frozen=True, slots=True)
class ModelCache:
    """The folder of tokenizers, graphs and manifest; the manifest is written last."""

    folder: Path

    @classmethod
    def of_user(cls) -> Self:
        """The cache folder of this user, or the one that the environment names."""
        return cls(cache_folder() / "models" / ENGLISH.model.name)

    def tokenizer(self, model: MiniLMModel) -> Path:
        """A model's tokenizer: the published one, or that with more pieces."""
        name = f"{BUILD}-{model.model.name}-tokenizer.json" if model.update else TOKENIZER.name
        return self.folder / name

    def graph(self, model: MiniLMModel) -> Path:
        """A model's built graph."""
        return self.folder / f"{BUILD}-{model.model.name}.onnx"

    @property
    def pair_graph(self) -> Path:
        """The built graph that reads two texts together, with the published tokenizer."""
        return self.folder / f"{BUILD}-pairs.onnx"

    @property
    def message_graph(self) -> Path:
        """The built graph that reads messages, with the tokenizer of seven languages."""
        return self.folder / f"{BUILD}-messages.onnx"

    @property
    def manifest(self) -> Path:
        """The manifest of these files."""
        return self.folder / f"{BUILD}.json"

    @property
    def files(self) -> tuple[Path, ...]:
        """All that is built, without the manifest."""
        built = (path for each in MODELS for path in (self.tokenizer(each), self.graph(each)))
        return (*built, self.pair_graph, self.message_graph)

    def is_complete(self) -> bool:
        """Whether all files are there, without checking their content."""
        manifest = ModelManifest.read(self.manifest)
        present = all(path.is_file() for path in self.files)
        return present and manifest is not None and manifest.is_current()

    def damaged_files(self) -> list[Path]:
        """The files of complete models that have changed since they were built."""
        manifest = ModelManifest.read(self.manifest)
        if manifest is None:
            return []
        return [path for path in self.files if file_sha256(path) != manifest.files.get(path.name)]

    def size(self) -> int:
        """Bytes on disk."""
        kept = (*self.files, self.manifest)
        return sum(path.stat().st_size for path in kept if path.exists())


def find_languages(token_model: EmbeddingModel | None) -> frozenset[str]:
    """The languages that a local model's tokens mean something in; none of other models."""
    found = (each.languages for each in MODELS if each.token_model == token_model)
    return next(found, frozenset())


def lacks_model(name: str) -> bool:
    """Whether an embedder's model would have to be fetched first."""
    return find_local_model(name) is not None and not ModelCache.of_user().is_complete()
