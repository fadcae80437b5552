"""What stands around the layers of a policy, and what keeps a file from standing there too."""

from unicodedata import normalize

from tacit.grounding.policy.layer import Kind, Layer
from tacit.grounding.section import TITLES
from tacit.history.blocks import INJECTION_BLOCK_PREFIX
from tacit.render.characters import UNSEEN, revealed
from tacit.render.wording import FRAME_TITLE, KNOWN_FACTS, PINNED, RELEVANT, RULER

CUT = "(cut here: the rest is too long)"

_MARK = "[Policy:"
_HEADINGS = {
    Kind.ROLE: "role {name}",
    Kind.GLOBAL: "directives for every workspace",
    Kind.WORKSPACE: "directives of this workspace",
    Kind.CONTEXT: "directives of this conversation",
    Kind.SOUL: "character and tone",
    Kind.SKILL: "skill {name}",
    Kind.ACTIONS: "actions",
}
_RESERVED = tuple(
    words.casefold()
    for words in (
        _MARK,
        INJECTION_BLOCK_PREFIX,
        KNOWN_FACTS,
        PINNED,
        RELEVANT,
        FRAME_TITLE,
        RULER[:1],
        "RELEVANT CONTEXT - RAG",
        *TITLES.values(),
    )
)
_RESERVED_ALONE = "user request"
"""Words that many lines begin with, and that are ours only where nothing follows."""
_ADORNMENT = " \t\\#*_>-"
_BRACKETS = str.maketrans("[]", "()")


def heading(layer: Layer) -> str:
    """The line above a layer, which no line of a file can be mistaken for."""
    name = " ".join(revealed(layer.name).split()).translate(_BRACKETS)
    return f"{_MARK} {_HEADINGS[layer.kind].format(name=name)}]"


def guarded(line: str) -> str:
    """A line of a file with nothing unseen in it, and a backslash before words that are ours."""
    is_plain = line.isascii() and line.isprintable()
    looks = line if is_plain else normalize("NFKC", UNSEEN.sub("", line))
    seen = " ".join(looks.split()).strip(_ADORNMENT).casefold()
    is_ours = seen.startswith(_RESERVED) or seen.rstrip(":") == _RESERVED_ALONE
    return f"\\{revealed(line)}" if is_ours else revealed(line)
