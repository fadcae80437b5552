"""Lessons: what is learned from conversations, and when."""

from dataclasses import asdict
from typing import Any

from tacit.api.client.arguments import session_path
from tacit.api.client.face.face import Face
from tacit.core.fields import check_field
from tacit.core.permissions import Viewer
from tacit.language.extraction.finding import Extraction
from tacit.writing.learning.lesson import Learned


class Lessons(Face):
    """Memory that fills itself from turns that were committed."""

    def learn(self, *, agent: str | None = None, user: str | None = None) -> Learned:
        """Read now what was said and waits to be learned; says what became of each statement.

        That happens by itself soon after every turn; a model reads what its time has come for. An
        `agent` and a `user` are told of statements that are in memories which they may see.
        """
        asked = asdict(Viewer.of(agent, user))
        return self._at.write("/v1/learn", read=Learned.from_dict, params=asked)

    def extract(self, text: str) -> Extraction:
        """What the rules would take from a message, and what they refuse, without any effect."""
        return self._at.look(
            "/v1/extract", {"text": check_field("text", text)}, Extraction.from_dict
        )

    def end_session(self, session: str) -> int:
        """Say that a session is over, so that the model reads the rest of it.

        Tells how many turns wait for that; without a model none does.
        """
        return self._at.write(session_path(session, "end"), read=_waiting)


def _waiting(answer: Any) -> int:
    return int(answer["waiting"])
