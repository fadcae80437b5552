"""Which model this is, to the byte, and the folder that caches its built files."""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from tacit.core.vectors import EmbeddingModel
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

BUILD = "v7"
"""How the graph is built from the weights. Another build has files of its own beside those of this
one, so that two versions of Tacit can share a cache; it need not make other vectors."""

VECTORS = "int8-v1"
"""How vectors are made of the weights; another way makes other vectors."""

MODEL = EmbeddingModel("all-MiniLM-L6-v2", WIDTH, f"{WEIGHTS.sha256[:8]}-{VECTORS}")

TOKEN_COMPONENTS = Path(__file__).with_name("token_components.npy")
"""The matrix that makes 256 numbers of the 384 of a token, by tools/token_components.py."""

_TOKEN_VECTORS = "components-v1"
"""Which matrix it is; another makes other token vectors."""

TOKEN_MODEL = EmbeddingModel(f"{MODEL.name}-tokens", 256, f"{MODEL.revision}-{_TOKEN_VECTORS}")


PAIR_UPDATES = Path(__file__).with_name("pair_updates.npz")
"""What changes the weights to read two texts together, by tools/pair_reading."""

STATEMENT_WEIGHTS = Path(__file__).with_name("statement_weights.npz")
"""What tells whether a statement is worth remembering, by tools/statement_worth."""

AUTHORSHIP_WEIGHTS = Path(__file__).with_name("authorship_weights.npz")
"""What tells whether a message holds somebody else's text, by tools/authorship."""


def token_components() -> NDArray[np.float32]:
    """The matrix (384, 256) that is part of this package."""
    matrix: NDArray[np.float32] = np.load(TOKEN_COMPONENTS).astype(np.float32)
    return matrix


def file_sha256(path: Path) -> str:
    """The hash of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True, slots=True)
class ModelManifest:
    """The build of a complete model, and the hash of every file."""

    build: str
    weights: str
    tokenizer: str
    graph: str
    pair_graph: str

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """The manifest, if there is a readable one."""
        try:
            return cls(**json.loads(path.read_bytes()))
        except (OSError, ValueError, TypeError):
            return None

    @classmethod
    def of(cls, graph: Path, pair_graph: Path) -> Self:
        """The manifest of graphs that were just built."""
        return cls(
            BUILD, WEIGHTS.sha256, TOKENIZER.sha256, file_sha256(graph), file_sha256(pair_graph)
        )

    def is_current(self) -> bool:
        """Whether this version of Tacit would build the same model."""
        wanted = (BUILD, WEIGHTS.sha256, TOKENIZER.sha256)
        return (self.build, self.weights, self.tokenizer) == wanted

    def to_json(self) -> str:
        """The manifest as a document."""
        return json.dumps(asdict(self), indent=2)


@dataclass(frozen=True, slots=True)
class ModelCache:
    """The folder of tokenizer, graphs and manifest; the manifest is written last."""

    folder: Path

    @classmethod
    def of_user(cls) -> Self:
        """The cache folder of this user, or the one that the environment names."""
        return cls(cache_folder() / "models" / MODEL.name)

    @property
    def tokenizer(self) -> Path:
        """The published tokenizer."""
        return self.folder / "tokenizer.json"

    @property
    def graph(self) -> Path:
        """The built graph."""
        return self.folder / f"{BUILD}.onnx"

    @property
    def pair_graph(self) -> Path:
        """The built graph that reads two texts together."""
        return self.folder / f"{BUILD}-pairs.onnx"

    @property
    def manifest(self) -> Path:
        """The manifest of these files."""
        return self.folder / f"{BUILD}.json"

    def is_complete(self) -> bool:
        """Whether all files are there, without checking their content."""
        manifest = ModelManifest.read(self.manifest)
        present = all(path.is_file() for path in (self.tokenizer, self.graph, self.pair_graph))
        return present and manifest is not None and manifest.is_current()

    def damaged_files(self) -> list[Path]:
        """The files of a complete model that have changed since they were built."""
        manifest = ModelManifest.read(self.manifest)
        if manifest is None:
            return []
        expected = {
            self.tokenizer: manifest.tokenizer,
            self.graph: manifest.graph,
            self.pair_graph: manifest.pair_graph,
        }
        return [path for path, built in expected.items() if file_sha256(path) != built]

    def size(self) -> int:
        """Bytes on disk."""
        kept = (self.tokenizer, self.graph, self.pair_graph, self.manifest)
        return sum(path.stat().st_size for path in kept if path.exists())
