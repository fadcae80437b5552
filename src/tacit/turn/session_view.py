"""The session as a turn sees it: its history without blocks, and the blocks that stand in it.

Blocks of other sessions that a history brings along are removed: they may hold what belongs to
another user, project, agent or session. What is relevant in them comes again in a new block.

`SessionReport` and `Reset` report about a session to callers.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any, ClassVar, Self

from tacit.core.episodes import is_episode_id
from tacit.core.json_value import INLINE, JsonValue, Named
from tacit.core.kinds import Owner
from tacit.core.messages import is_human, parts_of, text_of_part
from tacit.core.open_turn import OpenTurn
from tacit.core.receipt import Receipt
from tacit.core.sessions import Block, BlockState, LedgerEntry, Placement, Session
from tacit.language.injection_blocks import (
    block_ids_in,
    compute_anchor,
    find_block_headers,
    locate_placements,
    matches_block_id,
    remove_blocks,
    split_joined_blocks,
)
from tacit.language.tokens import estimate_tokens
from tacit.settings.injection import CachePolicy, InjectionSettings
from tacit.store.protocols.store import UnitOfWork
from tacit.turn.state import TurnRequest

# The session as a turn sees it: its history without blocks, and the blocks that stand in it.
#
# Blocks of other sessions that a history brings along are removed: they may hold what belongs to
# another user, project, agent or session. What is relevant in them comes again in a new block.


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSession:
    """What the store knows about a session.

    `opened` are turns without a commit; `ended` are turns that are over and still listed as open.
    """

    session: Session
    blocks: tuple[Block, ...] = ()
    foreign: tuple[Block, ...] = ()
    """Blocks of other sessions whose ids the history has."""
    ledger: tuple[LedgerEntry, ...] = ()
    opened: tuple[OpenTurn, ...] = ()
    ended: tuple[OpenTurn, ...] = ()
    withdrawn: frozenset[str] = frozenset()
    paused: frozenset[Owner] = frozenset()

    @property
    def shown_episodes(self) -> list[str]:
        """The episodes in the blocks that stand in the session."""
        live = [block for block in self.blocks if block.state is BlockState.LIVE]
        return list(dict.fromkeys(id for each in live for id in each.memories if is_episode_id(id)))


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionView:
    """The history without blocks, the blocks that stand in it, and those that no longer do.

    `moved` are live blocks whose position changed, because messages before them were removed or
    added. `completed` are turns left open whose messages are in the history, `abandoned` those
    whose messages are not; the blocks of the `recognised` ones are in the history all the same.
    `repeated` blocks must leave because overlapping turns showed the same memories. `removed` ones
    leave because together they exceed their limit of tokens, or because a turn that was left open
    removed them. `foreign` are the ids of blocks that were removed because another session made
    them. `rules_in_view` are the blocks of standing rules that the speaker's model has in view.
    """

    session: Session
    history: tuple[object, ...]
    live: tuple[Block, ...] = ()
    moved: tuple[Block, ...] = ()
    gone: tuple[Block, ...] = ()
    repeated: tuple[Block, ...] = ()
    removed: tuple[Block, ...] = ()
    foreign: tuple[str, ...] = ()
    in_view: tuple[LedgerEntry, ...] = ()
    rules_in_view: tuple[Block, ...] = ()
    recognised: frozenset[str] = frozenset()
    completed: tuple[OpenTurn, ...] = ()
    abandoned: tuple[OpenTurn, ...] = ()

    @property
    def vanished(self) -> tuple[OpenTurn, ...]:
        """The abandoned turns of which nothing is left, not even a block in the history."""
        return tuple(turn for turn in self.abandoned if turn.id not in self.recognised)


def load_session(unit: UnitOfWork, request: TurnRequest, now: datetime) -> StoredSession:
    """Read what the store knows about the session of a request."""
    fresh = Session(id=request.session, created_at=now, updated_at=now)
    ids = block_ids_in(request.history or ())
    blocks = tuple(unit.blocks.standing(request.session, ids))
    shown = [
        id
        for block in blocks
        if block.state is BlockState.LIVE
        for id in block.memories
        if not is_episode_id(id)
    ]
    opened = [each for each in unit.receipts.open_turns(request.session) if not each.is_overtaken]
    ended = [turn for turn in opened if unit.receipts.get(turn.id) is not None]
    own = {block.id for block in (*blocks, *_blocks_of(opened))}
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
    """Compare what is known with the history that came in, which the caller may have changed."""
    if request.history is None:
        return _view_host_history(known, request, settings)
    blocks = [*known.blocks, *_blocks_of(known.opened)]
    foreign = find_block_texts(find_present_blocks(request.history, known.foreign), request.history)
    texts = foreign | find_block_texts(blocks, request.history)
    history = remove_blocks(request.history, texts)
    completed, abandoned = _split_open_turns(known.opened, history)
    blocks = [*known.blocks, *_blocks_of(completed)]
    standing = _live_blocks(blocks)
    places = locate_placements(history, [block.placement for block in standing])
    live = [
        _move_block(block, history, places[block.id]) for block in standing if block.id in places
    ]
    own = [
        block
        for block in live
        if _is_for(block, request) and known.withdrawn.isdisjoint(block.memories)
    ]
    entries = [*known.ledger, *(entry for turn in completed for entry in turn.entries)]
    own, left = _split_left(own, completed)  # what comes again for them repeats nothing
    own, repeated = _split_repeats(own, entries)
    own, over = _split_over_limit(own, settings)
    removed = [*left, *over]
    kept = {block.id for block in (*own, *removed)}
    session = known.session
    for turn in completed:
        session = session.after(turn.receipt.user, turn.receipt.at) if turn.counts else session
    in_view = _entries_in_view(entries, {block.id for block in own}, session.turns + 1, settings)
    return SessionView(
        session=session,
        history=tuple(history),
        live=tuple(own),
        moved=tuple(block for block in live if block not in standing),
        gone=tuple(block for block in standing if block.id not in kept),
        repeated=tuple(repeated),
        removed=tuple(removed),
        foreign=tuple(foreign),
        in_view=tuple(in_view),
        rules_in_view=_rules_in_view(own, in_view),
        recognised=frozenset(
            turn.id for turn in abandoned if _stand_in_history(turn.blocks, request.history)
        ),
        completed=tuple(completed),
        abandoned=(*abandoned, *known.ended),
    )


def _blocks_of(turns: Iterable[OpenTurn]) -> list[Block]:
    return [block for turn in turns for block in turn.blocks]


def _is_for(block: Block, request: TurnRequest) -> bool:
    """Whether a block may be shown to who speaks."""
    return block.speaker in (None, request.speaker)


def _rules_in_view(blocks: Iterable[Block], entries: Sequence[LedgerEntry]) -> tuple[Block, ...]:
    """The blocks of standing rules that show something which may not come again yet."""
    shown = {entry.block for entry in entries}
    return tuple(block for block in blocks if block.has_standing_rules and block.id in shown)


def _stand_in_history(blocks: Sequence[Block], history: Sequence[object]) -> bool:
    """Whether a history contains the text of one of these blocks."""
    if not blocks:
        return False
    without = remove_blocks(history, {block.id: block.placement.text for block in blocks})
    return len(without) != len(history) or any(
        one is not other for one, other in zip(without, history, strict=True)
    )


def _live_blocks(blocks: Sequence[Block]) -> list[Block]:
    """The live blocks, each once: concurrent turns may have made the same block."""
    live: dict[str, Block] = {}
    for block in blocks:
        if block.state is BlockState.LIVE:
            live.setdefault(block.id, block)
    return list(live.values())


def _split_repeats(
    blocks: Sequence[Block], entries: Sequence[LedgerEntry]
) -> tuple[list[Block], list[Block]]:
    """Split blocks into the first to show their memories and those that show some again."""
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


def _split_left(
    blocks: Sequence[Block], completed: Sequence[OpenTurn]
) -> tuple[list[Block], list[Block]]:
    """Split blocks into those that stay, and those that turns left open removed."""
    left = {id for turn in completed for id in turn.settlement.left}
    staying = [block for block in blocks if block.id not in left]
    return staying, [block for block in blocks if block.id in left]


def _split_over_limit(
    blocks: Sequence[Block], settings: InjectionSettings
) -> tuple[list[Block], list[Block]]:
    """Split blocks into those that stay, and all of them once they take too many tokens."""
    if settings.cache_policy is CachePolicy.TOKENS:
        tokens = sum(estimate_tokens(block.placement.text) for block in blocks)
        if tokens >= settings.history_block_tokens:
            return [], list(blocks)
    return list(blocks), []


def find_block_texts(blocks: Sequence[Block], history: Sequence[object]) -> dict[str, str]:
    """The text of each block by its id; the text of an erased one is found in the history."""
    erased = [block for block in blocks if not block.placement.text]
    texts = {block.id: block.placement.text for block in blocks if block.placement.text}
    if erased:
        parts = (text_of_part(part) for message in history for part in parts_of(message))
        said = [piece for text in parts if text is not None for piece in split_joined_blocks(text)]
        texts |= {
            block.id: text
            for block in erased
            for text in said
            if matches_block_id(text, block.maker, block.turn, block.id)
        }
    return texts


def _view_host_history(
    known: StoredSession, request: TurnRequest, settings: InjectionSettings
) -> SessionView:
    """The view if the host keeps the history: what was shown within the window counts as there.

    Standing rules count as there until the host says that it has started over.
    """
    session = known.session
    for turn in known.opened:
        session = session.after(turn.receipt.user, turn.receipt.at) if turn.counts else session
    entries = [*known.ledger, *(entry for turn in known.opened for entry in turn.entries)]
    window = session.turns + 1 - settings.context_window_depth
    blocks = [*known.blocks, *_blocks_of(known.opened)]
    rules = {block.id for block in blocks if block.has_standing_rules}
    bound = [
        entry
        for entry in entries
        if entry.pruned_at is None and (entry.turn >= window or entry.block in rules)
    ]
    own = [block for block in _live_blocks(blocks) if _is_for(block, request)]
    return SessionView(
        session=session,
        history=(),
        in_view=tuple(bound),
        rules_in_view=_rules_in_view(own, bound),
        completed=known.opened,
        abandoned=known.ended,
    )


def _split_open_turns(
    opened: Sequence[OpenTurn], history: Sequence[object]
) -> tuple[list[OpenTurn], list[OpenTurn]]:
    """Split open turns into those whose message is in the history and the others."""
    if not opened:
        return [], []
    said = Counter(compute_anchor(message) for message in history if is_human(message))
    completed = [turn for turn in opened if said[turn.anchor] > turn.repeats]
    return completed, [turn for turn in opened if turn not in completed]


def find_blocks_left(opened: Sequence[OpenTurn], history: Sequence[object]) -> set[str]:
    """The blocks that open turns removed, of those turns whose message is in a history."""
    completed, _ = _split_open_turns(opened, history)
    return {id for turn in completed for id in turn.settlement.left}


def _move_block(block: Block, history: Sequence[object], index: int) -> Block:
    """The block at its present position, which a cut history shifts."""
    ordinal = sum(is_human(message) for message in history[:index])
    placement: Placement = replace(block.placement, ordinal=ordinal)
    return replace(block, placement=placement)


def _entries_in_view(
    entries: Sequence[LedgerEntry], live: set[str], turn: int, settings: InjectionSettings
) -> list[LedgerEntry]:
    """Entries whose memories are in view, or still cooling down if the settings ask for that."""
    cooling = turn - settings.context_window_depth
    return [
        entry
        for entry in entries
        if entry.pruned_at is None
        and (entry.block in live or (not settings.reinject_when_pruned and entry.turn >= cooling))
    ]


def load_foreign_blocks(unit: UnitOfWork, ids: Collection[str]) -> tuple[Block, ...]:
    """The blocks with these ids that any session made, also in turns that have not ended."""
    if not ids:
        return ()
    opened = _blocks_of(unit.receipts.open_turns_showing(ids))
    return (*unit.blocks.made(ids), *(block for block in opened if block.id in ids))


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


# Reports


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionReport(JsonValue):
    """What is known about a session: its blocks, their memories, and its last receipts."""

    session: Annotated[Session, INLINE]
    is_paused: Annotated[bool, Named("paused"), "Whether it is left alone."]
    blocks: tuple[Block, ...]
    ledger: tuple[LedgerEntry, ...]
    receipts: tuple[Receipt, ...]

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote; blocks and ledger are those of the session."""
        named = {"session": values["id"]}
        own = {part: [{**each, **named} for each in values[part]] for part in ("blocks", "ledger")}
        return super(SessionReport, cls).from_dict({**values, **own})


@dataclass(frozen=True, slots=True, kw_only=True)
class Reset(JsonValue):
    """How many memories may be shown again in a session, and how many open turns were abandoned."""

    COMPUTED: ClassVar[tuple[str, ...]] = ("memory_tracking_reset",)

    session: str
    cleared: Annotated[int, Named("previous_count")]
    abandoned_turns: Annotated[int, "Their commit will record nothing."] = 0

    @property
    def memory_tracking_reset(self) -> bool:
        """Always true: what was shown may be shown again."""
        return True
