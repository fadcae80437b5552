"""A text as the cues see it: folded words, cut into sentences."""

import re
import unicodedata

BREAK = "|"
"""Stands between two sentences; no cue reaches over it."""

_END = re.compile(r"[.…:](?=\s|$)|[\n¡¿!?;。！？]|\s[-–—]+(?=\s)")
_WORD = re.compile(r"(?<!\w)\.[^\W_]+|[^\W_]+(?:[._]+[^\W_]+)*")
_FILE = re.compile(r"([^.]+)(\.(?=[^.]*[a-z])[^.]{1,8})")


def worded(text: str) -> str:
    """The words with a blank around each, and a mark between sentences."""
    sentences = (_joined(sentence) for sentence in _END.split(folded(text)))
    return f" {f' {BREAK} '.join(sentence for sentence in sentences if sentence)} "


def folded(text: str) -> str:
    """Without case, accents and the like."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in apart if not unicodedata.combining(sign)).casefold()


def _joined(sentence: str) -> str:
    return " ".join(part for word in _WORD.findall(sentence) for part in _parts(word))


def _parts(word: str) -> tuple[str, ...]:
    """A file's name and its ending; any other word as it is."""
    file = _FILE.fullmatch(word)
    return (word,) if file is None else (file[1], file[2])
