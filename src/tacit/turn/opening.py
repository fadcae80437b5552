"""A turn that begins, as a value: its block, its ledger entries and its receipt."""

from collections.abc import Sequence
from datetime import datetime

from tacit.core.conversation.block import Block
from tacit.core.conversation.entry import Entry
from tacit.core.conversation.opening import OpenTurn
from tacit.core.conversation.placement import Placement
from tacit.core.memory.kinds import Scope
from tacit.core.messages.speaker import is_human
from tacit.core.receipt.receipt import Receipt, Skip
from tacit.language.history.anchor import anchor_of
from tacit.language.history.blocks import block_id
from tacit.search.selection.wording import wording_hash
from tacit.turn.course import Course, Weighed, one_entry_each
from tacit.turn.render.sections import block as rendered
from tacit.turn.request import Request
from tacit.turn.view import View
from tacit.turn.wording import context_of, query_of

_NOBODY = ""


def open_turn(
    request: Request,
    view: View,
    course: Course,
    skip: Skip | None,
    body: str,
    *,
    id: str,
    now: datetime,
) -> OpenTurn:
    """What the end of the turn will write; without a body there is no block and no entry."""
    turn = view.session.turns + 1
    people = [message for message in view.history if is_human(message)]
    shown = [each for each in course.weighed if each.is_open] if body else []
    block = _block(request, len(people), turn, body, shown) if body else None
    anchor = _anchor(request)
    return OpenTurn(
        receipt=_receipt(request, course, skip, block, turn, id, now),
        block=block,
        entries=() if block is None else tuple(_entry(block, each) for each in shown),
        anchor=anchor,
        repeats=sum(anchor_of(message) == anchor for message in people),
        counts=request.is_spoken,
        clears=view.session.clears,
        chat=request.chat,
    )


def _block(request: Request, ordinal: int, turn: int, body: str, shown: Sequence[Weighed]) -> Block:
    id = block_id(request.session, turn, body)
    placement = Placement(
        id=id,
        text=rendered(id, body),
        anchor=_anchor(request),
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
    )


def _entry(block: Block, shown: Weighed) -> Entry:
    return Entry(
        session=block.session,
        turn=block.turn,
        memory=shown.memory.id,
        content_hash=wording_hash(shown.memory.content),
        block=block.id,
    )


def _receipt(
    request: Request,
    course: Course,
    skip: Skip | None,
    block: Block | None,
    turn: int,
    id: str,
    now: datetime,
) -> Receipt:
    return Receipt(
        id=id,
        session=request.session,
        turn=turn,
        at=now,
        agent=request.agent,
        user=request.user,
        project=request.project,
        org=request.org,
        query=query_of(request),
        context=context_of(course.question, course.said),
        kind=str(course.kind),
        skipped=skip,
        candidates=tuple(each.candidate() for each in one_entry_each(course.weighed)),
        block=block.id if block else None,
        tokens=course.tokens if block else 0,
        characters=course.characters if block else 0,
    )


def _anchor(request: Request) -> str:
    spoken = [message for message in request.incoming if is_human(message)]
    return anchor_of(spoken[0]) if spoken else _NOBODY
