"""What databases of older versions need: migrations, new terms, and participants."""

from dataclasses import dataclass
from importlib.resources import files

from tacit.core.errors import StoreTooNew
from tacit.core.sessions import Participant
from tacit.language.statements.parser import STATEMENTS_VERSION
from tacit.language.terms import ANALYSIS_VERSION
from tacit.store.protocols.store import UnitOfWork

ANALYSIS_VERSIONS = f"{ANALYSIS_VERSION}.{STATEMENTS_VERSION}"
"""The version that is stored with terms and claims."""


def is_newer_analysis(made_by: str) -> bool:
    """Whether a later version made the terms or claims; a missing number means older."""
    numbers = made_by.split(".")
    if len(numbers) != 2 or not all(number.isdecimal() for number in numbers):
        return False
    terms, claims = map(int, numbers)
    return terms > ANALYSIS_VERSION or claims > STATEMENTS_VERSION


def reject_newer_analysis(place: object, made_by: str, package: str) -> None:
    """Refuse a database that a newer version analysed, and say how to open it."""
    if is_newer_analysis(made_by):
        raise StoreTooNew(
            f"{place}: analysed by a newer Tacit (analysis {made_by}, this one knows"
            f" {ANALYSIS_VERSIONS});"
            f" upgrade with: pip install --upgrade {package}"
        )


_PAGE = 500


def add_known_participants(unit: UnitOfWork) -> None:
    """Add the participants of sessions, as far as stored turns name them.

    Of speakers whose receipts are gone the agent is not known; they are taken to have spoken with
    those agents that are known.
    """
    _add_from_turns(unit)
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


def _add_from_turns(unit: UnitOfWork) -> None:
    """Add the participants of receipts, of the learning queue, and of open turns."""
    receipts = unit.receipts.scan(None, _PAGE)
    while receipts:
        for each in receipts:
            _add_participant(unit, each.session, each.agent, each.user, took_turn=True)
        receipts = unit.receipts.scan(receipts[-1].id, _PAGE)
    queued = unit.heard.scan(None, _PAGE)
    while queued:
        for said in queued:
            heard = said.turn
            _add_participant(unit, heard.session, heard.agent, heard.user, took_turn=True)
        queued = unit.heard.scan(queued[-1].id, _PAGE)
    opened = unit.receipts.scan_open_turns(None, _PAGE)
    while opened:
        for turn in opened:
            if turn.abandoned is None:
                _add_participant(
                    unit, turn.session, turn.receipt.agent, turn.receipt.user, took_turn=False
                )
        opened = unit.receipts.scan_open_turns(opened[-1], _PAGE)


def _add_participant(
    unit: UnitOfWork, session: str, agent: str | None, user: str | None, *, took_turn: bool
) -> None:
    unit.participants.put(Participant(session=session, agent=agent, user=user, took_turn=took_turn))


@dataclass(frozen=True, slots=True)
class Migration:
    """One step: the statements that lead to a version."""

    version: int
    sql: str


def load_migrations(package: str) -> list[Migration]:
    """The migrations of a backend that come with this version, in order."""
    folder = files(package) / "migrations"
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".sql"))
    return [
        Migration(int(name.partition("_")[0]), (folder / name).read_text("utf-8")) for name in names
    ]
