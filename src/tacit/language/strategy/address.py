"""Addresses of the web in a text: URLs, and domains that stand alone."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

_URL = re.compile(
    r"(?:https?|ftp)://([^\s/<>\"'?#]+)[^\s<>\"']*|(?<![\w@.])(www\.[^\s/]+)\S*", re.I
)
_LABEL = r"[^\W_](?:[^\W_]|-)*"
_DOMAIN = re.compile(
    rf"(?<![\w@./\\-])((?:{_LABEL}\.)+([a-z]{{2,}}))(?![\w(@-]|\.\w)(?:[:/?#][^\s<>\"']*)?", re.I
)
_OBJECTS = frozenset({"self", "this", "console", "log", "logger", "logging", "window", "document"})
_NAMES = frozenset({"asp.net", "vb.net", "ado.net", "ml.net", "java.io"})


@dataclass(frozen=True, slots=True)
class Addresses:
    """The hosts that a text names, and the text without their addresses."""

    hosts: tuple[str, ...]
    rest: str


def addresses(text: str, endings: Iterable[str]) -> Addresses:
    """The addresses of a text; a domain alone counts with an ending that is known."""
    known = frozenset(endings)
    hosts: list[str] = []

    def taken(match: re.Match[str]) -> str:
        hosts.append((match[1] or match[2]).casefold().rstrip(".,;:!)]"))
        return " "

    def taken_if_domain(match: re.Match[str]) -> str:
        return taken(match) if _is_domain(match[1], match[2], known) else match[0]

    rest = _DOMAIN.sub(taken_if_domain, _URL.sub(taken, text))
    return Addresses(tuple(dict.fromkeys(hosts)), rest)


def _is_domain(host: str, ending: str, known: frozenset[str]) -> bool:
    """Whether it is written like one, and like nothing in a program or at the end of a sentence."""
    name = host.casefold()
    labels = name.split(".")
    return (
        labels[-1] in known
        and (ending.islower() or host.isupper())
        and any(sign.isalpha() for sign in labels[-2])
        and labels[0] not in _OBJECTS
        and name not in _NAMES
    )
