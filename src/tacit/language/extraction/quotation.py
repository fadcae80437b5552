"""Which lines of a message are somebody else's words: told by what stands above and around them.

Whoever pastes a text says so by its layout: an introduction with a colon, the head of a mail, a
prompt of a shell, rules around it, an indentation. From there on nothing is the speaker's own, up
to the mark that ends it; where nothing ends it, up to the end of the message.
"""

import re
from collections.abc import Iterator, Sequence

_ITEM = re.compile(r"\s*(?:[-*+•–]|\d{1,2}[.)]|\[[ xX]?\]|[a-z]\)) ")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_QUOTED = re.compile(r"\s*[>|│┃▌▎]")
_MARKS = '"“„«「『'
_CLOSING = re.compile(r"[\"”“»」』]")
_INDENTED = 4
_LINE = 240
"""So long a line may be that introduces another text."""

_SIGN = r"[:：]\s*[*_]{0,2}\s*$"
_WRITES = (
    r"(?:wrote|writes|schrieb|schreibt|(?:a|ont) [ée]crit|[ée]crit|escribi[óo]|escribe|ha scritto"
    r"|scrive|escreveu|escreve|schreef|schrijft|napisa[łl]a?|skrev|skriver|написал[аи]?|пишет"
    r"|写道|寫道|写了|書きました|のメッセージ|님이 작성)"
)
_SAYS = (
    rf"(?:{_WRITES}|said|says|told (?:me|us|him|her|them)|replied|answered|posted|commented|reads"
    r"|states|sent (?:me|us)|sagt|sagte|meinte|antwortete|dit|disait|r[ée]pondu|dijo|dice"
    r"|respondi[óo])"
)
_TEXTS = (
    r"(?:articles?|e-?mails?|mails?|messages?|letters?|paragraphs?|passages?|excerpts?|snippets?"
    r"|quotes?|quotations?|readme(?:\.\w+)?|web ?pages?|(?:blog|forum) ?posts?|posts?|tweets?"
    r"|comments?|reviews?|transcripts?|texts?|threads?|repl(?:y|ies)|contents?|files?|documents?"
    r"|outputs?|logs?|diffs?|commits?|artikel|nachrichten?|absatz|abs[äa]tze|ausschnitt|zitat|inhalt"
    r"|datei|beitrag|kommentar|protokoll|courriel|lettre|paragraphe|passage|extrait|citation"
    r"|contenu|fichier|commentaire|correo|mensaje|carta|p[áa]rrafo|texto|cita|contenido|archivo"
    r"|comentario|texte|messaggio)"
)
_THIS = (
    r"(?:this|that|these|those|the|following|below|his|her|their|an?|diese[rsnm]?|folgende[rsnm]?"
    r"|de[rnms]|das|die|ce|cet|cette|ces|le|la|les|este|esta|estos|el|los|siguientes?)"
)
_OPENS_TO_END = re.compile(
    rf".{{0,200}}\b{_WRITES}\b[^:：\n]{{0,100}}{_SIGN}"
    r"|.{0,200}(?:写道|寫道|書きました|のメッセージ)\s*[:：]?\s*$"
    r"|\W{0,12}(?:(?:begin )?forwarded message|original message|weitergeleitete nachricht"
    r"|urspr[üu]ngliche nachricht|message (?:transf[ée]r[ée]|d'origine)"
    r"|mensaje (?:reenviado|original))"
    r"|[*_]{0,2}(?:from|von|subject|betreff|objet|asunto|oggetto|assunto|onderwerp)"
    r"[*_]{0,2}:[*_]{0,2} "
    r"|commit [0-9a-f]{7,40}\b|author: .{0,80}<.{1,80}@|diff --git |@@ -\d|--- a/|\+\+\+ b/"
    r"|[$] \S|>>> |PS [A-Z]:\\|[\w.-]{1,40}@[\w.-]{1,60}[:~ ]\S{0,80}[$#](?: |$)|C:\\\S{0,80}>"
    r"|\W?\[?(?:pasted|attached|attachment|clipboard|file|document|tool (?:result|output|use)"
    r"|quoted|forwarded|transcript|output|selection)\b[^\]\n]{0,80}\]"
    r"|<\s*task-notification\b",
    re.IGNORECASE,
)
_STAMPED = re.compile(
    r"(?:[A-ZÀ-Þ][\w.'-]{0,30} {1,4}){1,3}(?:(?:today|yesterday|heute|gestern|hier|hoy|ayer) "
    r"(?:at |um |[àa] )?)?[\[(]?\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp]\.?[Mm]\.?)?[\])]?\s*$"
)
_URL = re.compile(r"(?:[^\n]{0,150}[:：] ?)?<?https?://\S{1,500}>?\s*$")
_CITES = re.compile(rf"(?<!\bI )(?<!\bwe )(?<!\bich )\b{_SAYS}\b", re.IGNORECASE)
_NAMES_TEXT = re.compile(
    rf"\b{_TEXTS}(?: (?:from|by|of|in|on|at|about|von|vom|aus|de|du|i|we|he|she|they)\b"
    rf"[^:：]{{1,80}})?\s*{_SIGN}|\S\.(?:md|txt|py|js|ts|json|ya?ml|toml|html?|csv|log|rst|docx?|pdf){_SIGN}"
    r"|/\S{1,200}" + _SIGN + rf"|\b{_THIS} (?:[\w-]+ ){{0,2}}{_TEXTS}\b",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"\b(?:this|these|the following|below|following|diese[sn]?|folgende[sn]?|ceci|ci-dessous"
    r"|suivante?|esto|siguiente)\b",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"\b(?:i|i'm|im|i've|ive|i'd|i'll|my|mine|me|myself|we|we're|our|ours|us|remember|note|notes|fyi|btw"
    r"|keep in mind|preferences?|rules?|conventions?|guidelines|requirements?|constraints?"
    r"|facts?|background|context|info|information|setup|stack|goals?|todos?|to-?do|tasks?|steps"
    r"|decisions?|decided|project|team|repo|update|edit|important|reminders?|details|question"
    r"|questions|request|problem|issue|situation|summary|answers?|tl;?dr|hi|hello|hey|dear|ok"
    r"|okay|yes|no|so|also|today|tomorrow|now"
    r"|ich|mein\w{0,2}|mir|mich|wir|unser\w{0,2}|uns|merke?|merk dir|wichtig|notiz|regeln"
    r"|vorlieben|hintergrund|projekt|hinweis|hallo|frage"
    r"|je|j'ai|mon|ma|mes|moi|nous|notre|nos|retiens|rappel|projet|r[èe]gles|bonjour|contexte"
    r"|yo|mi|mis|nosotros|nuestr[oa]s?|recuerda|proyecto|reglas|contexto|hola|importante)\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?]) ")
_RULE = re.compile(
    r"\s*(?:([-=_*~#+.•—–])(?: ?\1){2,}|\S{0,80}8<\S{0,80}|[-=]{3,}[^-=\n]{1,80}[-=]{3,})\s*$"
)
_BEGINS = re.compile(
    r"\W{0,12}(?:BEGIN|BEGINNING|START|ANFANG|BEGINN|D[ÉE]BUT|INICIO)\b[^.!?\n]{0,60}$"
)
_ENDS = re.compile(r"\W{0,12}(?:END|STOP|ENDE|FIN)\b[^.!?\n]{0,60}$")
_ASKS = re.compile(
    r"[^\n]{0,160}\b(?:this|that|these|diese[rsnm]?|ce|cet|cette|est[ea]) (?:[\w-]+ ){0,2}"
    rf"{_TEXTS}\b[^\n]{{0,80}}[?.]\s*$"
    r"|(?:[^\n]{0,60}\b)?(?:is|are) (?:this|that|it|these) (?:all )?(?:right|correct|true|ok|okay"
    r"|accurate|legit)\s?\?\s*$"
    r"|(?:[^\n]{0,60}\b)?what (?:does|do|did) (?:this|that|it|he|she|they|these)"
    r" (?:even |really )?mean\b[^\n]{0,30}\?\s*$"
    r"|(?:[^\n]{0,60}\b)?(?:stimmt das|was (?:bedeutet|hei[ßs]t|meint) (?:das|er|sie)"
    r"|c'est (?:vrai|correct)|qu'est-ce que (?:[çc]a|cela) veut dire|es (?:cierto|correcto)"
    r"|qu[ée] significa (?:esto|eso))[^\n]{0,30}\?\s*$",
    re.IGNORECASE,
)
_SIGNED = re.compile(r"\s*(?:[—–]\s?|--\s)\S[^\n]{0,80}$")
_LABEL = re.compile(
    r"\s*[*_]{0,2}([^\W\d_][\w.'-]{0,20}(?: [A-ZÀ-Þ][\w.'-]{0,20})?)[*_]{0,2}:[*_]{0,2} \S"
)
_LABELS = frozenset(
    (
        "todo", "note", "notes", "ps", "p.s", "nb", "fyi", "btw", "context", "background",
        "edit", "update", "reminder", "remember", "decision", "goal", "goals", "question",
        "request", "setup", "rule", "rules", "task", "url", "link", "important", "ok",
        "okay", "yes", "no", "next", "then", "now", "info", "heads-up", "actually", "also",
        "tldr", "fact", "facts", "preference", "preferences", "constraint", "constraints",
        "requirement", "requirements", "name", "job", "role", "diet", "location", "city",
        "address", "age", "team", "stack", "editor", "os", "language", "project", "company",
        "work", "family", "hobby", "hobbies", "allergy", "allergies", "health", "budget",
        "deadline", "plan", "problem", "issue", "situation", "status", "summary", "answer",
        "well", "look", "listen", "so", "first", "second", "third", "finally", "warning",
        "caution", "correction", "clarification", "reason", "conclusion", "tip", "hint",
        "policy", "convention", "conventions", "style", "environment", "env", "workflow",
        "tools", "favorites", "likes", "dislikes", "me", "i", "we", "us", "here", "wichtig",
        "notiz", "merke", "achtung", "hinweis", "frage", "regel", "regeln", "ziel", "ich",
        "wir", "mich", "vorliebe", "projekt", "nota", "rappel", "regle", "objectif",
        "contexte", "moi", "nous", "projet", "attention", "remarque", "recuerda", "regla",
        "objetivo", "contexto", "yo", "nosotros", "proyecto", "importante",
    )
)  # fmt: skip
"""What stands before a colon and is nobody's name."""


def quoted_lines(text: str) -> set[int]:
    """The numbers of the lines that somebody else wrote, in a text with line feeds."""
    written = text.split("\n")
    found: set[int] = set()
    for places in (_opened, _introduced, _between_rules, _indented, _labelled, _asked, _signed):
        found.update(places(written))
    return found


def _opened(written: Sequence[str]) -> Iterator[int]:
    """What stands under the head of a mail or of a commit, an attribution, a prompt, an address."""
    for place, line in enumerate(written):
        if _opens(line):
            yield from range(place, len(written))
            return


def _opens(line: str) -> bool:
    said = line.strip()[: 2 * _LINE]
    if _OPENS_TO_END.match(said) or _STAMPED.match(said):
        return True
    return _URL.match(said) is not None


def _introduced(written: Sequence[str]) -> Iterator[int]:
    """What stands under a line that ends with a colon and speaks of another text."""
    above: str | None = None
    end = 0
    for place, line in enumerate(written):
        if not line.strip():
            continue
        if place >= end and above is not None and _is_foreign(above, line):
            end = _end(written, place)
            yield from range(place, end)
        above = _SENTENCE_END.split(line.strip())[-1] if _ends_with_colon(line) else None


def _ends_with_colon(line: str) -> bool:
    said = line.rstrip(" \t*_")
    return said.endswith((":", "：")) and len(said) <= _LINE


def _is_foreign(above: str, below: str) -> bool:
    """Whether a line introduces words that are not the speaker's own."""
    if _CITES.search(above) or _NAMES_TEXT.search(above):
        return True
    return not (_ITEM.match(below) or _OWN.search(above))


def _end(written: Sequence[str], first: int) -> int:
    """Where a text ends that begins here: at its own end, if it has one, or with the message."""
    line, last = written[first].lstrip(), len(written)
    if _FENCE.match(line):
        ends = (n + 1 for n in range(first + 1, last) if _FENCE.match(written[n]))
    elif _QUOTED.match(line):
        ends = (n for n in range(first, last) if not _QUOTED.match(written[n]))
    elif line[0] in _MARKS:
        ends = (n + 1 for n in range(first, last) if _CLOSING.search(written[n].strip()[1:]))
    elif line[0] == "<":
        ends = (n + 1 for n in range(first, last) if "</" in written[n])
    else:
        return last
    return next(ends, last)


def _between_rules(written: Sequence[str]) -> Iterator[int]:
    """What stands between rules, under a single one, or between BEGIN and END."""
    rules = [place for place in range(len(written)) if _is_rule(written, place)]
    if rules:
        is_page = not any(line.strip() for line in written[: rules[0]])
        last = rules[-1] if len(rules) > 1 and not is_page else len(written)
        yield from range(rules[0], last)
    begin = next((place for place, line in enumerate(written) if _BEGINS.match(line)), None)
    if begin is not None:
        ends = (n for n in range(len(written) - 1, begin, -1) if _ENDS.match(written[n]))
        yield from range(begin, next(ends, len(written)))


def _is_rule(written: Sequence[str], place: int) -> bool:
    if not _RULE.match(written[place][: 2 * _LINE]):
        return False
    above = written[place - 1].strip() if place else ""
    return not (above and len(above) <= _LINE // 4 and _OWN.search(above))


def _indented(written: Sequence[str]) -> Iterator[int]:
    """What is indented as code is."""
    above, is_apart, inside = "", True, False
    for place, line in enumerate(written):
        if not line.strip():
            is_apart = True
            continue
        deep = line.expandtabs(_INDENTED)
        if len(deep) - len(deep.lstrip()) < _INDENTED:
            inside = False
        elif not inside:
            is_item = _ITEM.match(line) and (not is_apart or above.endswith(":"))
            inside = not (is_item or _ITEM.match(above))
        if inside:
            yield place
        above, is_apart = line.rstrip(), False


def _labelled(written: Sequence[str]) -> Iterator[int]:
    """What stands behind somebody's name, up to an empty line."""
    inside = False
    for place, line in enumerate(written):
        label = _LABEL.match(line)
        if label is not None:
            inside = label[1].casefold().split()[-1] not in _LABELS
        elif not line.strip():
            inside = False
        if inside:
            yield place


def _asked(written: Sequence[str]) -> Iterator[int]:
    """What stands under, or else above, a question about a text."""
    said = [place for place, line in enumerate(written) if line.strip()]
    for place in said[:-1]:
        if len(written[place]) <= _LINE and _ASKS.match(written[place].strip()):
            yield from range(place + 1, len(written))
            return
    if len(said) > 1 and len(written[said[-1]]) <= _LINE and _ASKS.match(written[said[-1]].strip()):
        yield from range(said[-1])


def _signed(written: Sequence[str]) -> Iterator[int]:
    """What stands above the name of who wrote it."""
    said = [place for place, line in enumerate(written) if line.strip()]
    if len(said) < 2 or not _SIGNED.match(written[said[-1]][:_LINE]):
        return
    if not any(_SIGNED.match(written[place][:_LINE]) for place in said[:-1]):
        yield from range(said[-1])
