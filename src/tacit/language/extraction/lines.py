"""Split a message into lines, and find the lines of code, logs, letters and dialogues."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from tacit.language.code_fences import LineKind, classify_lines
from tacit.language.extraction.findings import RefusalReason
from tacit.language.extraction.quoted_text import MASK

LINE_MARKER = re.compile(r" ?(?:(?:[-*+•–]|\d{1,2}[.)]|\[[ xX]?\]|[a-z]\)|#{1,6}) )+")
_TABLE_ROW = re.compile(r" ?\|(?:[^|\n]*\|){2,}\s*$")
_QUOTED = re.compile(r" ?[>＞﹥›»|│┃▌▎]")
_UNSEEN = re.compile(r"[\u00ad\u200b-\u200f\u2060\ufeff]+")
_LOG = re.compile(
    r" ?(?:"
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d\b|\[?\d\d/\w{3}/\d{4}:"
    r"|\[?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|TRACE|FATAL|CRITICAL|SEVERE|NOTICE)\b[\]: ]"
    r"|(?:npm|yarn|pnpm) (?:WARN|ERR!|error|warning)\b|Traceback \(|Caused by:"
    r"|File \"[^\"]*\", line \d+|at [\w.$<>/]+ ?\([^)]*\)|[\w.]+(?:Error|Exception|Warning): "
    r"|(?:\w+\.){2,}\w+: "
    r"|(?:error|warning)(?:\[\w+\])?: |(?:FAILED|PASSED|ERROR) [\w/.]+|E   "
    r"|\[[+*!-]\] |[✔✓✗✘×●] |={3,}|-{4,}|#{8,}|<\d+>|\w+\[\d+\]: "
    r"|HTTP/\d|[\d.]+%|\d+ (?:passed|failed)\b|Exception in thread |[⚠❌✅⛔] "
    r"|[\w./-]+:\d+(?::\d+: | [A-Z]{1,4}\d{3,4} )|.* # \S+\.\w+:\d+$"
    r"|(?=[0-9]*[a-f])(?=[a-f]*\d)[0-9a-f]{7,40} (?:\(|\w)"
    r")"
)
_SHELL = re.compile(
    r" ?(?:\$ |>>> |\.\.\. |% |PS [A-Z]:|[\w.-]+@[\w.-]+[:~ ][^ ]*[$#] |C:\\[^ ]*>)"
)
_COMMAND = re.compile(
    r" ?(?:cd|ls|cp|mv|rm|mkdir|sudo|apt|apt-get|brew|npm|npx|yarn|pnpm|pip3?|git|docker|kubectl"
    r"|helm|terraform|curl|wget|ssh|scp|export|set|source|chmod|chown|cat|grep|sed|awk|make|cargo"
    r"|go|python3?|node|systemctl|tar|echo|conda|poetry|uv|rsync) (?:-{1,2}\w|[\w.-]*[/=:~$]\S*$"
    r"|(?:install|run|build|add|commit|push|pull|checkout|clone|rebase|init|up|exec|apply)\b\s*\S*$)"
)
_CODE = re.compile(
    r" ?(?:"
    r"//|/\*|\*/|\*+ @|<!--|</?[A-Za-z][\w-]*[ />]|#include|#!|@[A-Za-z]\w+(?:\(|$)|--\s*$"
    r"|(?:import|from) [\w.{*]+(?: import|$|;| from)|(?:async )?def \w+\(|class \w.*[:{]$"
    r"|(?:export |default |async )*function\b.*[({]|(?:const|let|var) \w+ ?[=:;]"
    r"|(?:public|private|protected|static) \w+|return\b.*;$|(?:if|for|while|elif|else if) ?\(.*\)"
    r"|(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|ALTER TABLE|DROP) .*"
    r"|[{}\[\]()|]+[,;]?$|[{\[]\"?\w|\"[\w-]+\" ?:|[A-Z_]{3,}=\S|[\w.\[\]]+ [+*/-]?= \S.*[;)\]]$"
    r"|[\w-]+ ?: [^;]{1,60};$|\w[\w.]*\(.*\);?$"
    r"|(?:diff --git|@@ |index [0-9a-f]{7}|\+\+\+ |--- )|[-+]\w.*[;{}]$"
    r")"
)
_CODE_END = re.compile(r"(?:[;{}]|=>|\);?|\\)$")
_COMMENT = re.compile(r" ?(?:#|--|;|\*) ?\w")
_CODE_SIGNS = re.compile(r"[{}()\[\]<>=;|\\$@^~_/*+]")
_CODE_SHARE = 0.12
_HEADER = re.compile(
    r" ?(?:from|to|cc|bcc|subject|sent|date|von|an|betreff|gesendet|de|à|objet|para|asunto|enviado)"
    r": ?\S",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r" ?(?:dear|hi|hello|hey|good (?:morning|afternoon|evening)|sehr geehrter?|liebe[rs]?|hallo"
    r"|guten tag|bonjour|ch[eè]re?s?|madame|monsieur|estimad[oa]s?|hola|querid[oa]s?"
    r"|buenos d[ií]as)"
    r"\b[^.!?]{0,50},$",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r" ?(?:(?:kind|best|warm|many)? ?(?:regards|wishes)|sincerely|yours|cheers|thanks|thank you"
    r"|best|mit (?:freundlichen|besten|lieben)|(?:viele|liebe|beste|schöne) grüße|lg|vg|mfg|gruß"
    r"|(?:bien )?cordialement|bien à vous|sincères|salutations|amicalement"
    r"|(?:un )?(?:cordial )?saludos?|atentamente|un abrazo)\b[^.?:]{0,40}$",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r" ?([A-Z][\w.]{0,15}(?: [A-Z][\w.]{0,15})?|\w|user|assistant|bot|me): \S")
LABELS = frozenset(
    (
        "achtung", "actually", "address", "age", "allergies", "allergy", "also", "answer",
        "attention", "background", "bilan", "fazit", "resumen", "résumé", "stand",
        "btw", "budget", "caution", "city", "clarification",
        "company", "conclusion", "constraint", "constraints", "context", "contexte", "contexto",
        "convention", "conventions", "correction", "deadline", "decision", "diet", "dislikes",
        "edit", "editor", "env", "environment", "fact", "facts", "family", "favorites",
        "finally", "first", "frage", "fyi", "goal", "goals", "heads-up", "health", "here",
        "hint", "hinweis", "hobbies", "hobby", "i", "ich", "important", "importante", "info",
        "issue", "job", "language", "likes", "link", "listen", "location", "look", "me",
        "merke", "mich", "moi", "name", "nb", "next", "no", "nosotros", "nota", "note", "notes",
        "notiz", "nous", "now", "objectif", "objetivo", "ok", "okay", "os", "p.s", "plan",
        "policy", "preference", "preferences", "problem", "project", "projekt", "projet",
        "proyecto", "ps", "question", "quick", "rappel", "reason", "recuerda", "regel",
        "regeln", "regla", "regle", "remarque", "remember", "reminder", "request",
        "requirement", "requirements", "role", "rule", "rules", "second", "setup", "situation",
        "so", "stack", "status", "style", "summary", "task", "team", "then", "third", "tip",
        "tldr", "todo", "tools", "update", "url", "us", "vorliebe", "warning", "we", "well",
        "wichtig", "wir", "work", "workflow", "yes", "yo", "ziel",
        "updates", "news", "announcement", "neuigkeit", "neuigkeiten", "änderung", "ankündigung",
        "jour", "nouvelle", "changement", "annonce", "actualización", "novedad", "novedades",
        "cambio", "aviso", "zusammenfassung", "kurzfassung", "règles", "reglas", "profil",
        "profile", "perfil", "changes",
    )
)  # fmt: skip
"""Labels before a colon that are nobody's name."""


class MessageLine(NamedTuple):
    """A line, its position, and why it is not the speaker's own words, if so."""

    start: int
    end: int
    reason: RefusalReason | None
    is_item: bool


def split_lines(text: str, hidden: str, quoted: Collection[int]) -> list[MessageLine]:
    """Split a message into the lines that say anything; `hidden` is the text with masked quotes.

    `quoted` are the numbers of lines that are known to be somebody else's.
    """
    numbered = [each for each in enumerate(_line_spans(hidden)) if each[1][0] < each[1][1]]
    spans = [span for _, span in numbered]
    written = [hidden[start:end] for start, end in spans]
    reasons = _line_reasons(written)
    _mark_comments(written, reasons)
    for place, (number, _) in enumerate(numbered):
        if number in quoted or _is_masked(written[place]):
            reasons[place] = RefusalReason.QUOTATION
    for foreign in (_find_mail(written), _find_dialogue(written)):
        for place in foreign:
            reasons[place] = reasons[place] or RefusalReason.QUOTATION
    return [
        _build_line(text, start, end, reason)
        for (start, end), reason in zip(spans, reasons, strict=True)
        if text[start:end].strip()
    ]


def normalize_line_ends(text: str) -> str:
    """Convert all line ends to line feeds."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _line_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each line."""
    start = 0
    for line in text.split("\n"):
        yield start, start + len(line)
        start += len(line) + 1


def _is_masked(line: str) -> bool:
    """Whether a line is masked completely."""
    said = line.strip()
    return said != "" and not said.strip(MASK)


def _build_line(text: str, start: int, end: int, reason: RefusalReason | None) -> MessageLine:
    marker = LINE_MARKER.match(text, start, end)
    is_item = marker is not None and not marker[0].strip().startswith("#")
    return MessageLine(marker.end() if marker else start, end, reason, is_item)


def _line_reasons(written: Sequence[str]) -> list[RefusalReason | None]:
    reasons: list[RefusalReason | None] = []
    for line, kind in zip(written, classify_lines(written), strict=True):
        if kind is not LineKind.TEXT:
            reasons.append(RefusalReason.CODE)
        else:
            before = reasons[-1] if reasons else None
            reasons.append(_line_reason(line, before))
    return reasons


def _line_reason(line: str, before: RefusalReason | None) -> RefusalReason | None:
    if _QUOTED.match(_UNSEEN.sub("", line[:20])):
        return RefusalReason.CODE if _TABLE_ROW.match(line) else RefusalReason.QUOTATION
    if _LOG.match(line):
        return RefusalReason.LOG
    if any(each.match(line) for each in (_SHELL, _COMMAND, _CODE)) or _is_code(line):
        return RefusalReason.CODE
    if before is RefusalReason.CODE and _COMMENT.match(line):
        return RefusalReason.CODE
    return None


def _mark_comments(written: Sequence[str], reasons: list[RefusalReason | None]) -> None:
    """Mark the comments above code as code."""
    for place in range(len(written) - 2, -1, -1):
        is_comment = reasons[place] is None and _COMMENT.match(written[place])
        if is_comment and reasons[place + 1] is RefusalReason.CODE:
            reasons[place] = RefusalReason.CODE


def _is_code(line: str) -> bool:
    signs = len(_CODE_SIGNS.findall(line))
    ends = _CODE_END.search(line.rstrip())
    return signs > len(line) * (_CODE_SHARE / 2 if ends and ends[0] != ")" else _CODE_SHARE)


def _find_mail(written: Sequence[str]) -> Iterator[int]:
    """Find the lines of a letter that stands beside other text."""
    headers = [place for place, line in enumerate(written) if _HEADER.match(line)]
    if len(headers) > 1:
        yield from range(headers[0], len(written))
    greeting = next((p for p, line in enumerate(written) if _GREETING.match(line)), None)
    if greeting is None:
        return
    closing = [p for p, line in enumerate(written) if p > greeting and _CLOSING.match(line)]
    if closing:
        letter = range(greeting, min(closing[-1] + 2, len(written)))
        yield from letter if len(letter) < len(written) else ()


def _find_dialogue(written: Sequence[str]) -> Iterator[int]:
    """Find lines that begin with a speaker, where one speaks twice or two speak."""
    said = [
        (place, found[1]) for place, line in enumerate(written) if (found := _SPEAKER.match(line))
    ]
    said = [(place, who) for place, who in said if who.casefold() not in LABELS]
    counted = Counter(who for _, who in said)
    speak_in_turns = len(counted) > 1 and len(said) > len(counted)
    if speak_in_turns or len(counted) == len(said) == 2:
        yield from (place for place, _ in said)
