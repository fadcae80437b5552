"""Make what is kept of a token's vector: `src/tacit/embedding/minilm/token_components_7.npy`.

    python -m tools.token_components --written
    python -m tools.token_components --model minilm-en --longmemeval FILE
    python -m tools.token_components --texts FILE --out FILE

The states of all tokens of some texts in the last layer, at unit length, have 384 singular vectors,
not centred; the matrix projects a state on the first 256 of them and rotates the result at random,
so that every sign carries as much as any other. It is stored in half precision.

The matrix of `minilm` is made of 6,100 texts that were written for this project and lie in the
`data` folders of `tools/`: 2,800 in English, 800 each in German, French and Spanish, and 300 each
in Italian, Portuguese and Dutch. That of `minilm-en` is made of 4,000 turns of LongMemEval-S: its
`haystack_sessions` in 50 questions for development, each turn cut at 700 characters, every text
once, shuffled with `random.Random(7)`. `--texts` reads a JSON list of texts, of which conversations
are best.
"""

import argparse
import gzip
import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tools.languages.corpus import read_written

from tacit.embedding.embedder import TextInContext, ignore_progress
from tacit.embedding.minilm.embedder import MiniLM, open_session
from tacit.embedding.minilm.model_files import (
    MODELS,
    SEVEN_LANGUAGES,
    TOKEN_DIMS,
    WIDTH,
    MiniLMModel,
    ModelCache,
)
from tacit.embedding.minilm.provision import ensure_model
from tacit.embedding.minilm.tokenizer import MiniLMTokenizer

_BATCH = 64
_ROTATION_SEED = 1
_TURNS = 4_000
_CHARACTERS = 700
_SHUFFLE_SEED = 7

_WRITTEN = {"en": 2_800, "de": 800, "fr": 800, "es": 800, "it": 300, "pt": 300, "nl": 300}
"""How many written texts of each language are taken."""


def main() -> None:
    """Read the texts, fit the matrix, and write it."""
    parser = argparse.ArgumentParser("python -m tools.token_components", description=__doc__)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--written", action="store_true")
    source.add_argument("--texts", type=Path, metavar="FILE")
    source.add_argument("--longmemeval", type=Path, metavar="FILE")
    parser.add_argument("--model", choices=[each.name for each in MODELS], default=MODELS[0].name)
    parser.add_argument("--out", type=Path, metavar="FILE")
    given = parser.parse_args()
    model = next(each for each in MODELS if each.name == given.model)
    if given.written:
        texts = draw_written()
    else:
        texts = _read_json(given.texts) if given.texts else read_turns(given.longmemeval)
    np.save(given.out or model.components, fit_components(texts, model).astype(np.float16))


def fit_components(
    texts: Sequence[str], model: MiniLMModel = SEVEN_LANGUAGES
) -> NDArray[np.float64]:
    """The matrix (384, 256): the first singular vectors of all token states, rotated."""
    products, _ = sum_products(open_unprojected(model), texts)
    first = find_singular_vectors(products)[:, :TOKEN_DIMS]
    matrix: NDArray[np.float64] = first @ random_rotation(TOKEN_DIMS)
    return matrix


def draw_written() -> list[str]:
    """Texts that were written for this project, in all languages of the model."""
    drawn = random.Random(_SHUFFLE_SEED)
    return [
        text
        for language, count in _WRITTEN.items()
        for text in drawn.sample(read_written(language), count)
    ]


def find_singular_vectors(products: NDArray[np.float64]) -> NDArray[np.float64]:
    """The singular vectors (384, 384) in columns, the strongest first."""
    _, vectors = np.linalg.eigh(products)
    ordered = vectors[:, ::-1]
    signs = np.sign(ordered[np.abs(ordered).argmax(axis=0), range(ordered.shape[1])])
    found: NDArray[np.float64] = ordered * signs
    return found


def sum_products(model: MiniLM, texts: Sequence[str]) -> tuple[NDArray[np.float64], int]:
    """The sum of each state's product with itself, and how many states there are.

    Its eigenvectors are the singular vectors of the states.
    """
    products = np.zeros((WIDTH, WIDTH))
    count = 0
    for start in range(0, len(texts), _BATCH):
        batch = [TextInContext(text) for text in texts[start : start + _BATCH]]
        states = np.concatenate(model.embed_tokens(batch)).astype(np.float64)
        products += states.T @ states
        count += len(states)
    return products, count


def random_rotation(dims: int) -> NDArray[np.float64]:
    """A random orthogonal matrix, always the same."""
    normal = np.random.default_rng(_ROTATION_SEED).standard_normal((dims, dims))
    orthogonal, triangular = np.linalg.qr(normal)
    rotation: NDArray[np.float64] = orthogonal * np.sign(np.diag(triangular))
    return rotation


def open_unprojected(model: MiniLMModel) -> MiniLM:
    """A network with token vectors as they leave the last layer, at unit length."""
    cache = ModelCache.of_user()
    ensure_model(cache, ignore_progress)
    tokenizer = MiniLMTokenizer.load(cache.tokenizer(model))
    session = open_session(cache.graph(model), threads=1)
    return MiniLM(model, session, tokenizer, np.eye(WIDTH, dtype=np.float32))


def read_turns(longmemeval: Path) -> list[str]:
    """The turns of LongMemEval that the matrix in the package is made of."""
    questions: Sequence[Mapping[str, Any]] = _read_json(longmemeval)
    contents = (
        turn["content"][:_CHARACTERS].strip()
        for question in questions
        for session in question["haystack_sessions"]
        for turn in session
    )
    texts = [text for text in dict.fromkeys(contents) if text]
    random.Random(_SHUFFLE_SEED).shuffle(texts)
    return texts[:_TURNS]


def _read_json(path: Path) -> Any:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        return json.load(file)


if __name__ == "__main__":
    main()
