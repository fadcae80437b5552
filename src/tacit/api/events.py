"""Events of a workspace, for those who watch it."""

from dataclasses import replace

from tacit.api.visibility import hidden_from
from tacit.core.events import Event, EventKind, EventPage
from tacit.core.permissions import Viewer
from tacit.store.protocols.unit import Unit

_AT_ONCE = 500


def events_after(unit: Unit, number: int, limit: int) -> EventPage:
    """A page of what happened after an event."""
    found = tuple(unit.events.after(number, limit))
    return _page(unit, found, found[-1].number if found else number)


def events_reached(unit: Unit, reach: Viewer, number: int, limit: int) -> EventPage:
    """A page of what happened after an event and concerns a bound caller."""
    own: list[Event] = []
    seen, sessions = number, _Sessions(unit, reach)
    while len(own) < limit:
        found = unit.events.after(seen, _AT_ONCE)
        for event in found:
            seen = event.number
            if (told := _told_to(unit, reach, sessions, event)) is not None:
                own.append(told)
            if len(own) == limit:
                break
        if len(found) < _AT_ONCE:
            break
    return _page(unit, tuple(own), seen)


class _Sessions:
    """Which sessions a bound caller reaches, each looked up once."""

    def __init__(self, unit: Unit, reach: Viewer) -> None:
        self._unit = unit
        self._reach = reach
        self._known: dict[str, bool] = {}

    def is_reached(self, name: str) -> bool:
        if name not in self._known:
            self._known[name] = self._reach.sees_session(self._unit.participants.of(name))
        return self._known[name]


def _page(unit: Unit, events: tuple[Event, ...], seen: int) -> EventPage:
    return EventPage(events=events, first=unit.events.first(), last=unit.events.last(), seen=seen)


def _told_to(unit: Unit, reach: Viewer, sessions: _Sessions, event: Event) -> Event | None:
    """An event without what is others', or None where nothing is left of it."""
    data = event.data
    if "session" in data:
        return event if sessions.is_reached(data["session"]) else None
    if event.kind is EventKind.MEMORIES_CHANGED:
        hidden = _hidden(unit, reach, [each["memory"] for each in data["changes"]])
        seen = [each for each in data["changes"] if each["memory"] not in hidden]
        return replace(event, data={**data, "count": len(seen), "changes": seen}) if seen else None
    if event.kind is EventKind.REVIEW_DECIDED:
        return None if _hidden(unit, reach, [data["memory"]]) else event
    return event


def _hidden(unit: Unit, reach: Viewer, ids: list[str]) -> set[str]:
    """Those that the caller may not see, and those that are gone: nobody knows whose they were."""
    gone = set(ids) - set(unit.memories.get(ids))
    return gone | hidden_from(reach, unit, ids)
