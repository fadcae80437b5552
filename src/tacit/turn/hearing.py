"""What is heard in a turn: the words of people, without blocks and secrets."""

from collections.abc import Sequence
from datetime import datetime

from tacit.core.conversation.heard import Heard
from tacit.core.messages.parts import text_of
from tacit.core.messages.speaker import is_assistant, is_human
from tacit.language.redaction.text import redact_pieces, redact_start
from tacit.turn.request import Request

_SAID = 20_000
_REPLIED = 4_000


def heard(request: Request, id: str, now: datetime) -> Heard | None:
    """What a person said in a turn, to learn from it; nothing where nobody spoke."""
    spoken = redact_pieces([text_of(each) for each in request.incoming if is_human(each)])
    said = tuple(words for text in spoken if (words := _kept(text, _SAID).strip()))
    if not said or not request.is_spoken:
        return None
    return Heard(
        id=id,
        session=request.session,
        at=now,
        said=said,
        agent=request.agent,
        user=request.user,
        project=request.project,
        org=request.org,
        by=request.by,
    )


def replied(messages: Sequence[object]) -> str:
    """The words of a reply, as far as they help to understand what is said next."""
    texts = [text_of(message) for message in messages if is_assistant(message)]
    return _kept("\n".join(text for text in texts if text), _REPLIED)


def _kept(text: str, characters: int) -> str:
    """A text that every store can hold, without secrets and not too long."""
    sound = text.encode("utf-8", "replace").decode().replace("\0", " ")
    return redact_start(sound, characters).text
