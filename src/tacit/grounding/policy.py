"""The prompt policy: the system side of a prompt, composed of layers within a budget."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import accumulate, takewhile
from pathlib import Path
from typing import Any

from tacit.grounding.text_cuts import find_last_end
from tacit.language.characters import escape_line
from tacit.language.code_fences import missing_closing_fence
from tacit.language.neutralization import is_heading
from tacit.language.prompt_templates import POLICY
from tacit.language.tokens import TextSize, estimate_tokens

_BUNDLED = Path(__file__).parent / "roles"


class PromptRole(StrEnum):
    """Who is answered: an administrator, or somebody from outside."""

    ADMIN = "admin"
    PUBLIC = "public"

    @property
    def bundled(self) -> str:
        """The built-in text for the role."""
        return (_BUNDLED / f"{self}.md").read_text(encoding="utf-8")


class LayerKind(StrEnum):
    """The kind of a layer, in the order of a policy."""

    ROLE = "role"
    GLOBAL = "global"
    WORKSPACE = "workspace"
    CONTEXT = "context"
    SOUL = "soul"
    SKILL = "skill"
    ACTIONS = "actions"


class LayerState(StrEnum):
    """What became of a file when the layers were loaded."""

    READ = "read"
    SHADOWED = "shadowed"
    SURPLUS = "surplus"
    """There are enough skills without it."""
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyLayer:
    """The content of one file; a layer without a source is built in."""

    kind: LayerKind
    name: str
    """The name of a role or skill; otherwise the kind."""
    source: Path | None
    text: str = ""
    state: LayerState = LayerState.READ
    note: str = ""
    """What shadows it, what is wrong with it, or that it was too long."""

    @property
    def title(self) -> str:
        """A short title."""
        return str(self.kind) if self.name == self.kind else f"{self.kind} {self.name}"

    @property
    def mention(self) -> "PolicyLayer":
        """The same layer without its text."""
        return replace(self, text="")


def to_printable_name(name: str) -> str:
    """A file name as text, whatever its bytes are."""
    return name.encode(errors="backslashreplace").decode()


class LayerDisposition(StrEnum):
    """What became of a layer."""

    KEPT = "kept"
    CUT = "cut"
    DROPPED = "dropped"
    SHADOWED = "shadowed"
    SURPLUS = "surplus"
    UNREADABLE = "unreadable"


_STATE_OF = {LayerDisposition(state): state for state in LayerState if state is not LayerState.READ}


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyLine:
    """A line of a policy, its layer, and its number in the file; built-in lines have none."""

    text: str
    layer: PolicyLayer
    number: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "layer": str(self.layer.kind),
            "name": self.layer.name,
            "file": _file_of(self.layer),
            "line": self.number,
            "text": self.text,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerShare:
    """How much of a layer is in a policy."""

    layer: PolicyLayer
    fate: LayerDisposition
    tokens: int = 0
    lines: int = 0
    of_lines: int = 0

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "LayerShare":
        """Read what `to_dict` wrote."""
        fate = LayerDisposition(values["fate"])
        layer = PolicyLayer(
            kind=LayerKind(values["layer"]),
            name=values["name"],
            source=_to_path(values["file"]),
            state=_STATE_OF.get(fate, LayerState.READ),
            note=values["note"],
        )
        counts = {name: values[name] for name in ("tokens", "lines", "of_lines")}
        return cls(layer=layer, fate=fate, **counts)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "layer": str(self.layer.kind),
            "name": self.layer.name,
            "file": _file_of(self.layer),
            "fate": str(self.fate),
            "tokens": self.tokens,
            "lines": self.lines,
            "of_lines": self.of_lines,
            "note": self.layer.note,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The system side of a prompt, and the account of its layers."""

    lines: tuple[PolicyLine, ...]
    shares: tuple[LayerShare, ...]
    max_tokens: int

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Policy":
        """Read what `to_dict` wrote."""
        shares = tuple(map(LayerShare.from_dict, values["layers"]))
        layers = {
            (str(each.layer.kind), each.layer.name, each.layer.source): each.layer
            for each in shares
        }
        lines = tuple(
            PolicyLine(
                text=line["text"],
                layer=layers[line["layer"], line["name"], _to_path(line["file"])],
                number=line["line"],
            )
            for line in values["lines"]
        )
        return cls(lines=lines, shares=shares, max_tokens=values["max_tokens"])

    @property
    def text(self) -> str:
        """The text that a model gets."""
        return "\n".join(line.text for line in self.lines)

    @property
    def tokens(self) -> int:
        """The size of the text."""
        return estimate_tokens(self.text)

    @property
    def degraded(self) -> tuple[str, ...]:
        """What could not be read, and why, without its path."""
        return tuple(
            f"policy: {each.layer.title} {each.layer.note}"
            for each in self.shares
            if each.fate is LayerDisposition.UNREADABLE
        )

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "text": self.text,
            "tokens": self.tokens,
            "max_tokens": self.max_tokens,
            "layers": [share.to_dict() for share in self.shares],
            "lines": [line.to_dict() for line in self.lines],
        }


def _file_of(layer: PolicyLayer) -> str | None:
    return None if layer.source is None else to_printable_name(str(layer.source))


def _to_path(file: str | None) -> Path | None:
    return None if file is None else Path(file)


# Headings and escapes


CUT_MARK = "(cut here: the rest is too long)"

_HEADINGS = {
    LayerKind.ROLE: "role {name}",
    LayerKind.GLOBAL: "directives for every workspace",
    LayerKind.WORKSPACE: "directives of this workspace",
    LayerKind.CONTEXT: "directives of this conversation",
    LayerKind.SOUL: "character and tone",
    LayerKind.SKILL: "skill {name}",
    LayerKind.ACTIONS: "actions",
}
_BRACKETS = str.maketrans("[]", "()")


def format_heading(layer: PolicyLayer) -> str:
    """The heading of a layer, which no line of a file can be mistaken for."""
    name = " ".join(escape_line(layer.name).split()).translate(_BRACKETS)
    return f"{POLICY} {_HEADINGS[layer.kind].format(name=name)}]"


def escape_policy_line(line: str) -> str:
    """Escape a line of a file: invisible characters, and words that look like a heading."""
    if not line:
        return line
    return f"\\{escape_line(line)}" if is_heading(line) else escape_line(line)


# Composition


_YIELDING = (
    LayerKind.SKILL,
    LayerKind.SOUL,
    LayerKind.CONTEXT,
    LayerKind.WORKSPACE,
    LayerKind.GLOBAL,
)
"""What gives way, first to last; the role and the actions never do."""

_NO_BREAKS = TextSize(-2, -2, -TextSize.of("\n\n").hundredths)
"""Lines are measured with a line break each; the empty first line and the last break go."""


@dataclass(frozen=True, slots=True)
class _LineGroup:
    """Lines that stand together, and their size."""

    lines: tuple[PolicyLine, ...] = ()
    size: TextSize = field(default_factory=TextSize)

    @classmethod
    def of(cls, lines: Sequence[PolicyLine]) -> "_LineGroup":
        return cls(tuple(lines), _measure(lines))


@dataclass(frozen=True, slots=True)
class _LayerBody:
    """The lines of a layer, their ending, and the whole layer under its heading."""

    layer: PolicyLayer
    lines: tuple[PolicyLine, ...]
    whole: _LineGroup

    @classmethod
    def of(cls, layer: PolicyLayer) -> "_LayerBody":
        about = layer.mention
        texts = list(map(escape_policy_line, layer.text.splitlines()))
        said = [number for number, text in enumerate(texts) if text.strip()]
        lines = tuple(
            PolicyLine(text=texts[number], layer=about, number=number + 1)
            for number in (range(said[0], said[-1] + 1) if said else ())
        )
        fence = missing_closing_fence(texts)
        closing = [PolicyLine(text=fence, layer=about)] if fence else []
        return cls(about, lines, _LineGroup.of([*_heading_lines(about), *lines, *closing]))

    def within(self, rest: TextSize, tokens: int) -> _LineGroup:
        """As many lines as fit beside the rest, with a mark that the layer is cut; or none."""
        top, last = _heading_lines(self.layer), PolicyLine(text=CUT_MARK, layer=self.layer)
        around = rest + _measure((*top, last))
        sizes = accumulate((_measure((line,)) for line in self.lines), initial=around)
        fitting = sum(1 for _ in takewhile(lambda size: size.tokens <= tokens, sizes))
        end = find_last_end([line.text for line in self.lines], max(fitting - 1, 0))
        return _LineGroup.of((*top, *self.lines[:end], last)) if end else _LineGroup()


def _heading_lines(layer: PolicyLayer) -> tuple[PolicyLine, PolicyLine]:
    """An empty line, and the heading."""
    return PolicyLine(text="", layer=layer), PolicyLine(text=format_heading(layer), layer=layer)


def compose_policy(layers: Sequence[PolicyLayer], max_tokens: int) -> Policy:
    """Compose a policy of layers; the least binding layers are cut first.

    Skills are cut first, the last before the others, then the tone, then the directives from the
    nearest to the widest. The role and the actions stay, even if they alone exceed the budget.
    """
    bodies = {
        number: _LayerBody.of(layer)
        for number, layer in enumerate(layers)
        if layer.state is LayerState.READ
    }
    shown = _fit_layers(bodies, max_tokens)
    lines = [line for part in shown.values() for line in part.lines]
    return Policy(
        lines=tuple(lines[1:]),
        shares=tuple(
            _share_of(layer.mention, bodies.get(number), shown.get(number, _LineGroup()))
            for number, layer in enumerate(layers)
        ),
        max_tokens=max_tokens,
    )


def _fit_layers(bodies: Mapping[int, _LayerBody], max_tokens: int) -> dict[int, _LineGroup]:
    """What is shown of each layer within the budget."""
    shown = {number: body.whole for number, body in bodies.items()}
    for number in _yielding_layers(bodies):
        others = (part.size for other, part in shown.items() if other != number)
        rest = sum(others, start=_NO_BREAKS)
        if (rest + shown[number].size).tokens <= max_tokens:
            break
        shown[number] = bodies[number].within(rest, max_tokens)
    return shown


def _yielding_layers(bodies: Mapping[int, _LayerBody]) -> list[int]:
    """The layers that can be cut, the least binding first."""
    return [
        number
        for kind in _YIELDING
        for number in reversed(tuple(bodies))
        if bodies[number].layer.kind is kind
    ]


def _share_of(layer: PolicyLayer, body: _LayerBody | None, part: _LineGroup) -> LayerShare:
    if body is None:
        return LayerShare(layer=layer, fate=LayerDisposition(layer.state))
    lines = sum(line.number is not None for line in part.lines)
    is_whole = lines == len(body.lines)
    return LayerShare(
        layer=layer,
        fate=LayerDisposition.KEPT
        if is_whole
        else LayerDisposition.CUT
        if lines
        else LayerDisposition.DROPPED,
        tokens=part.size.tokens,
        lines=lines,
        of_lines=len(body.lines),
    )


def _measure(lines: Iterable[PolicyLine]) -> TextSize:
    return TextSize.of("".join(f"{line.text}\n" for line in lines))
