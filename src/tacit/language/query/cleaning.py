"""The words that a person really said, without what programs put around them."""

import re

_WRAPPERS = "|".join(
    (
        "system-reminder",
        "system",
        "hook_context",
        "local-command-stdout",
        "local-command-stderr",
        "local-command-caveat",
        "command-name",
        "command-message",
        "command-args",
        "environment_context",
        "user_instructions",
        "context",
        "memory",
    )
)
_TAG = re.compile(rf"<(/?)({_WRAPPERS})\b[^<>]*>", re.IGNORECASE)
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_QUOTED = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_LOG = re.compile(
    r"^[ \t]*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d[.,]\d+"
    r"|(?:DEBUG|INFO|WARN|ERROR|TRACE)\b"
    r'|Traceback \(|File "[^"\n]*", line \d+|at [\w.$<>]+\([^)\n]*\)).*$',
    re.MULTILINE,
)
_CONTINUED = re.compile(
    r"^(?:This session is being continued from a previous conversation.*"
    r"|Please continue the conversation from where we left .*"
    r"|\[Request interrupted by user[^\]]*\]|\[Compaction Summary\]:.*)$",
    re.MULTILINE | re.IGNORECASE,
)
_SPACES = re.compile(r"\s+")

CHARACTERS = 20_000
"""So much of a message is looked at; what matters is said before."""


def cleaned(text: str) -> str:
    """A message without wrappers, quoted logs and code; as it is, where nothing else is left."""
    said = _unwrapped(text[:CHARACTERS])
    rest = said
    for noise in (_FENCED, _QUOTED, _LOG, _CONTINUED):
        rest = noise.sub(" ", rest)
    return _SPACES.sub(" ", rest).strip() or _SPACES.sub(" ", said).strip()


def _unwrapped(text: str) -> str:
    """The text outside of wrappers; one that is not closed wraps nothing."""
    kept: list[str] = []
    opened: list[tuple[str, int]] = []
    last = 0
    for tag in _TAG.finditer(text):
        closing, name = tag.group(1), tag.group(2).casefold()
        if not closing:
            opened.append((name, tag.start()))
        elif any(name == other for other, _ in opened):
            while opened[-1][0] != name:
                opened.pop()
            _, start = opened.pop()
            if not opened:
                kept.append(text[last:start])
                last = tag.end()
    return " ".join([*kept, text[last:]])
