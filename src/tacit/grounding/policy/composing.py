"""Composing a policy: layers in their order, cut to a budget."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, takewhile

from tacit.grounding.policy.fence import last_end, open_fence
from tacit.grounding.policy.layer import Kind, Layer, State
from tacit.grounding.policy.policy import Fate, Policy, PolicyLine, Share
from tacit.grounding.policy.wording import CUT, guarded, heading
from tacit.language.tokens import TextSize

_YIELDING = (Kind.SKILL, Kind.SOUL, Kind.CONTEXT, Kind.WORKSPACE, Kind.GLOBAL)
"""What gives way, first to last; the role and the actions never do."""

_NO_BREAKS = TextSize(characters=-2, bytes=-2)
"""Lines are measured with a line break each; the empty first line and the last break go."""


@dataclass(frozen=True, slots=True)
class _Part:
    """Lines that stand together, and how large they are."""

    lines: tuple[PolicyLine, ...] = ()
    size: TextSize = field(default_factory=TextSize)

    @classmethod
    def of(cls, lines: Sequence[PolicyLine]) -> "_Part":
        return cls(tuple(lines), _size(lines))


@dataclass(frozen=True, slots=True)
class _Body:
    """The lines of a layer, what they end with, and the whole layer under its heading."""

    layer: Layer
    lines: tuple[PolicyLine, ...]
    whole: _Part

    @classmethod
    def of(cls, layer: Layer) -> "_Body":
        about = layer.mention
        texts = list(map(guarded, layer.text.splitlines()))
        said = [number for number, text in enumerate(texts) if text.strip()]
        lines = tuple(
            PolicyLine(text=texts[number], layer=about, number=number + 1)
            for number in (range(said[0], said[-1] + 1) if said else ())
        )
        fence = open_fence(texts)
        closing = [PolicyLine(text=fence, layer=about)] if fence else []
        return cls(about, lines, _Part.of([*_top(about), *lines, *closing]))

    def within(self, rest: TextSize, tokens: int) -> _Part:
        """As many lines as fit beside what else there is, and that the rest is cut; or none."""
        top, last = _top(self.layer), PolicyLine(text=CUT, layer=self.layer)
        around = rest + _size((*top, last))
        sizes = accumulate((_size((line,)) for line in self.lines), initial=around)
        fitting = sum(1 for _ in takewhile(lambda size: size.tokens <= tokens, sizes))
        end = last_end([line.text for line in self.lines], max(fitting - 1, 0))
        return _Part.of((*top, *self.lines[:end], last)) if end else _Part()


def _top(layer: Layer) -> tuple[PolicyLine, PolicyLine]:
    """An empty line, and the heading."""
    return PolicyLine(text="", layer=layer), PolicyLine(text=heading(layer), layer=layer)


def composed(layers: Sequence[Layer], max_tokens: int) -> Policy:
    """The policy of these layers; what is too much is cut from those that bind least.

    Skills give way first, the last one before the others, then the tone, then the directives from
    the nearest to the widest. The role and the actions stay, even if they alone are too much.
    """
    bodies = {
        number: _Body.of(layer) for number, layer in enumerate(layers) if layer.state is State.READ
    }
    shown = _fitted(bodies, max_tokens)
    lines = [line for part in shown.values() for line in part.lines]
    return Policy(
        lines=tuple(lines[1:]),
        shares=tuple(
            _share(layer.mention, bodies.get(number), shown.get(number, _Part()))
            for number, layer in enumerate(layers)
        ),
        max_tokens=max_tokens,
    )


def _fitted(bodies: Mapping[int, _Body], max_tokens: int) -> dict[int, _Part]:
    """What is shown of each layer once enough has given way."""
    shown = {number: body.whole for number, body in bodies.items()}
    for number in _yielding(bodies):
        others = (part.size for other, part in shown.items() if other != number)
        rest = sum(others, start=_NO_BREAKS)
        if (rest + shown[number].size).tokens <= max_tokens:
            break
        shown[number] = bodies[number].within(rest, max_tokens)
    return shown


def _yielding(bodies: Mapping[int, _Body]) -> list[int]:
    """The layers that can give way, those that bind least first."""
    return [
        number
        for kind in _YIELDING
        for number in reversed(tuple(bodies))
        if bodies[number].layer.kind is kind
    ]


def _share(layer: Layer, body: _Body | None, part: _Part) -> Share:
    if body is None:
        return Share(layer=layer, fate=Fate(layer.state))
    lines = sum(line.number is not None for line in part.lines)
    is_whole = lines == len(body.lines)
    return Share(
        layer=layer,
        fate=Fate.KEPT if is_whole else Fate.CUT if lines else Fate.DROPPED,
        tokens=part.size.tokens,
        lines=lines,
        of_lines=len(body.lines),
    )


def _size(lines: Iterable[PolicyLine]) -> TextSize:
    return TextSize.of("".join(f"{line.text}\n" for line in lines))
