"""Conversations as rows and rows as conversations, where backends keep them alike."""

import json
from collections.abc import Sequence
from typing import Any

from tacit.core.blocks import Block, BlockState, LedgerEntry, Placement
from tacit.core.kinds import Actor
from tacit.core.marks import Mark, MarkAuthor
from tacit.core.open_turn import compress_json
from tacit.core.receipt import Receipt
from tacit.core.sessions import Session
from tacit.core.times import from_micros, to_micros
from tacit.store.sql.rows import to_json


def from_session(session: Session) -> dict[str, Any]:
    """The columns of a session, except the workspace, which the unit binds."""
    return {
        "id": session.id,
        "turns": session.turns,
        "speakers": to_json(session.speakers),
        "created_at": to_micros(session.created_at),
        "updated_at": to_micros(session.updated_at),
        "cleared_at": to_micros(session.cleared_at),
        "clears": session.clears,
    }


def to_session(row: Sequence[Any]) -> Session:
    """A row of the session queries, its speakers as JSON."""
    id, turns, speakers, created_at, updated_at, cleared_at, clears = row
    return Session(
        id=id,
        turns=turns,
        speakers=tuple(json.loads(speakers)),
        created_at=from_micros(created_at),
        updated_at=from_micros(updated_at),
        cleared_at=from_micros(cleared_at),
        clears=clears,
    )


def from_block(block: Block) -> dict[str, Any]:
    """The columns of a block, except the workspace and the memories in it."""
    return {
        "session": block.session,
        "id": block.id,
        "turn": block.turn,
        "text": block.placement.text,
        "anchor": block.placement.anchor,
        "ordinal": block.placement.ordinal,
        "made_in": block.made_in,
        "speaker": block.speaker,
        "state": str(block.state),
    }


def to_block(row: Sequence[Any], memories: tuple[str, ...]) -> Block:
    """A row of the block queries, and the memories in it, already read."""
    session, id, turn, text, anchor, ordinal, _, made_in, speaker, state = row
    return Block(
        session=session,
        turn=turn,
        placement=Placement(id=id, text=text, anchor=anchor, ordinal=ordinal),
        memories=memories,
        made_in=made_in,
        speaker=speaker,
        state=BlockState(state),
    )


def from_entry(entry: LedgerEntry) -> dict[str, Any]:
    """The columns of a ledger entry, except the workspace."""
    return {
        "session": entry.session,
        "turn": entry.turn,
        "memory": entry.memory,
        "content_hash": entry.content_hash,
        "block": entry.block,
        "pruned_at": to_micros(entry.pruned_at),
    }


def to_entry(row: Sequence[Any]) -> LedgerEntry:
    """A row of the ledger queries."""
    session, turn, memory, content_hash, block, pruned_at = row
    return LedgerEntry(
        session=session,
        turn=turn,
        memory=memory,
        content_hash=content_hash,
        block=block,
        pruned_at=from_micros(pruned_at),
    )


def from_receipt(receipt: Receipt) -> dict[str, Any]:
    """The columns of a receipt, except the workspace."""
    return {
        "id": receipt.id,
        "session": receipt.session,
        "turn": receipt.turn,
        "at": to_micros(receipt.at),
        "body": compress_json(receipt.to_dict()),
    }


def from_mark(mark: Mark) -> dict[str, Any]:
    """The columns of a mark, except the workspace."""
    return {
        "id": mark.id,
        "memory": mark.memory,
        "terms": mark.terms,
        "at": to_micros(mark.at),
        "actor": str(mark.author.by),
        "agent": mark.author.agent,
        "user_name": mark.author.user,
    }


def to_mark(row: Sequence[Any]) -> Mark:
    """A row of the mark queries."""
    id, memory, terms, at, actor, agent, user = row
    author = MarkAuthor(by=Actor(actor), agent=agent, user=user)
    return Mark(id=id, memory=memory, terms=terms, at=from_micros(at), author=author)
