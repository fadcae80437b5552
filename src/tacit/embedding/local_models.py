"""The models that run on this machine, and what is fitted to the vectors of each."""

from dataclasses import dataclass
from pathlib import Path

from tacit.core.vectors import EmbeddingModel
from tacit.embedding.minilm.model_files import MODEL, TOKEN_COMPONENTS, TOKEN_MODEL


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A local model: the embedder's name in the settings, what it makes, and what is fitted to it.

    A revision changes with the vectors, so that a generation of vectors that was made by another
    revision is not taken for this one.
    """

    name: str
    model: EmbeddingModel
    token_model: EmbeddingModel
    token_components: Path


LOCAL_MODELS = (LocalModel("minilm", MODEL, TOKEN_MODEL, TOKEN_COMPONENTS),)


def find_local_model(name: str) -> LocalModel | None:
    """The local model that the settings call by this name."""
    return next((each for each in LOCAL_MODELS if each.name == name), None)


def find_local_name(model: EmbeddingModel) -> str | None:
    """The name of the embedder that makes vectors of this model on this machine, if one does."""
    return next((each.name for each in LOCAL_MODELS if each.model == model), None)
