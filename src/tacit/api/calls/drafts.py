"""Drafts of memories, as callers give them, and how they are written."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from tacit.api.workspace import WorkspaceContext
from tacit.core.errors import InvalidInput
from tacit.core.fields import check_field, nested_field
from tacit.core.kinds import AGENTS, Actor
from tacit.language.redaction.redact import redact_pieces
from tacit.settings.writing import WritePolicy
from tacit.writing.draft import MemoryDraft, Written
from tacit.writing.remember import remember_all
from tacit.writing.reviews import submit_drafts


def write_drafts(
    context: WorkspaceContext, drafts: Sequence[MemoryDraft], by: Actor | str
) -> list[Written]:
    """Write drafts in one transaction, or submit those of an agent for review."""
    embedded = context.memory_embedder.embed_new(drafts)
    is_reviewed = context.current_config().writing.write_policy is WritePolicy.REVIEW
    if check_field("by", by) not in AGENTS:
        return context.write(by, lambda author: remember_all(author, drafts, embedded))
    submit = partial(submit_drafts, drafts=drafts, embedded=embedded, all_wait=is_reviewed)
    return context.write(by, submit)


def read_drafts(drafts: Sequence[str | Mapping[str, Any]]) -> list[MemoryDraft]:
    """Texts and objects as drafts; a secret that was split over several of them is cut out."""
    given = _without_cut_secrets(list(drafts))
    return [_to_draft(number, draft) for number, draft in enumerate(given)]


def _without_cut_secrets(drafts: list[Any]) -> list[Any]:
    """The drafts, without a private key that was split over several of them."""
    contents = [each.get("content") if isinstance(each, Mapping) else each for each in drafts]
    texts = [each if isinstance(each, str) else "" for each in contents]
    pairs = zip(drafts, texts, redact_pieces(texts), strict=True)
    return [
        draft if kept == text else ({**draft, "content": kept} if draft != text else kept)
        for draft, text, kept in pairs
    ]


def _to_draft(number: int, draft: str | Mapping[str, Any]) -> MemoryDraft:
    if isinstance(draft, str):
        draft = {"content": draft}
    if not isinstance(draft, Mapping):
        raise InvalidInput(f"drafts[{number}]", "expected text or an object with a content")
    with nested_field(f"drafts[{number}]"):
        return MemoryDraft.of(draft)
