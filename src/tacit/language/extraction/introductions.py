"""The name by which somebody introduces themselves at the beginning of a message."""

from tacit.core.kinds import MemoryType
from tacit.language.extraction.rule_matches import ExtractedStatement
from tacit.language.extraction.rule_tables import RuleTable
from tacit.language.extraction.sentences import SentenceSpan, skip_lead_ins

INTRODUCES = "introduces"
"""The name of the rule in each language."""

_CONFIDENCE = 0.9
_LONGEST_GREETING = 25
"""The most characters before the sentence; "Hi! 👋" is a sentence of its own."""
_FRAMES = {"en": "I'm ", "de": "Ich bin ", "fr": "Je suis ", "es": "Soy "}
"""What "Bill here" leaves out."""


def find_introduction(
    hidden: str, sentence: SentenceSpan, table: RuleTable
) -> ExtractedStatement | None:
    """Find the name that a sentence begins with, after nothing but a greeting in the message."""
    if sentence.start > _LONGEST_GREETING or table["laughs"].match(hidden):
        return None
    start = skip_lead_ins(hidden, sentence.start, sentence.end, table)
    found = table[INTRODUCES].match(hidden, start, sentence.end)
    if found is None or not (found["verb"] or found["here"]):
        return None
    if table["pleasantries"].match(hidden, start, sentence.end):
        return None  # "Ich bin Müde"
    rest = hidden[found.end() : sentence.end]
    if rest.lstrip().startswith("?") or table["tags"].search(rest):
        return None
    named = (found["own"] or _FRAMES[table.language]) + found["name"] + (found["from"] or "")
    rule = f"{table.language}.{INTRODUCES}"
    return ExtractedStatement(
        start, found.end(), rule, MemoryType.IDENTITY, _CONFIDENCE, "user.name", restated=named
    )
