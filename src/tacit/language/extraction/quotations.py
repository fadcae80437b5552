"""Find the lines of a message that are not the speaker's own words.

Who pastes a text shows it by the layout: an introduction with a colon, the head of a mail, a shell
prompt, rules around it, an indentation. From there on nothing is the speaker's own, up to the mark
that ends it or to the end of the message.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from tacit.language.code_fences import LineKind, classify_lines
from tacit.language.extraction.lines import LABELS
from tacit.language.sentences import split_sentences

# Quoted lines, recognised by what stands above and around them.


_ITEM = re.compile(r"\s*(?:[-*+•–☐☑✓✔□]|\d{1,2}[.)]|\[[ xX]?\]|[a-z]\)) ")
_QUOTED = re.compile(r"\s*[>|│┃▌▎]")
_MARKS = '"“„«「『'
_CLOSING = re.compile(r"[\"”“»」』]")
_INDENTED = 4
_LINE = 240
"""The maximum length of a line that introduces another text."""

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
_CLOCK = r"\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]\.?m\.?)?"
_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}"
_FILE = (
    r"(?!(?:node|vue|next|nuxt|react|express|three|chart|d3)\.js$)[\w./~\\-]{1,120}"
    r"\.(?:md|txt|py|js|ts|json|ya?ml|toml|html?|csv|log|rst|docx?|pdf|ini|cfg|conf|sh|sql)"
)
_OPENS_TERMINAL = re.compile(
    r"(?:\([\w. -]{1,30}\) ?)?(?:"
    r"[$%] \S|[❯➜] ?\S|PS> ?\S|PS (?:[A-Z]:\\|[~/])[^>\n]{0,80}>|[A-Z]:\\[^>\n]{0,80}>"
    r"|[\w.-]{1,40}@[\w.-]{1,60} \S{1,80} ?[%$#>](?: |$)"
    r"|\[[\w.-]{1,40}@[\w.-]{1,60} [^\]\n]{1,60}\][$#]"
    r"|In \[\d{1,4}\]: |(?:sqlite|mysql|mariadb|psql|mongo|redis)[\w.:-]{0,40}[>#] \S"
    r")",
    re.IGNORECASE,
)
"""The prompt of a shell or of a console."""
_OPENS_CHAT = re.compile(
    rf"{_DAY},? {_CLOCK} [-–] [^:\n]{{1,60}}: |\[{_DAY},? {_CLOCK}\] [^:\n]{{1,60}}: "
    rf"|\[{_CLOCK}\] [^\W\d]|[^,\n]{{1,40}}, \[{_DAY},? {_CLOCK}\]:?$"
    r"|\S[^\n]{0,40} [—–] (?:(?:today|yesterday|heute|gestern|hier|hoy|ayer),? "
    r"(?:at |um |[àa] |a las )?"
    rf"|{_DAY},? ){_CLOCK}$"
    rf"|[\w.-]{{1,30}} {{2,4}}{_CLOCK}$"
    r"|(?!(?:i|we|he|she|they|you|who|my|our|the|nobody|someone) )(?:@?[\w.-]{1,40} ){1,3}"
    r"(?:commented|replied|reviewed|added a comment|left a comment)(?: -)? (?:(?:about )?(?:\d{1,3}"
    r"|an?) \w{1,8} ago|last \w{4,5}|on \w{3,9} \d{1,2}(?:, \d{4})?|yesterday|just now)$"
    r"|u/[\w-]{1,40}\b[^\n]{0,30}\bago$",
    re.IGNORECASE,
)
"""The line above a message of a chat or a comment, or its beginning."""
_OPENS_FILE = re.compile(
    r"(?:(?:the )?contents? of |cat |type |inhalt von |contenu de |contenido de )?"
    rf"[`*\"]{{0,2}}{_FILE}[`*\"]{{0,2}}$"
    r"|(?:the )?contents? of \S{1,120}$|cat (?-i:[A-Z_]{2,40}|\S{0,100}/\S{0,100})$"
    r"|(?:(?:copied|pasted|quoted) from|(?:copying|pasting|quoting) (?:from|the)) [^.!?:\n]{1,60}$"
    r"|\d{1,5}(?:→|\t| ?[|│] ?)\S",
    re.IGNORECASE,
)
"""A line that says where the text below is from, or a numbered line of a file."""
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
_POSSESSIVE = re.compile(
    r"(?:my|our|mein\w*|unser\w*|mon|ma|mes|notre|nos|mis?|nuestr\w+)\b", re.IGNORECASE
)
_PROPERTY = re.compile(r"[*_-]{0,2} ?([^\W\d_][\w /&-]{0,24}): ((?:[^\s.!?]+ ?){1,8})[.]?$")
"""A name of a property and a value of a few words, which is no sentence."""
_FEWEST_PROPERTIES = 3
_LABEL = re.compile(
    r"\s*[*_]{0,2}@?([^\W\d_][\w.'-]{0,20}(?: [A-ZÀ-Þ][\w.'-]{0,20})?"
    r"|(?:[Ss]peaker|[Ss]precher|[Pp]articipant|[Pp]erson|[Ll]ocuteur|[Hh]ablante) \d{1,2})"
    r"[*_]{0,2}:[*_]{0,2} \S"
)


def find_quoted_lines(text: str) -> set[int]:
    """Return the numbers of the lines that somebody else wrote, in a text with line feeds."""
    written = text.split("\n")
    found: set[int] = set()
    for places in (
        _find_opened,
        _find_introduced,
        _find_between_rules,
        _find_indented,
        _find_labelled,
        _find_asked_about,
        _find_signed,
    ):
        found.update(places(written))
    return found


def _find_opened(written: Sequence[str]) -> Iterator[int]:
    """Find the lines under the head of a mail or commit, an attribution, a prompt or a URL."""
    for place, line in enumerate(written):
        if _opens_quotation(line):
            yield from range(place, len(written))
            return


def _opens_quotation(line: str) -> bool:
    said = line.strip()[: 2 * _LINE]
    opens = (_OPENS_TO_END, _OPENS_TERMINAL, _OPENS_CHAT, _OPENS_FILE, _STAMPED)
    if any(each.match(said) for each in opens):
        return True
    return _URL.match(said) is not None


def _find_introduced(written: Sequence[str]) -> Iterator[int]:
    """Find the lines under a line that ends with a colon and announces another text."""
    above: str | None = None
    end = 0
    for place, (line, kind) in enumerate(zip(written, classify_lines(written), strict=True)):
        if not line.strip():
            continue
        if place >= end and above is not None and _introduces_quotation(above, line):
            end = _quotation_end(written, place)
            yield from range(place, end)
        is_said = kind is LineKind.TEXT and _ends_with_colon(line)
        above = split_sentences(line)[-1] if is_said else None


def _ends_with_colon(line: str) -> bool:
    said = line.rstrip(" \t*_")
    return said.endswith((":", "：")) and len(said) <= _LINE


def _introduces_quotation(above: str, below: str) -> bool:
    """Whether a line introduces words that are not the speaker's own."""
    if _CITES.search(above) or _NAMES_TEXT.search(above):
        return True
    return not (_ITEM.match(below) or _OWN.search(above))


def _quotation_end(written: Sequence[str], first: int) -> int:
    """Return where the text that begins here ends: at its own end mark, or with the message."""
    line, last = written[first].lstrip(), len(written)
    kinds = classify_lines(islice(written, first, None))
    if next(kinds) is LineKind.FENCE:
        ends = (n for n, kind in enumerate(kinds, first + 2) if kind is LineKind.FENCE)
    elif _QUOTED.match(line):
        ends = (n for n in range(first, last) if not _QUOTED.match(written[n]))
    elif line[0] in _MARKS:
        ends = (n + 1 for n in range(first, last) if _CLOSING.search(written[n].strip()[1:]))
    elif line[0] == "<":
        ends = (n + 1 for n in range(first, last) if "</" in written[n])
    else:
        return last
    return next(ends, last)


def _find_between_rules(written: Sequence[str]) -> Iterator[int]:
    """Find the lines between horizontal rules, under a single one, or between BEGIN and END."""
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


def _find_indented(written: Sequence[str]) -> Iterator[int]:
    """Find lines that are indented like code."""
    above, is_apart, inside = "", True, False
    for place, (line, kind) in enumerate(zip(written, classify_lines(written), strict=True)):
        if not line.strip() or kind is not LineKind.TEXT:
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


def _find_labelled(written: Sequence[str]) -> Iterator[int]:
    """Find the lines after somebody's name, up to an empty line; a list of properties has none."""
    if _is_property_list(written):
        return
    inside = False
    for place, line in enumerate(written):
        label = _LABEL.match(line)
        if label is not None:
            own = _POSSESSIVE.match(label[1])
            inside = own is None and label[1].casefold().split()[-1] not in LABELS
        elif not line.strip():
            inside = False
        if inside:
            yield place


def _is_property_list(written: Sequence[str]) -> bool:
    """Whether a message is a list of properties with short values: "city: Graz", "diet: vegan"."""
    said = [line.strip() for line in written if line.strip()]
    labels = [found[1].casefold() for line in said if (found := _PROPERTY.match(line))]
    is_list = len(labels) >= _FEWEST_PROPERTIES and len(labels) >= len(said) - 1
    return is_list and len(set(labels)) == len(labels)


def _find_asked_about(written: Sequence[str]) -> Iterator[int]:
    """Find the lines below, or else above, a question about a text."""
    said = [place for place, line in enumerate(written) if line.strip()]
    for place in said[:-1]:
        if len(written[place]) <= _LINE and _ASKS.match(written[place].strip()):
            yield from range(place + 1, len(written))
            return
    if len(said) > 1 and len(written[said[-1]]) <= _LINE and _ASKS.match(written[said[-1]].strip()):
        yield from range(said[-1])


def _find_signed(written: Sequence[str]) -> Iterator[int]:
    """Find the lines above a signature."""
    said = [place for place, line in enumerate(written) if line.strip()]
    if len(said) < 2 or not _SIGNED.match(written[said[-1]][:_LINE]):
        return
    if not any(_SIGNED.match(written[place][:_LINE]) for place in said[:-1]):
        yield from range(said[-1])
