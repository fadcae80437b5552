"""Words that tell how a statement is meant: as known already, or as a change of what was."""

import re
import tomllib
from functools import cache
from importlib.resources import files

_EDGES = " \t\r\n,;:.!?-–—()"


def is_told_as_known(sentence: str) -> bool:
    """Whether who says it takes for granted that it is known."""
    return _cues("known").search(sentence) is not None


def is_told_as_change(sentence: str) -> bool:
    """Whether who says it says that something is no longer as it was."""
    return _cues("changed").search(sentence) is not None


def is_remark(sentence: str) -> bool:
    """Whether it means nothing to who does not know what else was said and shown."""
    said = sentence.strip(" \t\r\n\"'“‘>*")
    is_answer = _cues("remarks").match(said) is not None
    return is_answer or said.endswith(":") or _cues("about_talk").search(said) is not None


def without_reminders(sentence: str) -> str:
    """A statement without the words that take it for granted; as it is, if nothing else is left."""
    return _cues("known").sub(" ", sentence).strip(_EDGES) or sentence


@cache
def _cues(name: str) -> re.Pattern[str]:
    """The patterns of a name, as one."""
    written = (files("tacit.writing.learning") / "cues.toml").read_text("utf-8")
    patterns = "|".join(tomllib.loads(written)[name])
    return re.compile(rf"(?<!\w)(?:{patterns})(?!\w)", re.IGNORECASE)
