"""Words and phrases that ask nothing of memory, in the languages people greet us in."""

from importlib.resources import files

_WRITTEN = (files(__package__) / "small_talk.txt").read_text("utf-8")

PHRASES = frozenset(phrase.strip() for phrase in _WRITTEN.replace("\n", "|").split("|")) - {""}
