"""Token codes before a search is measured: they follow writes, and without them it does less."""

from time import sleep

from tacit import Tacit
from tacit.core.vectors import EmbeddingModel
from tacit.embedding.embedder import token_model_of
from tacit.store.workspaces import documents_workspace, episodes_workspace

_PAUSE_SECONDS = 0.02


def encode_tokens(tacit: Tacit) -> None:
    """Make the codes that memories and documents lack, and check that none lacks any."""
    if _token_model(tacit) is None:
        return
    tacit.archive.embed_missing()
    lacking = count_lacking(tacit)
    if lacking:
        raise RuntimeError(f"{lacking:,} memories of {tacit.workspace.name} have no token codes")


def wait_for_tokens(tacit: Tacit) -> None:
    """Wait until the background has made every code."""
    while count_lacking(tacit):
        sleep(_PAUSE_SECONDS)


def count_lacking(tacit: Tacit) -> int:
    """How many memories and pieces of documents have no codes of the embedder's tokens."""
    model = _token_model(tacit)
    if model is None:
        return 0
    lacking = 0
    beside = (documents_workspace(tacit.workspace.name), episodes_workspace(tacit.workspace.name))
    for workspace in (tacit.workspace.name, *beside):
        with tacit._context.store.read(workspace) as unit:
            lacking += unit.token_codes.lacking(model)
    return lacking


def _token_model(tacit: Tacit) -> EmbeddingModel | None:
    embedder = tacit._context.shared.embedders.configured
    return None if embedder is None else token_model_of(embedder)
