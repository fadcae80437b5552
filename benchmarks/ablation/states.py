"""What the network makes of LoCoMo's texts: made once, kept in a file, read by every variant."""

import hashlib
import json
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray
from tools.token_components import (
    find_singular_vectors,
    open_unprojected,
    read_turns,
    sum_products,
)

from tacit.embedding.embedder import QueryTokens, TextInContext
from tacit.embedding.minilm.embedder import MiniLM
from tacit.embedding.minilm.model_files import ENGLISH, WIDTH

Floats = NDArray[np.float32]


class KeptStates:
    """Vectors of texts and unit states of tokens, each 384 numbers in half precision in a file."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = sqlite3.connect(path, check_same_thread=False)
        self._file.execute("CREATE TABLE IF NOT EXISTS rows (key TEXT PRIMARY KEY, rows BLOB)")
        self._lock = threading.Lock()
        self._network: MiniLM | None = None
        self._queries: dict[str, QueryTokens] = {}

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def vectors(self, texts: Sequence[str]) -> list[Floats]:
        """The mean vector of each text."""
        keys = [_key("vector", text) for text in texts]
        made = self._made(keys, lambda places: self._model().embed([texts[at] for at in places]))
        return [rows[0] for rows in made]

    def states(self, texts: Sequence[TextInContext]) -> list[Floats]:
        """The unit states (tokens, 384) of each text's own tokens."""
        keys = [_key("states", each.text, *each.before) for each in texts]
        return self._made(
            keys, lambda places: self._model().embed_tokens([texts[at] for at in places])
        )

    def query(self, text: str) -> QueryTokens:
        """The vector of a query and the unit states of its tokens, kept in memory."""
        if text not in self._queries:
            self._queries[text] = self._model().embed_query_tokens(text)
        return self._queries[text]

    def singular_vectors(self, longmemeval: Path) -> tuple[Floats, Floats]:
        """Those that the matrix of the package is made of (384, 384), and the size along each."""
        (products,) = self._made(
            [_key("products", str(longmemeval.stat().st_size))],
            lambda _: [_mean_products(self._model(), read_turns(longmemeval))],
            np.float32,
        )
        vectors = find_singular_vectors(products.astype(np.float64))
        sizes = np.sqrt(np.einsum("ij,ik,kj->j", vectors, products, vectors))
        return vectors.astype(np.float32), sizes.astype(np.float32)

    def _made(
        self,
        keys: Sequence[str],
        make: Callable[[list[int]], Sequence[Floats]],
        precision: npt.DTypeLike = np.float16,
    ) -> list[Floats]:
        """What is in the file under each key; what is not is made and kept."""
        with self._lock:
            held = {key: self._read(key, precision) for key in keys}
            lacking = [at for at, key in enumerate(keys) if held[key] is None]
            if lacking:
                for at, rows in zip(lacking, make(lacking), strict=True):
                    held[keys[at]] = made = np.asarray(rows, precision).reshape(-1, WIDTH)
                    self._write(keys[at], made.tobytes())
                self._file.commit()
            return [np.asarray(held[key], np.float32) for key in keys]

    def _read(self, key: str, precision: npt.DTypeLike) -> NDArray[Any] | None:
        found = self._file.execute("SELECT rows FROM rows WHERE key = ?", (key,)).fetchone()
        return None if found is None else np.frombuffer(found[0], precision).reshape(-1, WIDTH)

    def _write(self, key: str, packed: bytes) -> None:
        self._file.execute("INSERT OR REPLACE INTO rows VALUES (?, ?)", (key, packed))

    def _model(self) -> MiniLM:
        if self._network is None:
            self._network = open_unprojected(ENGLISH)
        return self._network


def _mean_products(model: MiniLM, texts: Sequence[str]) -> Floats:
    products, count = sum_products(model, texts)
    return (products / count).astype(np.float32)


def _key(*parts: str) -> str:
    written = json.dumps([ENGLISH.model.revision, *parts])
    return hashlib.sha256(written.encode()).hexdigest()
