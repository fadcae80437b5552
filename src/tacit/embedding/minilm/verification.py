"""Whether the model in the cache is the one it should be."""

import numpy as np

from tacit.embedding.minilm.cache import Cache
from tacit.embedding.minilm.embedder import MiniLM

_SENTENCE = "The memory your agent doesn't have to ask for."
_REFERENCE = (0.0232, 0.0552, -0.1183, -0.0197, 0.0310, 0.0459, 0.0396, -0.0151)
"""The first numbers of its vector in single precision."""

_ALIKE = 0.98


def problems(cache: Cache) -> list[str]:
    """What is wrong with the model; nothing, if it may be used."""
    if not cache.is_complete():
        return ["the model is not built"]
    damaged = [f"{path.name} is not what was built" for path in cache.damaged()]
    return damaged or _wrong_answers(cache)


def _wrong_answers(cache: Cache) -> list[str]:
    """Files as they were built may still be run wrongly, by another onnxruntime or processor."""
    found = MiniLM.load(cache).embed([_SENTENCE])[0, : len(_REFERENCE)]
    cosine = float(found @ _REFERENCE / np.linalg.norm(found) / np.linalg.norm(_REFERENCE))
    if cosine > _ALIKE:
        return []
    return [f"a known sentence gets another vector than it should (cosine {cosine:.3f})"]
