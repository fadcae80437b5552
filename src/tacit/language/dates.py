"""Dates, months, weekdays and feasts that a text names, and the days that are meant by them."""

import re
from datetime import date, timedelta

from tacit.language.calendar import (
    FEASTS,
    MONTHS,
    NUMBERS,
    WEEKDAYS,
    DayResolver,
    NamedDays,
    Span,
    any_of,
    expand_names,
    last_day,
    last_day_of_month,
    last_month_day,
    last_weekday,
    month_day,
    next_feast,
    next_weekday,
    parse_iso_day,
    to_named,
)
from tacit.language.past_tense import is_past_day
from tacit.language.periods import PARTS_OF_DAY, SPAN_NAMES, WEEKDAY_NAMES, resolve_months

_RECENT = timedelta(days=60)
"""A day without a year that is so little ago is meant by "from 3 March", not that of next year."""

_MONTH = any_of(MONTHS)
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DUE = (
    r"by|before|until|till|due|bis(?: zum| spätestens)?|spätestens(?: am)?|vor dem|d'ici(?: le)?"
    r"|avant(?: le)?|jusqu'(?:à|au)|para(?: el)?|antes del?|hasta(?: el)?"
    r"|entro(?: il)?|prima d(?:i|el)|fino a[l]?|per(?: il)?|até(?: ao?| o)?|antes d[ao]|para [ao]"
    r"|uiterlijk(?: op)?|voor|tot(?: en met)?|tegen"
)
_DATED = (
    r"from|of|since|dated|vom|seit(?: dem)?|du|depuis(?: le)?|del|desde(?: [eo]l?)?|dal|do|van"
    r"|vanaf|sinds"
)
_DATE = (
    rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.|er|[°º])?(?: of| de)? (?P<month>{_MONTH})\b"
    rf"|\b(?P<month2>{_MONTH})\.? (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)"
)
FULL_DATE = re.compile(
    rf"(?P<iso>\b\d{{4}}-\d\d-\d\d\b)|\b(?:{_DATE}),?(?: de| of)? {_YEAR}\b"
    r"|\b(?P<day3>\d{1,2})\.(?P<month3>\d{1,2})\.(?P<year3>20\d\d)\b",
    re.IGNORECASE,
)
_DATE_WITHOUT_YEAR = re.compile(
    rf"(?:\b(?:(?P<due>{_DUE})|(?P<dated>{_DATED})) (?:the |\w+day,? )?)?\b(?:{_DATE})"
    r"(?!,?(?: de| of)? (?:19|20)\d\d)",
    re.IGNORECASE,
)
_NUMBERED_DATE = re.compile(
    r"\b(?:(?P<due>bis(?: zum)?|spätestens am|vor dem|d'ici le|avant le|jusqu'au|antes del"
    r"|hasta el|entro il|prima del|até(?: ao)?(?: dia)?|uiterlijk op|voor|tot)"
    r"|(?P<dated>vom|seit dem|depuis le|desde el|dal|vanaf|sinds)|am|le|el|il|dia|op) (?:"
    r"(?P<day>\d{1,2})\.(?P<month>0?[1-9]|1[0-2])\.(?! ?\d)"
    r"|(?P<day2>\d{1,2})/(?P<month2>0?[1-9]|1[0-2])\b(?![/.]\d| (?:de|du|des)\b))",
    re.IGNORECASE,
)
"""A day and a month in numbers, only behind a word for a day: "3.4." may be a chapter as well."""
_ITALIAN_IN = (
    "a(?= (?:gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre"
    "|dicembre))"
)
_MONTH_ALONE = re.compile(
    r"\b(?:in|by|until|till|since|before|after|from|during|early(?: in)?|late(?: in)?|mid-?|"
    r"end of|im|ab|bis|seit|vor|nach|anfang|mitte|ende|en|fin|début|mi-?|depuis|d'ici|avant|"
    r"desde|hasta|para|a (?:finales|principios|mediados) de|antes de|da|entro|fino a|per|inizio"
    r"|metà|fine|prima di|dopo|em|até|depois de|(?:início|meados|fim|final) de|a partir de|eind"
    rf"|begin|half|vanaf|sinds|tot|voor|na|{_ITALIAN_IN}) ?"
    rf"(?P<month>{_MONTH})\b(?! \d|\.? ?(?:de )?(?:19|20)\d\d)",
    re.IGNORECASE,
)
_DAY_NUMBER = r"\d{1,2}(?:st|nd|rd|th|\.)?(?![\d:])(?! ?(?:h|uhr|[ap]\.?m|o'clock)\b)"
_UNNAMED_DATE = re.sub(r"\?P<\w+>", "?:", _DATE)
_WEEKDAY = re.compile(
    rf"(?:\b(?P<due>{_DUE}) )?\b(?P<weekday>{any_of(WEEKDAY_NAMES)})"
    rf"(?:{'|'.join(PARTS_OF_DAY)})?\b"
    rf"(?P<dated>,?(?: (?:the|den|dem|der))? (?:{_UNNAMED_DATE}|{_DAY_NUMBER}))?",
    re.IGNORECASE,
)
_FEAST = re.compile(
    r"\b(?P<before>by|before|until|till|after|this|next|last|vor|bis|nach|avant|d'ici|jusqu'à"
    r"|après|antes de|hasta|para|después de|entro|prima di|fino a|per|dopo|antes d[ao]"
    r"|até ao?|para [ao]|depois d[ao]|voor|tot|na|deze)"
    rf" (?:(?P<feast>{any_of(FEASTS)})|thanksgiving)\b",
    re.IGNORECASE,
)
_NOT_THE_NEXT = frozenset(
    ("after", "last", "nach", "après", "después de", "dopo", "depois da", "depois do", "na")
)
DAY_ALONE = re.compile(
    r"\b(?:on the (?P<day>\d{1,2})(?:st|nd|rd|th)\b|am (?P<day2>\d{1,2})\.(?! ?\d)"
    r"|le (?P<day3>\d{1,2})\b|el (?:día )?(?P<day4>\d{1,2})\b|il (?P<day5>\d{1,2})\b"
    r"|dia (?P<day6>\d{1,2})\b|op de (?P<day7>\d{1,2})e\b)"
    rf"(?!(?: of| de)? (?:{_MONTH})\b|:|[./]\d| ?%| ?(?:h|floor|try|attempt)\b)",
    re.IGNORECASE,
)
"""A day that is named by its number alone; only in a past tense it is read as one day."""

INFLECTED_SPANS = expand_names(
    {"day|tages": Span.DAY, "monats": Span.MONTH, "quartals": Span.QUARTER, "jahres": Span.YEAR}
)
_PERIOD_END = re.compile(
    r"\b(?:by|before|until|bis|d'ici|avant|para|antes de|entro|prima del?la|até|voor|tegen|tot)"
    r" (?:the |la |el |ao? |o |het )?(?:end of|ende|fin|finales de|fine|fim|final|eind|einde)"
    r" ?(?:the|this|der|des|du|de la|de l'|de|d'|del|della|dell'|do|da|van (?:de|het|deze))? ?"
    rf"(?P<span>{any_of((*SPAN_NAMES, *INFLECTED_SPANS))})\b",
    re.IGNORECASE,
)


_WEEKS = (
    r"(?P<count>\d|a|one|two|three|einer|zwei|drei|een|twee|una|due)"
    r" (?:weeks?|wochen?|weken|settiman[ae])"
)
WEEKDAY_WEEKS_LATER = re.compile(
    rf"\b(?:(?P<weekday>{any_of(WEEKDAY_NAMES)}) (?:(?P<english>week|fortnight)"
    rf"|(?:in|over|tra|fra) {_WEEKS}|(?:en|dans) (?P<french>huit|quinze)(?: jours)?)"
    rf"|{_WEEKS.replace('count', 'count2')} (?:from|on|after)"
    rf" (?P<weekday2>{any_of(WEEKDAY_NAMES)}))\b",
    re.IGNORECASE,
)
"""A weekday some weeks after the coming one: "Friday week", "vendredi en huit"."""

WEEKDAY_OF_NEXT_WEEK = re.compile(
    rf"\b(?P<weekday>{any_of(WEEKDAY_NAMES)}) (?:(?:of |de |della |da |van )?(?:the |la )?"
    r"(?:next week|nächste[rn]? woche|kommende[rn]? woche|semaine prochaine|semana que viene"
    r"|próxima semana|settimana prossima|prossima settimana|semana que vem|volgende week"
    r"|komende week))\b"
    r"|\b(?:next week|nächste woche|la semaine prochaine|la semana que viene|la settimana prossima"
    r"|la prossima settimana|na semana que vem|na próxima semana|volgende week)"
    r",? (?:on |am |le |el |op |na |no )?"
    rf"(?P<weekday2>{any_of(WEEKDAY_NAMES)})\b",
    re.IGNORECASE,
)
_DAYS_LATER = {"week": 7, "fortnight": 14, "huit": 7, "quinze": 14}


def resolve_weeks_later(found: re.Match[str], said: date) -> NamedDays | None:
    """The weekday that is meant, some weeks after the coming one."""
    word = (found["english"] or found["french"] or "").lower()
    count = (found["count"] or found["count2"] or "").lower()
    days = _DAYS_LATER.get(word) or 7 * (int(count) if count.isdigit() else NUMBERS[count])
    weekday = WEEKDAYS[(found["weekday"] or found["weekday2"]).lower()]
    return to_named(next_weekday(said, weekday, in_next_week=False) + timedelta(days=days))


def resolve_next_week(found: re.Match[str], said: date) -> NamedDays | None:
    """The weekday of the next week."""
    weekday = WEEKDAYS[(found["weekday"] or found["weekday2"]).lower()]
    return to_named(next_weekday(said, weekday, in_next_week=True))


def resolve_full_date(found: re.Match[str], said: date) -> NamedDays | None:
    """The day of a date with its year."""
    if found["iso"]:
        day = parse_iso_day(found["iso"])
    elif found["year3"]:
        day = parse_iso_day(f"{found['year3']}-{int(found['month3']):02}-{int(found['day3']):02}")
    else:
        month = MONTHS[(found["month"] or found["month2"]).lower()] + 1
        day = month_day(said, month, found["day"] or found["day2"], found["year"])
    return to_named(day)


def _resolve_date(found: re.Match[str], said: date) -> NamedDays | None:
    """A day without a year: the next one, or the last one if a text tells of the past.

    So it is if something is dated from a recent day.
    """
    named = (found["month"] or found["month2"]).lower()
    month = int(named) if named.isdigit() else MONTHS[named] + 1
    number = found["day"] or found["day2"]
    if not found["due"] and is_past_day(found.string, *found.span()):
        return to_named(last_month_day(said, month, int(number)))
    since = said - _RECENT if found["dated"] else said
    return to_named(month_day(since, month, number, None))


def _resolve_month(found: re.Match[str], said: date) -> NamedDays:
    month = MONTHS[found["month"].lower()] + 1
    if not is_past_day(found.string, *found.span("month")):
        return resolve_months(month, 1, 0, said)
    first = date(said.year if month <= said.month else said.year - 1, month, 1)
    return NamedDays(first, min(last_day(first, Span.MONTH), said))


def _resolve_day_alone(found: re.Match[str], said: date) -> NamedDays | None:
    if not is_past_day(found.string, *found.span()):
        return None
    return to_named(last_day_of_month(said, int(next(filter(None, found.groups())))))


def _resolve_feast(found: re.Match[str], said: date) -> NamedDays | None:
    is_read = found["feast"] and found["before"].lower() not in _NOT_THE_NEXT
    return to_named(next_feast(said, found["feast"])) if is_read else None


def _resolve_weekday(found: re.Match[str], said: date) -> NamedDays | None:
    """The next such day; without a word that looks ahead the last one may be meant as well.

    If a date follows, that says which day it is.
    """
    if found["dated"]:
        return None
    weekday = WEEKDAYS[found["weekday"].lower()]
    if not found["due"] and is_past_day(found.string, *found.span()):
        return to_named(last_weekday(said, weekday))
    day = next_weekday(said, weekday, in_next_week=False)
    return NamedDays(day if found["due"] else day - timedelta(days=7), day)


def _resolve_period_end(found: re.Match[str], said: date) -> NamedDays:
    name = found["span"].lower()
    end = last_day(said, SPAN_NAMES.get(name) or INFLECTED_SPANS[name])
    return NamedDays(end, end)


DATES: tuple[tuple[re.Pattern[str], DayResolver], ...] = (
    (_DATE_WITHOUT_YEAR, _resolve_date),
    (_NUMBERED_DATE, _resolve_date),
    (_MONTH_ALONE, _resolve_month),
    (_WEEKDAY, _resolve_weekday),
    (_PERIOD_END, _resolve_period_end),
    (DAY_ALONE, _resolve_day_alone),
    (_FEAST, _resolve_feast),
)
"""What names days without a year, unless the text is about what happens again and again."""
