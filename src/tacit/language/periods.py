"""Periods by their distance from the day they are named on: "next week", "vor zwei Monaten"."""

import re
from datetime import date, timedelta

from tacit.language.calendar import (
    LAST_YEAR,
    MONTHS,
    NUMBERS,
    UNITS,
    WEEKDAYS,
    DayResolver,
    NamedDays,
    Span,
    any_of,
    day_after,
    expand_names,
    first_day,
    last_day,
    last_weekday,
    next_weekday,
    shift,
    to_named,
)
from tacit.language.past_tense import is_past_day

_MOST_DAYS = 4_000
"""Spans of more days are not computed."""


# This, next and last weeks, months, seasons and weekdays


SPAN_NAMES = expand_names(
    {
        "week|woche|semaine|semana|settimana|sprint": Span.WEEK,
        "weekend|wochenende|week-end|fin de semana|fine settimana|fim de semana": Span.WEEKEND,
        "month|monat|mois|mes|mese|mês|maand": Span.MONTH,
        "quarter|quartal|trimestre|kwartaal": Span.QUARTER,
        "year|jahr|année|an|año|anno|ano|jaar": Span.YEAR,
    }
)
SEASONS = expand_names(
    {
        "spring|frühling|frühjahr|printemps|primavera|lente|voorjaar": 3,
        "summer|sommer|été|verano|estate|verão|zomer": 6,
        "autumn|fall|herbst|automne|otoño|autunno|outono|herfst|najaar": 9,
        "winter|hiver|invierno|inverno": 12,
    }
)
"""The first month of each season, in the north."""

TERMS = ("semester", "term", "semestre", "schuljahr", "school year", "schooljaar")
WEEKDAY_NAMES = [name for name in WEEKDAYS if len(name) > 4]
"""Shorter names are other words as well."""

PARTS_OF_DAY = ("abend", "morgen", "mittag", "nachmittag", "früh", "avond", "ochtend",
                "middag")  # fmt: skip

_PERIOD = any_of({*SPAN_NAMES, *SEASONS, *TERMS, *WEEKDAY_NAMES, *MONTHS} - {"may", "estate"})
_PERIOD += "|(?-i:May)|(?<![st] )estate"
_DIRECTIONS = {
    "this": 0, "current": 0, "next": 1, "coming": 1, "upcoming": 1, "following": 1, "last": -1,
    "past": -1, "previous": -1, "diese": 0, "nächste": 1, "kommende": 1, "letzte": -1,
    "vergangene": -1, "vorige": -1, "ce": 0, "cet": 0, "cette": 0, "prochain": 1, "prochaine": 1,
    "qui vient": 1, "dernier": -1, "dernière": -1, "passé": -1, "passée": -1, "este": 0,
    "esta": 0, "que viene": 1, "próximo": 1, "próxima": 1, "siguiente": 1, "pasado": -1,
    "pasada": -1, "questo": 0, "questa": 0, "prossimo": 1, "prossima": 1,
    "che viene": 1, "scorso": -1, "scorsa": -1, "passato": -1, "passata": -1, "neste": 0,
    "nesta": 0, "deste": 0, "desta": 0, "que vem": 1, "passado": -1, "passada": -1, "deze": 0,
    "dit": 0, "volgende": 1, "komende": 1, "aanstaande": 1, "afgelopen": -1,
}  # fmt: skip
_BEFORE = any_of(
    ("this", "current", "next", "coming", "upcoming", "following", "last", "past", "previous",
     "ce", "cet", "cette", "este", "esta", "próximo", "próxima", "pasado", "pasada", "questo",
     "questa", "prossimo", "prossima", "scorso", "scorsa", "neste", "nesta", "deste", "desta",
     "deze", "volgende", "komende", "aanstaande", "afgelopen")
)  # fmt: skip
_INFLECTED = any_of(("diese", "nächste", "kommende", "letzte", "vergangene", "vorige"))
_AFTER = any_of(
    ("prochain", "prochaine", "dernier", "dernière", "passé", "passée", "qui vient",
     "que viene", "próximo", "próxima", "siguiente", "pasado", "pasada", "prossimo", "prossima",
     "che viene", "scorso", "scorsa", "passato", "passata", "que vem", "passado", "passada",
     "aanstaande")
)  # fmt: skip
_DUTCH_THIS = "dit(?= (?:weekend|kwartaal|jaar|voorjaar|najaar))"
"""Before a weekday "dit" is French for "says"."""
RELATIVE_SPAN = re.compile(
    rf"\b(?:(?:(?P<before>{_BEFORE}|(?:{_INFLECTED})[nmrs]?|{_DUTCH_THIS}) |quest['’])"
    rf"(?P<period>{_PERIOD})"
    rf"|(?P<period2>{_PERIOD}) (?P<after>{_AFTER}))\b(?! (?:19|20)\d\d)",
    re.IGNORECASE,
)


def _resolve_span(found: re.Match[str], said: date) -> NamedDays | None:
    word = (found["before"] or found["after"] or "").lower()
    direction = _DIRECTIONS.get(word, _DIRECTIONS.get(word.rstrip("nmrs"), 0))
    period = (found["period"] or found["period2"]).lower()
    if period in SPAN_NAMES:
        span = SPAN_NAMES[period]
        moved = shift(said, span, direction)
        return NamedDays(first_day(moved, span), last_day(moved, span))
    if period in WEEKDAYS:
        if direction == 0 and is_past_day(found.string, *found.span()):
            return to_named(last_weekday(said, WEEKDAYS[period]))
        return _resolve_relative_weekday(WEEKDAYS[period], direction, said)
    if period in MONTHS or period in SEASONS:
        first = MONTHS[period] + 1 if period in MONTHS else SEASONS[period]
        return resolve_months(first, 1 if period in MONTHS else 3, direction, said)
    return None


def _resolve_relative_weekday(weekday: int, direction: int, said: date) -> NamedDays:
    if direction < 0:
        return day_after(said, -((said.weekday() - weekday - 1) % 7 + 1))
    day = next_weekday(said, weekday, in_next_week=direction > 0)
    return NamedDays(day, day)


def resolve_months(first: int, count: int, direction: int, said: date) -> NamedDays:
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
_DUTCH_IN = r"over(?= (?:een week|[\w ]+? (?:dag|dagen|weken|maand|maanden|jaar|jaren))\b)"
_AHEAD = re.compile(
    rf"\b(?:in|dans|en|dentro de|d'ici|tra|fra|entro|daqui a|em|{_DUTCH_IN}) {_COUNT} {_UNIT}\b",
    re.IGNORECASE,
)
_AGO = re.compile(
    rf"\b{_COUNT} {_UNIT} (?:ago|fa|atrás|geleden)\b|\b(?:vor|il y a|hace|há|faz)"
    rf" {_COUNT.replace('count', 'count2')} {_UNIT.replace('unit', 'unit2')}\b",
    re.IGNORECASE,
)


_COUNTED_WITH_TODAY = {
    **dict.fromkeys(("acht", "huit", "ocho", "otto", "oito"), 7),
    **dict.fromkeys(("quinze", "quince", "quindici"), 14),
}
"""So many days are one or two weeks: "dans quinze jours"."""


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
    number = _COUNTED_WITH_TODAY.get(count.lower(), number) if days == 1 else number
    if number * days > _MOST_DAYS:
        return None
    day = said + timedelta(days=direction * number * days)
    if not 1 < day.year < LAST_YEAR:
        return None
    span = {1: Span.DAY, 7: Span.WEEK, 30: Span.MONTH}.get(days, Span.YEAR)
    return NamedDays(first_day(day, span), last_day(day, span))


PERIODS: tuple[tuple[re.Pattern[str], DayResolver], ...] = (
    (RELATIVE_SPAN, _resolve_span),
    (_AHEAD, _resolve_ahead),
    (_AGO, _resolve_ago),
)
"""What names a period by its distance from the day on which it is said."""
