"""The open turn: the blocks, ledger entries, receipt and captured words that a commit will write.

Captured words never contain secrets.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from tacit.core.kinds import Scope
from tacit.core.messages import is_assistant, is_human, text_of
from tacit.core.open_turn import CapturedTurn, OpenTurn
from tacit.core.receipt import Receipt, SkipReason
from tacit.core.sessions import Block, LedgerEntry, Placement
from tacit.language.injection_blocks import compute_anchor, compute_block_id
from tacit.language.query import MAX_QUERY_CHARACTERS, SearchQuery, clean_message, recent_messages
from tacit.language.redaction.redact import RedactedText, clip_redacted, redact_pieces, redact_start
from tacit.language.terms import extract_query_terms
from tacit.search.duplicates import wording_hash
from tacit.turn.block import render_block
from tacit.turn.session_view import SessionView
from tacit.turn.state import ScoredCandidate, TurnRequest, TurnState, keep_one_per_memory

_NOBODY = ""


@dataclass(frozen=True, slots=True)
class BlockBodies:
    """The rendered text of each block of a turn, without its first line; empty for no block."""

    standing: str = ""
    memories: str = ""


def build_open_turn(
    request: TurnRequest,
    view: SessionView,
    state: TurnState,
    skip: SkipReason | None,
    bodies: BlockBodies,
    *,
    id: str,
    now: datetime,
) -> OpenTurn:
    """Build what the commit will write; without bodies there are no blocks and no entries."""
    turn = view.session.turns + 1
    people = [message for message in view.history if is_human(message)]
    shown = [each for each in state.candidates if each.is_open]
    made = [
        (_build_block(request, len(people), turn, body, lines, has_rules), lines)
        for has_rules, body in ((True, bodies.standing), (False, bodies.memories))
        if body and (lines := [each for each in shown if each.is_standing is has_rules])
    ]
    blocks = tuple(block for block, _ in made)
    anchor = _anchor_of_request(request)
    return OpenTurn(
        receipt=_build_receipt(request, state, skip, blocks, turn, id, now),
        blocks=blocks,
        entries=tuple(_build_entry(block, each) for block, lines in made for each in lines),
        anchor=anchor,
        spoken=sum(map(is_human, request.incoming)),
        repeats=sum(compute_anchor(message) == anchor for message in people),
        counts=request.is_spoken,
        clears=view.session.clears,
        chat=request.chat,
    )


def _build_block(
    request: TurnRequest,
    ordinal: int,
    turn: int,
    body: str,
    shown: Sequence[ScoredCandidate],
    has_rules: bool,
) -> Block:
    id = compute_block_id(request.session, turn, body)
    placement = Placement(
        id=id,
        text=render_block(id, body),
        anchor=_anchor_of_request(request),
        ordinal=ordinal,
    )
    own = [each.memory.id for each in shown]
    quoted = [id for each in shown for id in each.quotes]
    personal = any(each.memory.scope is Scope.USER for each in shown)
    return Block(
        session=request.session,
        turn=turn,
        placement=placement,
        memories=tuple(dict.fromkeys([*own, *quoted])),
        speaker=request.speaker if personal else None,
        has_standing_rules=has_rules,
    )


def _build_entry(block: Block, shown: ScoredCandidate) -> LedgerEntry:
    return LedgerEntry(
        session=block.session,
        turn=block.turn,
        memory=shown.memory.id,
        content_hash=wording_hash(shown.memory.content),
        block=block.id,
    )


def _build_receipt(
    request: TurnRequest,
    state: TurnState,
    skip: SkipReason | None,
    blocks: Sequence[Block],
    turn: int,
    id: str,
    now: datetime,
) -> Receipt:
    ids = {block.has_standing_rules: block.id for block in blocks}
    return Receipt(
        id=id,
        session=request.session,
        turn=turn,
        at=now,
        agent=request.agent,
        user=request.user,
        project=request.project,
        org=request.org,
        query=capture_query(request),
        context=capture_context(state.question, state.said),
        kind=str(state.kind),
        skipped=skip,
        candidates=tuple(
            each.to_candidate(request.speaker) for each in keep_one_per_memory(state.candidates)
        ),
        block=ids.get(False),
        standing_block=ids.get(True),
        tokens=state.tokens if blocks else 0,
        characters=state.characters if blocks else 0,
    )


def _anchor_of_request(request: TurnRequest) -> str:
    spoken = [message for message in request.incoming if is_human(message)]
    return compute_anchor(spoken[0]) if spoken else _NOBODY


# Captured words, to learn from


_MOST_SAID = 20_000
_MOST_REPLIED = 4_000


def capture_turn(
    request: TurnRequest, history: Sequence[object], id: str, now: datetime
) -> CapturedTurn | None:
    """Capture what a person said in a turn, to learn from it; None if nobody spoke."""
    spoken = [each for each in request.incoming if is_human(each)]
    texts = redact_pieces([text_of(each) for each in spoken])
    kept = [_sanitize(text, _MOST_SAID).strip() for text in texts]
    said = tuple(words for words in kept if words)
    if not said or not request.is_spoken:
        return None
    keys = (
        [f"{id}.{place}" for place in range(len(spoken))]
        if request.history is None
        else compute_message_keys(request.session, history, spoken)
    )
    return CapturedTurn(
        id=id,
        session=request.session,
        at=now,
        said=said,
        agent=request.agent,
        user=request.user,
        project=request.project,
        org=request.org,
        by=request.by,
        message_keys=tuple(each for each, words in zip(keys, kept, strict=True) if words),
        is_personal=request.is_personal,
    )


def compute_message_keys(
    session: str, history: Sequence[object], spoken: Sequence[object]
) -> list[str]:
    """A key for each message: its words, how often they came before, and after which message.

    It is the same where a host sends the messages again, be it as new ones or as history.
    """
    anchors = [compute_anchor(each) for each in history if is_human(each)]
    keys = []
    for message in spoken:
        own = compute_anchor(message)
        before = anchors[-1] if anchors else _NOBODY
        keys.append(_digest(session, own, anchors.count(own), before))
        anchors.append(own)
    return keys


def _digest(*parts: object) -> str:
    return sha256("\n".join(map(str, parts)).encode()).hexdigest()[:32]


def capture_reply(messages: Sequence[object]) -> str:
    """Capture the start of a reply, which helps to understand what is said next."""
    texts = [text_of(message) for message in messages if is_assistant(message)]
    return _sanitize("\n".join(text for text in texts if text), _MOST_REPLIED)


def _sanitize(text: str, characters: int) -> str:
    """Make a text safe to store: valid, without secrets, and not too long."""
    sound = text.encode("utf-8", "replace").decode().replace("\0", " ")
    return redact_start(sound, characters).text


# Captured words, for the receipt


_NEAR, _FAR = 2_000, 20_000
"""Characters of a message that its query usually comes from, and at most."""

_MOST_READ = 20_000
"""Once this many characters of earlier messages were read, no older words are kept."""

_MOST_COUNTED = 7_000
"""What reading the start of a message costs, including the search for a secret's end."""


def capture_query(request: TurnRequest) -> str:
    """Capture the message for the receipt."""
    said = "\n".join(text_of(message) for message in request.incoming)
    kept = _redact_query(said, request.text)
    return clip_redacted(
        clean_message(kept.text) if kept.kinds else request.text, MAX_QUERY_CHARACTERS
    )


def capture_context(question: SearchQuery, history: Sequence[object]) -> tuple[str, ...]:
    """Capture the query terms that came from earlier messages, except those of secrets."""
    terms = tuple(term.alternatives[0] for term in question.context)
    last = redact_pieces([*_context_texts(history)]) if terms else []
    said = [_redact_query(text, clean_message(text)) for text in _newest_texts(last)]
    if len(said) == len(last) and not any(each.kinds for each in said):
        return terms
    known = {term.alternatives[0] for each in said for term in extract_query_terms(each.text)}
    return tuple(term for term in terms if term in known)


def _redact_query(said: str, clean: str) -> RedactedText:
    """Redact the part of a message that its query comes from; cleaning may remove much of it."""
    if clean_message(said[:_NEAR])[:MAX_QUERY_CHARACTERS] == clean[:MAX_QUERY_CHARACTERS]:
        near = redact_start(said, _NEAR)
        is_enough = len(said) <= _NEAR or len(clean_message(near.text)) >= MAX_QUERY_CHARACTERS
        if is_enough or not near.kinds:
            return near
    return redact_start(said, _FAR)


def _context_texts(history: Sequence[object]) -> Iterator[str]:
    """The texts that a question may take words from, oldest first; of replies only the start."""
    left = 0
    for message in recent_messages(history):
        text = text_of(message)
        if is_human(message):
            left = MAX_QUERY_CHARACTERS
            yield text
        elif is_assistant(message) and left > 0:
            left -= len(text)
            yield text


def _newest_texts(texts: Sequence[str]) -> Iterator[str]:
    """The newest texts, until enough was read."""
    read = 0
    for text in reversed(texts):
        if read >= _MOST_READ:
            return
        read += min(len(text), _MOST_COUNTED)
        yield text
