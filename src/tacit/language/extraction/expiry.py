"""Find the day that a statement names, and the date until which it is worth knowing."""

import re
from datetime import UTC, date, datetime, time, timedelta

from tacit.core.kinds import MemoryType
from tacit.language.calendar import (
    FEASTS,
    LAST_YEAR,
    MONTHS,
    NUMBERS,
    UNITS,
    WEEKDAYS,
    NamedDays,
    Span,
    any_of,
    expand_names,
    last_day,
    month_day,
    next_day_of_month,
    next_feast,
    next_weekday,
    parse_iso_day,
    shift,
)
from tacit.language.extraction.rule_tables import RULE_TYPES
from tacit.language.past_tense import tells_past
from tacit.language.recurrence import hide_beginnings, hide_weekday_ranges, is_recurring
from tacit.language.relative_dates import (
    STATED_DAY,
    depends_on_day,
    find_named_days,
)

_UNTIL = (
    r"(?:until|till|til|'til|through|thru|bis(?: zum| zur| einschließlich)?"
    r"|jusqu'(?:à|au|en)(?: la)?|hasta(?: el| la)?)"
)
_END_OF = (
    r"(?:(?:the )?end of(?: the| this)?|ende(?: der| des| dieser| dieses)?|(?:à la |la )?fin"
    r"(?: du| de la| de l'| de)?|(?:el )?(?:fin|final)(?:es)? de(?: la|l| este| esta)?)"
)
_UNTIL_DATE = re.compile(
    rf"\b{_UNTIL} (?:about |around |at least |(?P<next>next |nächsten |kommenden )?|the |le )"
    r"(?:(?P<iso>\d{4}-\d\d-\d\d)"
    rf"|(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.|er)?(?: of| de)? (?P<month>{any_of(MONTHS)})\b"
    rf"|(?P<month2>{any_of(MONTHS)})\b(?: (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:))?"
    rf"|(?P<weekday>{any_of(WEEKDAYS)})\b(?P<week> week\b)?"
    rf"|(?P<feast>{any_of(FEASTS)})\b"
    r"|(?P<day3>\d{1,2})(?:st|nd|rd|th)\b"
    r"|(?P<tomorrow>tomorrow|morgen|demain|mañana)\b"
    rf"|{_END_OF} ?(?:(?P<endmonth>{any_of(MONTHS)})|(?P<span>day|week|month|year|tages|woche"
    r"|monats|jahres|journée|semaine|mois|année|an|día|semana|mes|año))\b"
    r"|(?P<spanned>next week|next month|next year|nächste woche|nächsten monat|semaine prochaine"
    r"|mois prochain|semana que viene|próxima semana|mes que viene|próximo mes)\b)"
    r"(?:,? (?:de |of )?(?P<year>20\d\d))?",
    re.IGNORECASE,
)
_FOR_NEXT = re.compile(
    r"\b(?:(?:for|over|during|in) the (?:next|coming)|(?:für )?die (?:nächsten|kommenden)"
    r"|in den (?:nächsten|kommenden)|(?:pour |pendant )?les (?P<fr>\w+) prochain(?:e)?s"
    r"|(?:durante )?(?:los|las) próxim[oa]s) (?P<count>\d{1,3}|couple of|\w+)?"
    rf" ?(?P<unit>{any_of(UNITS)})\b",
    re.IGNORECASE,
)
_THIS = re.compile(
    r"\b(?:(?P<today>(?:for |just |only )?today|(?:nur )?heute|aujourd'hui|(?:solo )?hoy)"
    r"|(?P<week>(?:for )?this week|diese woche|cette semaine|esta semana)"
    r"|(?P<month>(?:for )?this month|diesen monat|ce mois-ci|este mes))\b",
    re.IGNORECASE,
)
_SPANS = expand_names(
    {
        "day|tages|journée|día": Span.DAY,
        "week|woche|semaine|semana": Span.WEEK,
        "month|monats|mois|mes": Span.MONTH,
        "year|jahres|année|an|año": Span.YEAR,
    }
)
_LASTED = re.compile(
    r"\b(?:was|were|had|lived|worked|stayed|used to|war|waren|hatten?|wohnte|lebte|arbeitete"
    r"|\w+(?:ais|ait|aient)|estuve|estuvo|viví|trabajé|\w{2,}aba|\w{2,}ía)\b[^,;]*$",
    re.IGNORECASE,
)
"""What stands before an end that has been: "I lived in Rome until May"."""
_AGREED = re.compile(
    r"\b(?:decided|agreed|chose|settled|entschieden|beschlossen|décidé|choisi|decid\w+)\b",
    re.IGNORECASE,
)
_NEXT_SPAN = re.compile(r"week|woche|semain|semana", re.IGNORECASE)


_DAYS_AFTER = {MemoryType.EVENT: 30, MemoryType.TODO: 14}
"""The days for which an event is still talked about, and a task may still be done late."""

_UNDATED_TASK = timedelta(days=90)
_WEEK = timedelta(days=7)
_FULL_DATE = re.compile(r"\d{4}-\d\d-\d\d|\b(?:19|20)\d\d\b")


def type_by_day(text: str, now: datetime, type: MemoryType) -> MemoryType:
    """Return an event for a fact of one certain day, and a fact for an event that stands.

    What comes again stands, and what holds from a day on.
    """
    read = hide_beginnings(text)
    if type is MemoryType.EVENT and (is_recurring(text) or read != text):
        return type if depends_on_day(read) else MemoryType.FACT
    if type is MemoryType.FACT and depends_on_day(read):
        named = find_named_days(read, now.astimezone(UTC).date())
        is_planned = named is not None and named.last - named.first <= _WEEK
        return MemoryType.EVENT if is_planned else type
    return type


def find_expiry(text: str, now: datetime, type: MemoryType) -> datetime | None:
    """Return the moment after the last day on which a statement is worth knowing, if it has an end.

    "This week" and "today" end a rule. Tasks end some time after they are due, and events some time
    after they have taken place; what has happened already is never over.
    """
    today = now.astimezone(UTC).date()
    if today.year > LAST_YEAR:
        return None
    last = _find_until(hide_weekday_ranges(text), today) or _find_ahead(text, today)
    if last is None and type in RULE_TYPES and not _is_done(text):
        last = _find_current(text, today)
    if last is None and type in _DAYS_AFTER:
        last = _find_planned(text, today, type)
    if last is None or last < today or last.year > LAST_YEAR:
        return None
    return datetime.combine(last + timedelta(days=1), time(), UTC)


def state_day(text: str, now: datetime, type: MemoryType) -> str:
    """Return a task, an event or a past decision with the one day that it names without a year."""
    today = now.astimezone(UTC).date()
    is_on_a_day = type in _DAYS_AFTER or (type is MemoryType.DECISION and tells_past(text))
    if not is_on_a_day or _FULL_DATE.search(text) or not depends_on_day(text):
        return text
    named = _planned_days(text, today)
    if named is None or not named.is_one_day or (type not in _DAYS_AFTER and named.last > today):
        return text
    return f"{text} ({named.last.isoformat()})"


def remove_stated_day(text: str) -> str:
    """Return a statement without the day that `state_day` gave it."""
    return STATED_DAY.sub("", text)


def _is_done(text: str) -> bool:
    """Whether a text tells what was done, and not what was agreed on: "we adopted a cat"."""
    return tells_past(text) and not _AGREED.search(text)


def _find_planned(text: str, today: date, type: MemoryType) -> date | None:
    named = _planned_days(text, today)
    has_been = named is not None and named.first <= today and tells_past(text)
    if type is MemoryType.EVENT and has_been:
        return None
    if named is not None and named.last >= today:
        return named.last + timedelta(days=_DAYS_AFTER[type])
    return today + _UNDATED_TASK if type is MemoryType.TODO else None


def _planned_days(text: str, today: date) -> NamedDays | None:
    """The days that a text names; a weekday is the coming one unless it tells of the past."""
    named = find_named_days(text, today)
    if named is None or named.last - named.first != _WEEK:
        return named
    return NamedDays(named.last, named.last)


def _find_until(text: str, today: date) -> date | None:
    found = _UNTIL_DATE.search(text)
    if found is None or _LASTED.search(text, 0, found.start()):
        return None
    part = found.groupdict()
    if part["iso"]:
        return parse_iso_day(part["iso"])
    if month := part["month"] or part["month2"] or part["endmonth"]:
        return month_day(
            today, MONTHS[month.lower()] + 1, part["day"] or part["day2"], part["year"]
        )
    if part["weekday"]:
        weekday = WEEKDAYS[part["weekday"].lower()]
        day = next_weekday(today, weekday, in_next_week=bool(part["next"]))
        return day + _WEEK if part["week"] else day
    if part["feast"]:
        return next_feast(today, part["feast"])
    if part["day3"]:
        return next_day_of_month(today, int(part["day3"]))
    if part["tomorrow"]:
        return today + timedelta(days=1)
    return _end_of_span(today, part["span"], part["spanned"])


def _find_ahead(text: str, today: date) -> date | None:
    found = _FOR_NEXT.search(text)
    if found is None:
        return None
    count = (found["fr"] or found["count"] or "1").lower()
    number = int(count) if count.isdigit() else NUMBERS.get(count, 0)
    days = number * UNITS[found["unit"].lower()]
    return today + timedelta(days=days) if 0 < days < 4000 else None


def _find_current(text: str, today: date) -> date | None:
    found = _THIS.search(text)
    if found is None:
        return None
    if found["today"]:
        return today
    return last_day(today, Span.WEEK if found["week"] else Span.MONTH)


def _end_of_span(today: date, span: str | None, spanned: str | None) -> date:
    if span:
        return last_day(today, _SPANS[span.lower()])
    if spanned and _NEXT_SPAN.search(spanned):
        return last_day(shift(today, Span.WEEK, 1), Span.WEEK)
    next_one = Span.YEAR if spanned and "year" in spanned.lower() else Span.MONTH
    return last_day(shift(today, next_one, 1), next_one)
