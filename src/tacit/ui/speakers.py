"""Who spoke of late, for pages that ask for the name of a user."""

from collections.abc import Sequence

from tacit.api.client.remote import RemoteTacit

_MOST_SPEAKERS = 12
_RECENT_SESSIONS = 100


def recent_speakers(tacit: RemoteTacit) -> Sequence[str]:
    """The users who spoke last, whose words may be looked at."""
    sessions = tacit.sessions.list(limit=_RECENT_SESSIONS)
    return list(dict.fromkeys(name for each in sessions for name in each.speakers))[:_MOST_SPEAKERS]
