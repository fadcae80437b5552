"""Who took part in the sessions that an older version kept."""

from tacit.core.sessions import Participant
from tacit.store.protocols.unit import Unit

_PAGE = 500


def note_known_participants(unit: Unit) -> None:
    """Read who took part in sessions from what is kept of their turns.

    Of speakers whose receipts are gone the agent is not known; they are taken to have spoken with
    those agents that are known.
    """
    _note_turns(unit)
    last: str | None = None
    while page := unit.sessions.scan(last, _PAGE):
        for session in page:
            known = unit.participants.of(session.id)
            agents = dict.fromkeys(each.agent for each in known) or {None: None}
            users = {each.user for each in known}
            for user in [each for each in session.speakers if each not in users]:
                for agent in agents:
                    unit.participants.put(
                        Participant(session=session.id, agent=agent, user=user, took_turn=True)
                    )
        last = page[-1].id


def _note_turns(unit: Unit) -> None:
    """Those of the receipts, of what waits to be learned, and of turns that have not ended."""
    receipts = unit.receipts.scan(None, _PAGE)
    while receipts:
        for each in receipts:
            _note(unit, each.session, each.agent, each.user, took_turn=True)
        receipts = unit.receipts.scan(receipts[-1].id, _PAGE)
    queued = unit.heard.scan(None, _PAGE)
    while queued:
        for said in queued:
            heard = said.turn
            _note(unit, heard.session, heard.agent, heard.user, took_turn=True)
        queued = unit.heard.scan(queued[-1].id, _PAGE)
    opened = unit.receipts.scan_opened(None, _PAGE)
    while opened:
        for turn in opened:
            if turn.abandoned is None:
                _note(unit, turn.session, turn.receipt.agent, turn.receipt.user, took_turn=False)
        opened = unit.receipts.scan_opened(opened[-1], _PAGE)


def _note(
    unit: Unit, session: str, agent: str | None, user: str | None, *, took_turn: bool
) -> None:
    unit.participants.put(Participant(session=session, agent=agent, user=user, took_turn=took_turn))
