"""What stands around the layers of a policy, and what keeps a file from standing there too."""

from tacit.grounding.policy.layer import Kind, Layer
from tacit.language.characters import escape_line
from tacit.language.neutralization import is_heading
from tacit.language.prompt_templates import POLICY

CUT = "(cut here: the rest is too long)"

_HEADINGS = {
    Kind.ROLE: "role {name}",
    Kind.GLOBAL: "directives for every workspace",
    Kind.WORKSPACE: "directives of this workspace",
    Kind.CONTEXT: "directives of this conversation",
    Kind.SOUL: "character and tone",
    Kind.SKILL: "skill {name}",
    Kind.ACTIONS: "actions",
}
_BRACKETS = str.maketrans("[]", "()")


def heading(layer: Layer) -> str:
    """The line above a layer, which no line of a file can be mistaken for."""
    name = " ".join(escape_line(layer.name).split()).translate(_BRACKETS)
    return f"{POLICY} {_HEADINGS[layer.kind].format(name=name)}]"


def guarded(line: str) -> str:
    """A line of a file with nothing unseen in it, and a backslash before words that are ours."""
    if not line:
        return line
    return f"\\{escape_line(line)}" if is_heading(line) else escape_line(line)
