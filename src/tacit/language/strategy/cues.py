"""The words and phrases that tell what a message needs; they are data, and can be added to."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from importlib.resources import files

from tacit.core.errors import InvalidInput
from tacit.language.strategy.phrase import checked


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """Cues by kind, as they are written in `cues.toml`."""

    small_talk: tuple[str, ...] = ()
    company: tuple[str, ...] = ()
    """What may stand beside small talk and is none by itself."""
    continuity: tuple[str, ...] = ()
    """What refers to the conversation, whatever else is said."""
    continuity_words: tuple[str, ...] = ()
    """What refers to it unless documents are asked for."""
    strong: tuple[str, ...] = ()
    """Two points for documents."""
    weak: tuple[str, ...] = ()
    """One point."""
    anchors: tuple[str, ...] = ()
    """One point, and enough in a question."""
    questions: tuple[str, ...] = ()
    """What a question begins with."""
    domains: tuple[str, ...] = ()
    """How a domain that stands alone may end."""


KINDS = tuple(field.name for field in fields(Cues))


def extended(cues: Cues, more: Mapping[str, object]) -> Cues:
    """The cues with others added, such as a workspace's own."""
    return replace(cues, **{kind: _added(cues, kind, listed) for kind, listed in more.items()})


def _added(cues: Cues, kind: str, listed: object) -> tuple[str, ...]:
    if kind not in KINDS:
        raise InvalidInput(kind, f"is no kind of cue; there are {', '.join(KINDS)}")
    if not isinstance(listed, list | tuple):
        raise InvalidInput(kind, 'must be a list of cues, like ["handbook", "as agreed"]')
    return tuple(dict.fromkeys((*getattr(cues, kind), *(checked(kind, cue) for cue in listed))))


_WRITTEN = tomllib.loads((files(__package__) / "cues.toml").read_text("utf-8"))

DEFAULT = Cues(**{kind: tuple(listed) for kind, listed in _WRITTEN.items()})
"""Those that come with Tacit."""
