"""Lessons: what is learned from conversations, and when."""

from collections.abc import Callable

from tacit.api.face.face import Face
from tacit.api.lessons import told_to
from tacit.core.fields import check_field
from tacit.core.permissions import Viewer
from tacit.language.extraction.extracting import extract
from tacit.language.extraction.finding import Extraction
from tacit.language.redaction.text import redact
from tacit.writing.learning.echoes import remove_pasted_blocks
from tacit.writing.learning.lesson import Learned


class Lessons(Face):
    """Memory that fills itself from turns that were committed."""

    def learn(self, *, agent: str | None = None, user: str | None = None) -> Learned:
        """Read now what was said and waits to be learned; says what became of each statement.

        That happens by itself soon after every turn; a model reads what its time has come for. An
        `agent` and a `user` are told of statements that are in memories which they may see.
        """
        who, learned = Viewer.of(agent, user), self._learning.now()
        return self._read(lambda unit: told_to(unit, learned, who))

    def extract(self, text: str) -> Extraction:
        """What the rules would take from a message, and what they refuse, without any effect."""
        said = redact(check_field("text", text)).text
        return extract(remove_pasted_blocks(said), self._clock())

    def watch_learning(self, watcher: Callable[[Learned], None]) -> None:
        """Tell somebody of everything that is learned here, in whichever workspace."""
        self._desk.watchers.append(watcher)
