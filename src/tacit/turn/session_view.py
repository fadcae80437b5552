"""The session as a turn sees it: its history without blocks, and the blocks that stand in it.

Blocks of other sessions that a history brings along are removed: they may hold what belongs to
another user, project, agent or session. What is relevant in them comes again in a new block.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from tacit.core.blocks import Block, BlockState, LedgerEntry, Placement
from tacit.core.kinds import Owner
from tacit.core.messages import is_human, parts_of, text_of_part
from tacit.core.open_turn import OpenTurn
from tacit.core.sessions import Session
from tacit.language.injection_blocks import (
    block_ids_in,
    compute_anchor,
    find_block_headers,
    locate_placements,
    matches_block_id,
    remove_blocks,
)
from tacit.settings.injection import InjectionSettings
from tacit.store.protocols.store import UnitOfWork
from tacit.turn.request import TurnRequest

# What a session has in view: its history without blocks, and the blocks that still stand in it.


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSession:
    """What the store knows of a session; `ended` are turns that are over and still recorded."""

    session: Session
    blocks: tuple[Block, ...] = ()
    foreign: tuple[Block, ...] = ()
    """Blocks of other sessions whose ids the history has."""
    ledger: tuple[LedgerEntry, ...] = ()
    opened: tuple[OpenTurn, ...] = ()
    ended: tuple[OpenTurn, ...] = ()
    withdrawn: frozenset[str] = frozenset()
    paused: frozenset[Owner] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionView:
    """The history as the caller's own words, what stands in it, and what no longer does.

    `moved` are live blocks whose place is another than it was: messages before them are gone, or
    came. `landed` are turns that were left open and whose messages are in the history, `lost` those
    whose messages are not; the blocks of those `recognised` stand in it all the same. `repeated`
    are blocks that must leave, since turns that overlapped showed the same, and `foreign` the ids
    of those that left because another session made them.
    """

    session: Session
    history: tuple[object, ...]
    live: tuple[Block, ...] = ()
    moved: tuple[Block, ...] = ()
    gone: tuple[Block, ...] = ()
    repeated: tuple[Block, ...] = ()
    foreign: tuple[str, ...] = ()
    in_view: tuple[LedgerEntry, ...] = ()
    recognised: frozenset[str] = frozenset()
    landed: tuple[OpenTurn, ...] = ()
    lost: tuple[OpenTurn, ...] = ()

    @property
    def vanished(self) -> tuple[OpenTurn, ...]:
        """The lost turns of which nothing is left: no block of theirs has to be recognised."""
        return tuple(turn for turn in self.lost if turn.id not in self.recognised)


def load_session(unit: UnitOfWork, request: TurnRequest, now: datetime) -> StoredSession:
    """Read what is known of the request's session."""
    fresh = Session(id=request.session, created_at=now, updated_at=now)
    ids = block_ids_in(request.history or ())
    blocks = tuple(unit.blocks.standing(request.session, ids))
    shown = [id for block in blocks if block.state is BlockState.LIVE for id in block.memories]
    opened = unit.receipts.opened(request.session)
    ended = [turn for turn in opened if unit.receipts.get(turn.id) is not None]
    own = {block.id for block in (*blocks, *(turn.block for turn in opened)) if block is not None}
    return StoredSession(
        session=unit.sessions.get(request.session) or fresh,
        blocks=blocks,
        foreign=load_foreign_blocks(unit, ids - own),
        withdrawn=frozenset(unit.memories.withdrawn(list(dict.fromkeys(shown)))),
        opened=tuple(turn for turn in opened if turn not in ended),
        ended=tuple(ended),
        paused=frozenset(unit.sessions.paused()),
    )


def reconcile_history(
    known: StoredSession, request: TurnRequest, settings: InjectionSettings
) -> SessionView:
    """Hold what is known against the history that came in, which is the caller's to change."""
    if request.history is None:
        return _view_host_history(known, settings)
    blocks = [*known.blocks, *(turn.block for turn in known.opened if turn.block)]
    foreign = find_block_texts(find_present_blocks(request.history, known.foreign), request.history)
    texts = foreign | find_block_texts(blocks, request.history)
    history = remove_blocks(request.history, texts)
    landed, lost = _split_open_turns(known.opened, history)
    blocks = [*known.blocks, *(turn.block for turn in landed if turn.block)]
    standing = _live_blocks(blocks)
    places = locate_placements(history, [block.placement for block in standing])
    live = [
        _move_block(block, history, places[block.id]) for block in standing if block.id in places
    ]
    own = [
        block
        for block in live
        if block.speaker in (None, request.speaker) and known.withdrawn.isdisjoint(block.memories)
    ]
    entries = [*known.ledger, *(entry for turn in landed for entry in turn.entries)]
    own, repeated = _split_repeats(own, entries)
    kept = {block.id for block in own}
    session = known.session
    for turn in landed:
        session = session.after(turn.receipt.user, turn.receipt.at) if turn.counts else session
    return SessionView(
        session=session,
        history=tuple(history),
        live=tuple(own),
        moved=tuple(block for block in live if block not in standing),
        gone=tuple(block for block in standing if block.id not in kept),
        repeated=tuple(repeated),
        foreign=tuple(foreign),
        in_view=tuple(_entries_in_view(entries, kept, session.turns + 1, settings)),
        recognised=frozenset(
            turn.id for turn in lost if _stands_in_history(turn.block, request.history)
        ),
        landed=tuple(landed),
        lost=(*lost, *known.ended),
    )


def _stands_in_history(block: Block | None, history: Sequence[object]) -> bool:
    """Whether the words of a block stand in a history as it came."""
    if block is None:
        return False
    without = remove_blocks(history, {block.id: block.placement.text})
    return len(without) != len(history) or any(
        one is not other for one, other in zip(without, history, strict=True)
    )


def _live_blocks(blocks: Sequence[Block]) -> list[Block]:
    """The live ones; turns that began at once may have made the same block, which is then one."""
    live: dict[str, Block] = {}
    for block in blocks:
        if block.state is BlockState.LIVE:
            live.setdefault(block.id, block)
    return list(live.values())


def _split_repeats(
    blocks: Sequence[Block], entries: Sequence[LedgerEntry]
) -> tuple[list[Block], list[Block]]:
    """The first blocks to show what they show, and those that show some of it again."""
    shown: set[tuple[str, bytes]] = set()
    kept: list[Block] = []
    repeated: list[Block] = []
    for block in blocks:
        own = {(entry.memory, entry.content_hash) for entry in entries if entry.block == block.id}
        if shown.isdisjoint(own):
            shown |= own
            kept.append(block)
        else:
            repeated.append(replace(block, state=BlockState.PRUNED))
    return kept, repeated


def find_block_texts(blocks: Sequence[Block], history: Sequence[object]) -> dict[str, str]:
    """The text of each block by its id; an erased one's is read out of the history."""
    erased = [block for block in blocks if not block.placement.text]
    texts = {block.id: block.placement.text for block in blocks if block.placement.text}
    if erased:
        said = [text_of_part(part) for message in history for part in parts_of(message)]
        texts |= {
            block.id: text
            for block in erased
            for text in said
            if text is not None and matches_block_id(text, block.maker, block.turn, block.id)
        }
    return texts


def _view_host_history(known: StoredSession, settings: InjectionSettings) -> SessionView:
    """The host keeps the history: what was shown within the window is taken to be there."""
    session = known.session
    for turn in known.opened:
        session = session.after(turn.receipt.user, turn.receipt.at) if turn.counts else session
    entries = [*known.ledger, *(entry for turn in known.opened for entry in turn.entries)]
    window = session.turns + 1 - settings.context_window_depth
    bound = [entry for entry in entries if entry.pruned_at is None and entry.turn >= window]
    return SessionView(
        session=session,
        history=(),
        in_view=tuple(bound),
        landed=known.opened,
        lost=known.ended,
    )


def _split_open_turns(
    opened: Sequence[OpenTurn], history: Sequence[object]
) -> tuple[list[OpenTurn], list[OpenTurn]]:
    """Turns left open: those whose message came into the history happened, the others did not."""
    if not opened:
        return [], []
    said = Counter(compute_anchor(message) for message in history if is_human(message))
    landed = [turn for turn in opened if said[turn.anchor] > turn.repeats]
    return landed, [turn for turn in opened if turn not in landed]


def _move_block(block: Block, history: Sequence[object], index: int) -> Block:
    """The block with the place that it has now, which a cut history shifts."""
    ordinal = sum(is_human(message) for message in history[:index])
    placement: Placement = replace(block.placement, ordinal=ordinal)
    return replace(block, placement=placement)


def _entries_in_view(
    entries: Sequence[LedgerEntry], live: set[str], turn: int, settings: InjectionSettings
) -> list[LedgerEntry]:
    """Entries whose memories are in view, or are still cooling down where that was asked for."""
    cooling = turn - settings.context_window_depth
    return [
        entry
        for entry in entries
        if entry.pruned_at is None
        and (entry.block in live or (not settings.reinject_when_pruned and entry.turn >= cooling))
    ]


# Blocks that other sessions of the workspace made, where a history brings them along.
#
# None of them stays: it may hold what belongs to another user, project, agent or session. What is
# relevant in it comes again in a block of the session itself.


def load_foreign_blocks(unit: UnitOfWork, ids: Collection[str]) -> tuple[Block, ...]:
    """The blocks with these ids that any session made, also in turns that have not ended."""
    if not ids:
        return ()
    opened = (turn.block for turn in unit.receipts.showing(ids))
    return (*unit.blocks.made(ids), *(block for block in opened if block is not None))


def find_present_blocks(history: Sequence[object], blocks: Sequence[Block]) -> list[Block]:
    """The blocks whose words stand in a history, and those that have none any more.

    Ids are short: of several blocks with the same id only the one that stands there counts.
    """
    made: dict[str, list[Block]] = {}
    for block in blocks:
        made.setdefault(block.id, []).append(block)
    texts = (
        (text_of_part(part) for message in history for part in parts_of(message)) if made else ()
    )
    found = {
        (block.id, block.placement.text)
        for text in texts
        if text is not None
        for id, place in find_block_headers(text)
        for block in made.get(id, ())
        if text.startswith(block.placement.text, place)
    }
    return [each for each in blocks if (each.id, each.placement.text) in found]
