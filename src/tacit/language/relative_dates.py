"""Days that a text names, and whether it can only be understood with the day it was said on.

"By Thursday", "nächsten Frühling" and "hace dos semanas" need that day; "every Thursday", "on
3 March 2026" and birthdays do not.
"""

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache

from tacit.language.calendar import (
    FEASTS,
    LAST_YEAR,
    MONTHS,
    UNITS,
    DayResolver,
    NamedDays,
    day_after,
    parse_iso_day,
)
from tacit.language.dates import (
    DATES,
    DAY_ALONE,
    FULL_DATE,
    INFLECTED_SPANS,
    WEEKDAY_OF_NEXT_WEEK,
    WEEKDAY_WEEKS_LATER,
    resolve_full_date,
    resolve_next_week,
    resolve_weeks_later,
)
from tacit.language.languages import guess_language
from tacit.language.past_tense import is_past_day
from tacit.language.periods import (
    PARTS_OF_DAY,
    PERIODS,
    RELATIVE_SPAN,
    SEASONS,
    SPAN_NAMES,
    TERMS,
    WEEKDAY_NAMES,
)
from tacit.language.recurrence import is_recurring
from tacit.language.terms import split_words

_LONGEST = 2_000
"""So many characters of a text are read."""

STATED_DAY = re.compile(r" \((?P<iso>\d{4}-\d\d-\d\d)\)$")
"""The day that a learned statement carries at its end, which says what its words mean."""


@lru_cache(maxsize=4_096)
def depends_on_day(text: str) -> bool:
    """Whether a text can only be understood with the day on which it was said."""
    read = text[:_LONGEST]
    if not _has_time_word(read):
        return False
    if _VAGUE.search(read) or _find_near_days(read):
        return True
    if _has_word("bald", "german", read) or any(pattern.search(read) for pattern, _ in PERIODS):
        return True
    return not is_recurring(read) and (
        any(pattern.search(read) for pattern, _ in DATES if pattern is not DAY_ALONE)
        or any(is_past_day(read, *found.span()) for found in DAY_ALONE.finditer(read))
    )


def find_named_days(text: str, said: date) -> NamedDays | None:
    """Find the days that a text names, as it was meant on the day it was said."""
    read = text[:_LONGEST]
    if not 1 < said.year < LAST_YEAR or not _has_time_word(read):
        return None
    if stated := STATED_DAY.search(read):
        day = parse_iso_day(stated["iso"])
        return None if day is None else NamedDays(day, day)
    found: list[NamedDays] = []
    if not (recurs := is_recurring(read)):
        found += _find_each(_WEEKDAYS_AHEAD, read, said)
        for pattern, _ in _WEEKDAYS_AHEAD:
            read = pattern.sub(" ", read)
    found += [day_after(said, days) for days in _find_near_days(read)]
    found += _find_each(_ALWAYS_READ, read, said)
    if not recurs:
        found += _find_each(DATES, RELATIVE_SPAN.sub(" ", read), said)
    if not found:
        return None
    return NamedDays(min(each.first for each in found), max(each.last for each in found))


# Words for a day near the one on which something is said


_NEAR_DAYS = {
    -2: r"the day before yesterday|vorgestern|avant-hier|anteayer|antier|l'altro ieri|ieri l'altro|"
    r"anteontem|eergisteren",
    -1: r"yesterday|last night|gestern|hier (?:soir|matin|après-midi)|ayer|anoche|"
    r"(?<!altro )ieri(?! l'altro)|ontem|gisteren|gister(?:ochtend|morgen|middag|avond)",
    0: r"today|tonight|this (?:morning|afternoon|evening)|heute|aujourd'hui|"
    r"ce (?:matin|soir)|cet après-midi|hoy|esta (?:mañana|tarde|noche|manhã|noite)|(?<!d')oggi|"
    r"sta(?:mattina|sera|notte)|questa (?:mattina|sera|notte)|questo pomeriggio|hoje(?! em dia)|"
    r"vandaag|van(?:ochtend|morgen|middag|avond|nacht)",
    1: r"tomorrow|(?-i:(?<!guten )(?<!jeden )(?<!am )(?<![Gg]oede )(?<!elke )\bmorgen)|"
    r"^(?-i:Morgen)(?! ist\b.*\bbesser)|"
    r"demain|(?<!\bla )(?<!\besta )(?<!\bcada )(?<!\bpasado )mañana|"
    r"domani|domattina|(?<!depois de )amanhã",
    2: r"the day after tomorrow|übermorgen|après-demain|pasado mañana|dopodomani|depois de amanhã|"
    r"overmorgen",
}
_OFFSETS = {days: re.compile(rf"\b(?:{words})\b", re.I) for days, words in _NEAR_DAYS.items()}


def _find_near_days(text: str) -> list[int]:
    """The days from the one on which a text was said to those that it names by such words."""
    found = [days for days, pattern in _OFFSETS.items() if pattern.search(text)]
    return [*found, -1] if _has_word("hier", "french", text) else found


def _has_word(word: str, language: str, text: str) -> bool:
    """Whether a text in a language has a word that means something else in another one."""
    words = [each.text for each in split_words(text.casefold())]
    return word in words and guess_language(words) == language


_ALWAYS_READ = (*PERIODS, (FULL_DATE, resolve_full_date))
_WEEKDAYS_AHEAD = (
    (WEEKDAY_WEEKS_LATER, resolve_weeks_later),
    (WEEKDAY_OF_NEXT_WEEK, resolve_next_week),
)


def _find_each(
    patterns: tuple[tuple[re.Pattern[str], DayResolver], ...], text: str, said: date
) -> Iterator[NamedDays]:
    for pattern, resolve in patterns:
        for found in pattern.finditer(text):
            days = resolve(found, said)
            if days is not None:
                yield days


# Words for the time of speaking, and ages


_VAGUE = re.compile(
    r"\b(?:currently|right now|at the moment|for now|recently|lately|(?<!as )soon(?! as)|"
    r"these days|just now|not yet|derzeit|zurzeit|zur zeit|momentan|im moment|im augenblick|"
    r"neulich|kürzlich|demnächst|noch nicht|vorhin|actuellement|en ce moment|pour l'instant|"
    r"récemment|bientôt|pas encore|actualmente|ahora mismo|de momento|por ahora|últimamente|"
    r"recientemente|pronto|todavía no|aún no|\d{1,3}[ -](?:years?|months?|weeks?)[ -]old|"
    r"\d{1,3} (?:jahre|monate|wochen) alt|(?:a|ai) \d{1,3} (?:ans|mois)|"
    r"tien[eo] \d{1,3} (?:años|meses)|attualmente|al momento(?! de\b)|in questo momento|"
    r"per (?:ora|adesso)|di recente|ultimamente|non ancora|h[ao] \d{1,3} (?:anni|mesi)|atualmente|"
    r"n[eo]ste momento|no momento|por (?:enquanto|agora)|hoje em dia|em breve|ainda não|"
    r"tem \d{1,3} (?:anos|meses)|"
    r"momenteel|op (?:dit|het) moment|voorlopig|onlangs|binnenkort|tegenwoordig|zojuist|nog niet|"
    r"\d{1,3} (?:jaar|maanden|weken) oud)\b",
    re.IGNORECASE,
)


# A quick look: most texts have no word about time


_DIGITS = re.compile(
    r"\d{4}-\d\d-\d\d|\d\.\d{1,2}\.\d{4}|\d(?:st|nd|rd|th)\b"
    r"|\b(?:am|zum|bis|vom|dem|le|au|el|del|día|il|dal|dia|até|ao|op|de|voor|tot|vanaf|sinds) \d",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
_SINGLE_WORDS = """
yesterday tonight today morning afternoon evening night tomorrow vorgestern gestern heute morgen
übermorgen avant hier aujourd ce demain anteayer antier ayer anoche hoy esta mañana pasado
christmas xmas easter thanksgiving weihnachten ostern pfingsten silvester noël pâques navidad
santa currently now moment recently lately soon yet derzeit zurzeit zeit momentan augenblick
neulich kürzlich demnächst bald noch vorhin actuellement instant récemment bientôt encore
actualmente ahora momento últimamente recientemente pronto todavía aún
ieri oggi stamattina stasera stanotte mattina sera notte pomeriggio domani domattina dopodomani
attualmente adesso ora agora recente ultimamente ancora anteontem ontem hoje manhã noite amanhã
atualmente neste enquanto breve ainda eergisteren gisteren gisterochtend gistermorgen gistermiddag
gisteravond vandaag vanochtend vanmorgen vanmiddag vanavond vannacht overmorgen momenteel voorlopig
onlangs binnenkort tegenwoordig zojuist nog
"""
_WEEKDAY_PARTS = {f"{name}{part}" for name in WEEKDAY_NAMES for part in ("", *PARTS_OF_DAY)}
_TIME_WORDS = frozenset(_SINGLE_WORDS.split()) | frozenset(
    word
    for names in (
        MONTHS,
        _WEEKDAY_PARTS,
        UNITS,
        FEASTS,
        SPAN_NAMES,
        SEASONS,
        INFLECTED_SPANS,
        TERMS,
    )
    for name in names
    for word in _WORD.findall(name)
)


def _has_time_word(text: str) -> bool:
    words = _WORD.findall(text.casefold())
    return not _TIME_WORDS.isdisjoint(words) or bool(_DIGITS.search(text))
