"""Days that a text names, and whether it can only be understood with the day it was said on.

"By Thursday", "nächsten Frühling" and "hace dos semanas" need that day; "every Thursday", "on
3 March 2026" and birthdays do not.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from tacit.language.calendar import (
    FEASTS,
    LAST_YEAR,
    MONTHS,
    NUMBERS,
    UNITS,
    WEEKDAYS,
    Span,
    any_of,
    expand_names,
    first_day,
    last_day,
    last_day_of_month,
    last_month_day,
    last_weekday,
    month_day,
    next_feast,
    next_weekday,
    parse_iso_day,
    shift,
)
from tacit.language.past_tense import is_past_day
from tacit.language.recurrence import is_recurring
from tacit.language.terms import guess_language, split_words

_LONGEST = 2_000
"""So many characters of a text are read."""

_RECENT = timedelta(days=60)
"""A day without a year that is so little ago is meant, and not the one of next year."""

_MOST_DAYS = 4_000
"""Spans of more days are not computed."""


STATED_DAY = re.compile(r" \((?P<iso>\d{4}-\d\d-\d\d)\)$")
"""The day that a learned statement carries at its end, which says what its words mean."""


@dataclass(frozen=True, slots=True)
class NamedDays:
    """The first and the last day that a text is about."""

    first: date
    last: date

    @property
    def is_one_day(self) -> bool:
        """Whether one certain day is meant."""
        return self.first == self.last


@lru_cache(maxsize=4_096)
def depends_on_day(text: str) -> bool:
    """Whether a text can only be understood with the day on which it was said."""
    read = text[:_LONGEST]
    if not _has_time_word(read):
        return False
    if _VAGUE.search(read) or _find_near_days(read):
        return True
    if (
        _has_word("bald", "german", read)
        or _RELATIVE_SPAN.search(read)
        or _AHEAD.search(read)
        or _AGO.search(read)
    ):
        return True
    return not is_recurring(read) and (
        any(pattern.search(read) for pattern, _ in _READ_ONCE if pattern is not _DAY_ALONE)
        or any(is_past_day(read, *found.span()) for found in _DAY_ALONE.finditer(read))
    )


def find_named_days(text: str, said: date) -> NamedDays | None:
    """Find the days that a text names, as it was meant on the day it was said."""
    read = text[:_LONGEST]
    if not 1 < said.year < LAST_YEAR or not _has_time_word(read):
        return None
    if stated := STATED_DAY.search(read):
        day = parse_iso_day(stated["iso"])
        return None if day is None else NamedDays(day, day)
    found = [_day_after(said, days) for days in _find_near_days(read)]
    found += _find_each(_ALWAYS_READ, read, said)
    if not is_recurring(read):
        found += _find_each(_READ_ONCE, _RELATIVE_SPAN.sub(" ", read), said)
    if not found:
        return None
    return NamedDays(min(each.first for each in found), max(each.last for each in found))


# Words for a day near the one on which something is said


_NEAR_DAYS = {
    -2: r"the day before yesterday|vorgestern|avant-hier|anteayer|antier",
    -1: r"yesterday|last night|gestern|ayer|anoche",
    0: r"today|tonight|this (?:morning|afternoon|evening)|heute|aujourd'hui|"
    r"ce (?:matin|soir)|cet après-midi|hoy|esta (?:mañana|tarde|noche)",
    1: r"tomorrow|(?-i:(?<!guten )(?<!jeden )(?<!am )\bmorgen)|^(?-i:Morgen)(?! ist\b.*\bbesser)|"
    r"demain|(?<!\bla )(?<!\besta )(?<!\bcada )(?<!\bpasado )mañana",
    2: r"the day after tomorrow|übermorgen|après-demain|pasado mañana",
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


def _day_after(said: date, days: int) -> NamedDays:
    day = said + timedelta(days=days)
    return NamedDays(day, day)


def _to_named(day: date | None) -> NamedDays | None:
    return None if day is None else NamedDays(day, day)


# This, next and last weeks, months, seasons and weekdays


_SPAN_NAMES = expand_names(
    {
        "week|woche|semaine|semana|sprint": Span.WEEK,
        "weekend|wochenende|week-end|fin de semana": Span.WEEKEND,
        "month|monat|mois|mes": Span.MONTH,
        "quarter|quartal|trimestre": Span.QUARTER,
        "year|jahr|année|an|año": Span.YEAR,
    }
)
_SEASONS = expand_names(
    {
        "spring|frühling|frühjahr|printemps|primavera": 3,
        "summer|sommer|été|verano": 6,
        "autumn|fall|herbst|automne|otoño": 9,
        "winter|hiver|invierno": 12,
    }
)
"""The first month of each season, in the north."""

_TERMS = ("semester", "term", "semestre", "schuljahr", "school year")
_WEEKDAY_NAMES = [name for name in WEEKDAYS if len(name) > 4]
"""Shorter names are other words as well."""

_PARTS_OF_DAY = ("abend", "morgen", "mittag", "nachmittag", "früh")
_WEEKDAY_PARTS = {f"{name}{part}" for name in _WEEKDAY_NAMES for part in ("", *_PARTS_OF_DAY)}

_PERIOD = any_of({*_SPAN_NAMES, *_SEASONS, *_TERMS, *_WEEKDAY_NAMES, *MONTHS} - {"may"})
_PERIOD += "|(?-i:May)"
_DIRECTIONS = {
    "this": 0, "current": 0, "next": 1, "coming": 1, "upcoming": 1, "following": 1, "last": -1,
    "past": -1, "previous": -1, "diese": 0, "nächste": 1, "kommende": 1, "letzte": -1,
    "vergangene": -1, "vorige": -1, "ce": 0, "cet": 0, "cette": 0, "prochain": 1, "prochaine": 1,
    "qui vient": 1, "dernier": -1, "dernière": -1, "passé": -1, "passée": -1, "este": 0,
    "esta": 0, "que viene": 1, "próximo": 1, "próxima": 1, "siguiente": 1, "pasado": -1,
    "pasada": -1,
}  # fmt: skip
_BEFORE = any_of(
    ("this", "current", "next", "coming", "upcoming", "following", "last", "past", "previous",
     "ce", "cet", "cette", "este", "esta", "próximo", "próxima", "pasado", "pasada")
)  # fmt: skip
_INFLECTED = any_of(("diese", "nächste", "kommende", "letzte", "vergangene", "vorige"))
_AFTER = any_of(
    ("prochain", "prochaine", "dernier", "dernière", "passé", "passée", "qui vient",
     "que viene", "próximo", "próxima", "siguiente", "pasado", "pasada")
)  # fmt: skip
_RELATIVE_SPAN = re.compile(
    rf"\b(?:(?P<before>{_BEFORE}|(?:{_INFLECTED})[nmrs]?) (?P<period>{_PERIOD})"
    rf"|(?P<period2>{_PERIOD}) (?P<after>{_AFTER}))\b(?! (?:19|20)\d\d)",
    re.IGNORECASE,
)


def _resolve_span(found: re.Match[str], said: date) -> NamedDays | None:
    word = (found["before"] or found["after"]).lower()
    direction = _DIRECTIONS.get(word, _DIRECTIONS.get(word.rstrip("nmrs"), 0))
    period = (found["period"] or found["period2"]).lower()
    if period in _SPAN_NAMES:
        span = _SPAN_NAMES[period]
        moved = shift(said, span, direction)
        return NamedDays(first_day(moved, span), last_day(moved, span))
    if period in WEEKDAYS:
        if direction == 0 and is_past_day(found.string, *found.span()):
            return _to_named(last_weekday(said, WEEKDAYS[period]))
        return _resolve_relative_weekday(WEEKDAYS[period], direction, said)
    if period in MONTHS or period in _SEASONS:
        first = MONTHS[period] + 1 if period in MONTHS else _SEASONS[period]
        return _resolve_months(first, 1 if period in MONTHS else 3, direction, said)
    return None


def _resolve_relative_weekday(weekday: int, direction: int, said: date) -> NamedDays:
    if direction < 0:
        return _day_after(said, -((said.weekday() - weekday - 1) % 7 + 1))
    day = next_weekday(said, weekday, in_next_week=direction > 0)
    return NamedDays(day, day)


def _resolve_months(first: int, count: int, direction: int, said: date) -> NamedDays:
    """The months from a first one on, in the year that is meant: of the last ones, or the next."""
    years = (said.year + 1, said.year, said.year - 1) if direction < 0 else (
        said.year - 1, said.year, said.year + 1)  # fmt: skip
    spans = [
        NamedDays(start, last_day(shift(start, Span.MONTH, count - 1), Span.MONTH))
        for start in (date(year, first, 1) for year in years)
    ]
    if direction < 0:
        return next((each for each in spans if each.last < said), spans[-1])
    least = {0: lambda each: each.last >= said, 1: lambda each: each.first > said}[direction]
    return next(filter(least, spans), spans[-1])


# In two weeks, two weeks ago


_COUNT = rf"(?P<count>\d{{1,3}}|{any_of(NUMBERS)})"
_UNIT = rf"(?P<unit>{any_of(UNITS)})"
_AHEAD = re.compile(rf"\b(?:in|dans|en|dentro de|d'ici) {_COUNT} {_UNIT}\b", re.IGNORECASE)
_AGO = re.compile(
    rf"\b{_COUNT} {_UNIT} ago\b|\b(?:vor|il y a|hace)"
    rf" {_COUNT.replace('count', 'count2')} {_UNIT.replace('unit', 'unit2')}\b",
    re.IGNORECASE,
)


def _resolve_ahead(found: re.Match[str], said: date) -> NamedDays | None:
    return _count_units(found["count"], found["unit"], said, 1)


def _resolve_ago(found: re.Match[str], said: date) -> NamedDays | None:
    return _count_units(
        found["count"] or found["count2"], found["unit"] or found["unit2"], said, -1
    )


def _count_units(count: str, unit: str, said: date, direction: int) -> NamedDays | None:
    """So many units later or earlier; nobody who says weeks or months means one certain day."""
    number = int(count) if count.isdigit() else NUMBERS[count.lower()]
    days = UNITS[unit.lower()]
    if number * days > _MOST_DAYS:
        return None
    day = said + timedelta(days=direction * number * days)
    if not 1 < day.year < LAST_YEAR:
        return None
    span = {1: Span.DAY, 7: Span.WEEK, 30: Span.MONTH}.get(days, Span.YEAR)
    return NamedDays(first_day(day, span), last_day(day, span))


# Dates, months, weekdays and feasts


_MONTH = any_of(MONTHS)
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DUE = (
    r"by|before|until|till|due|bis(?: zum| spätestens)?|spätestens(?: am)?|vor dem|d'ici(?: le)?"
    r"|avant(?: le)?|jusqu'(?:à|au)|para(?: el)?|antes del?|hasta(?: el)?"
)
_DATE = (
    rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.|er)?(?: of| de)? (?P<month>{_MONTH})\b"
    rf"|\b(?P<month2>{_MONTH})\.? (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)"
)
_FULL_DATE = re.compile(
    rf"(?P<iso>\b\d{{4}}-\d\d-\d\d\b)|\b(?:{_DATE}),?(?: de| of)? {_YEAR}\b"
    r"|\b(?P<day3>\d{1,2})\.(?P<month3>\d{1,2})\.(?P<year3>20\d\d)\b",
    re.IGNORECASE,
)
_DATE_WITHOUT_YEAR = re.compile(
    rf"(?:\b(?P<due>{_DUE}) (?:the |\w+day,? )?)?\b(?:{_DATE})(?!,?(?: de| of)? (?:19|20)\d\d)",
    re.IGNORECASE,
)
_MONTH_ALONE = re.compile(
    r"\b(?:in|by|until|till|since|before|after|from|during|early(?: in)?|late(?: in)?|mid-?|"
    r"end of|im|ab|bis|seit|vor|nach|anfang|mitte|ende|en|fin|début|mi-?|depuis|d'ici|avant|"
    r"desde|hasta|para|a (?:finales|principios|mediados) de|antes de) ?"
    rf"(?P<month>{_MONTH})\b(?! \d|\.? ?(?:de )?(?:19|20)\d\d)",
    re.IGNORECASE,
)
_DAY_NUMBER = r"\d{1,2}(?:st|nd|rd|th|\.)?(?![\d:])(?! ?(?:h|uhr|[ap]\.?m|o'clock)\b)"
_UNNAMED_DATE = re.sub(r"\?P<\w+>", "?:", _DATE)
_WEEKDAY = re.compile(
    rf"(?:\b(?P<due>{_DUE}) )?\b(?P<weekday>{any_of(_WEEKDAY_NAMES)})"
    rf"(?:{'|'.join(_PARTS_OF_DAY)})?\b"
    rf"(?P<dated>,?(?: (?:the|den|dem|der))? (?:{_UNNAMED_DATE}|{_DAY_NUMBER}))?",
    re.IGNORECASE,
)
_FEAST = re.compile(
    r"\b(?P<before>by|before|until|till|after|this|next|last|vor|bis|nach|avant|d'ici|jusqu'à|après|"
    rf"antes de|hasta|para|después de) (?:(?P<feast>{any_of(FEASTS)})|thanksgiving)\b",
    re.IGNORECASE,
)
_NOT_THE_NEXT = frozenset(("after", "last", "nach", "après", "después de"))
_DAY_ALONE = re.compile(
    r"\b(?:on the (?P<day>\d{1,2})(?:st|nd|rd|th)\b|am (?P<day2>\d{1,2})\.(?! ?\d)"
    r"|le (?P<day3>\d{1,2})\b|el (?:día )?(?P<day4>\d{1,2})\b)"
    rf"(?!(?: of| de)? (?:{_MONTH})\b|:|[./]\d| ?(?:h|floor|try|attempt)\b)",
    re.IGNORECASE,
)
"""A day that is named by its number alone; only in a past tense it is read as one day."""

_INFLECTED_SPANS = expand_names(
    {"day|tages": Span.DAY, "monats": Span.MONTH, "quartals": Span.QUARTER, "jahres": Span.YEAR}
)
_PERIOD_END = re.compile(
    r"\b(?:by|before|until|bis|d'ici|avant|para|antes de) (?:the |la |el )?(?:end of|ende|fin|"
    r"finales de) ?(?:the|this|der|des|du|de la|de l'|de|d')? ?"
    rf"(?P<span>{any_of((*_SPAN_NAMES, *_INFLECTED_SPANS))})\b",
    re.IGNORECASE,
)


def _resolve_full_date(found: re.Match[str], said: date) -> NamedDays | None:
    if found["iso"]:
        day = parse_iso_day(found["iso"])
    elif found["year3"]:
        day = parse_iso_day(f"{found['year3']}-{int(found['month3']):02}-{int(found['day3']):02}")
    else:
        month = MONTHS[(found["month"] or found["month2"]).lower()] + 1
        day = month_day(said, month, found["day"] or found["day2"], found["year"])
    return _to_named(day)


def _resolve_date(found: re.Match[str], said: date) -> NamedDays | None:
    """A day without a year: the next one, or the last one if that is recent and nothing is due.

    What has happened was on the last such day.
    """
    month = MONTHS[(found["month"] or found["month2"]).lower()] + 1
    number = found["day"] or found["day2"]
    if not found["due"] and is_past_day(found.string, *found.span()):
        return _to_named(last_month_day(said, month, int(number)))
    since = said if found["due"] else said - _RECENT
    return _to_named(month_day(since, month, number, None))


def _resolve_month(found: re.Match[str], said: date) -> NamedDays:
    month = MONTHS[found["month"].lower()] + 1
    if not is_past_day(found.string, *found.span("month")):
        return _resolve_months(month, 1, 0, said)
    first = date(said.year if month <= said.month else said.year - 1, month, 1)
    return NamedDays(first, min(last_day(first, Span.MONTH), said))


def _resolve_day_alone(found: re.Match[str], said: date) -> NamedDays | None:
    if not is_past_day(found.string, *found.span()):
        return None
    return _to_named(last_day_of_month(said, int(next(filter(None, found.groups())))))


def _resolve_feast(found: re.Match[str], said: date) -> NamedDays | None:
    is_read = found["feast"] and found["before"].lower() not in _NOT_THE_NEXT
    return _to_named(next_feast(said, found["feast"])) if is_read else None


def _resolve_weekday(found: re.Match[str], said: date) -> NamedDays | None:
    """The next such day; without a word that looks ahead the last one may be meant as well.

    If a date follows, that says which day it is.
    """
    if found["dated"]:
        return None
    weekday = WEEKDAYS[found["weekday"].lower()]
    if not found["due"] and is_past_day(found.string, *found.span()):
        return _to_named(last_weekday(said, weekday))
    day = next_weekday(said, weekday, in_next_week=False)
    return NamedDays(day if found["due"] else day - timedelta(days=7), day)


def _resolve_period_end(found: re.Match[str], said: date) -> NamedDays:
    name = found["span"].lower()
    end = last_day(said, _SPAN_NAMES.get(name) or _INFLECTED_SPANS[name])
    return NamedDays(end, end)


_Resolver = Callable[[re.Match[str], date], NamedDays | None]
_ALWAYS_READ: tuple[tuple[re.Pattern[str], _Resolver], ...] = (
    (_RELATIVE_SPAN, _resolve_span),
    (_AHEAD, _resolve_ahead),
    (_AGO, _resolve_ago),
    (_FULL_DATE, _resolve_full_date),
)
_READ_ONCE: tuple[tuple[re.Pattern[str], _Resolver], ...] = (
    (_DATE_WITHOUT_YEAR, _resolve_date),
    (_MONTH_ALONE, _resolve_month),
    (_WEEKDAY, _resolve_weekday),
    (_PERIOD_END, _resolve_period_end),
    (_DAY_ALONE, _resolve_day_alone),
    (_FEAST, _resolve_feast),
)
"""What names one day, unless the text is about what happens again and again."""


def _find_each(
    patterns: tuple[tuple[re.Pattern[str], _Resolver], ...], text: str, said: date
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
    r"tien[eo] \d{1,3} (?:años|meses))\b",
    re.IGNORECASE,
)


# A quick look: most texts have no word about time


_DIGITS = re.compile(
    r"\d{4}-\d\d-\d\d|\d\.\d{1,2}\.\d{4}|\d(?:st|nd|rd|th)\b|\b(?:am|le|el|día) \d", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]+")
_SINGLE_WORDS = """
yesterday tonight today morning afternoon evening night tomorrow vorgestern gestern heute morgen
übermorgen avant hier aujourd ce demain anteayer antier ayer anoche hoy esta mañana pasado
christmas xmas easter thanksgiving weihnachten ostern pfingsten silvester noël pâques navidad
santa currently now moment recently lately soon yet derzeit zurzeit zeit momentan augenblick
neulich kürzlich demnächst bald noch vorhin actuellement instant récemment bientôt encore
actualmente ahora momento últimamente recientemente pronto todavía aún
"""
_TIME_WORDS = frozenset(_SINGLE_WORDS.split()) | frozenset(
    word
    for names in (
        MONTHS,
        _WEEKDAY_PARTS,
        UNITS,
        FEASTS,
        _SPAN_NAMES,
        _SEASONS,
        _INFLECTED_SPANS,
        _TERMS,
    )
    for name in names
    for word in _WORD.findall(name)
)


def _has_time_word(text: str) -> bool:
    words = _WORD.findall(text.casefold())
    return not _TIME_WORDS.isdisjoint(words) or bool(_DIGITS.search(text))
