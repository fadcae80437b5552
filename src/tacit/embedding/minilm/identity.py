"""Which model this is, to the byte."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from tacit.core.vectors import EmbeddingModel


@dataclass(frozen=True, slots=True)
class Asset:
    """A published file, and what it must hash to wherever it comes from."""

    name: str
    sha256: str


WEIGHTS = Asset(
    "model.safetensors", "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
)
TOKENIZER = Asset(
    "tokenizer.json", "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
)
ASSETS = (WEIGHTS, TOKENIZER)

WIDTH = 384

BUILD = "int8-v1"
"""How the graph is made of the weights; a new one makes other vectors."""

MODEL = EmbeddingModel("all-MiniLM-L6-v2", WIDTH, f"{WEIGHTS.sha256[:8]}-{BUILD}")


def sha256(path: Path) -> str:
    """The hash of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
