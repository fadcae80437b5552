"""Find the date until which a statement holds, where it names one."""

import re
from calendar import monthrange
from datetime import UTC, date, datetime, time, timedelta

_MONTHS = (
    "january|jan|januar|janvier|enero",
    "february|feb|februar|février|fevrier|febrero",
    "march|märz|mars|marzo",
    "april|apr|avril|abril",
    "may|mai|mayo",
    "june|jun|juni|juin|junio",
    "july|jul|juli|juillet|julio",
    "august|aug|août|aout|agosto",
    "september|sept|sep|septembre|septiembre",
    "october|oct|oktober|okt|octobre|octubre",
    "november|nov|novembre|noviembre",
    "december|dec|dezember|dez|décembre|decembre|diciembre",
)
_DAYS = (
    "monday|mon|montag|lundi|lunes",
    "tuesday|tues|tue|dienstag|mardi|martes",
    "wednesday|wed|mittwoch|mercredi|miércoles|miercoles",
    "thursday|thurs|thur|thu|donnerstag|jeudi|jueves",
    "friday|fri|freitag|vendredi|viernes",
    "saturday|sat|samstag|samedi|sábado|sabado",
    "sunday|sun|sonntag|dimanche|domingo",
)
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "couple of": 2, "few": 3,
    "ein": 1, "eine": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6,
    "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5,
}  # fmt: skip
_UNITS = {
    "day|days|tag|tage|tagen|jour|jours|día|días|dia|dias": 1,
    "week|weeks|woche|wochen|semaine|semaines|semana|semanas": 7,
    "month|months|monat|monate|monaten|mois|mes|meses": 30,
    "year|years|jahr|jahre|jahren|an|ans|année|années|año|años": 365,
}


def _index_names(names: tuple[str, ...]) -> dict[str, int]:
    return {name: place for place, group in enumerate(names) for name in group.split("|")}


def _any(names: "dict[str, int]") -> str:
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True))


_MONTH = _index_names(_MONTHS)
_DAY = _index_names(_DAYS)
_UNIT = {name: days for names, days in _UNITS.items() for name in names.split("|")}

_LAST_YEAR = 9990
"""Dates near the end of the calendar are not computed."""

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
    rf"|(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.|er)?(?: of| de)? (?P<month>{_any(_MONTH)})\b"
    rf"|(?P<month2>{_any(_MONTH)})\b(?: (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:))?"
    rf"|(?P<weekday>{_any(_DAY)})\b"
    r"|(?P<day3>\d{1,2})(?:st|nd|rd|th)\b"
    r"|(?P<tomorrow>tomorrow|morgen|demain|mañana)\b"
    rf"|{_END_OF} ?(?:(?P<endmonth>{_any(_MONTH)})|(?P<span>day|week|month|year|tages|woche|monats"
    r"|jahres|journée|semaine|mois|année|an|día|semana|mes|año))\b"
    r"|(?P<spanned>next week|next month|next year|nächste woche|nächsten monat|semaine prochaine"
    r"|mois prochain|semana que viene|próxima semana|mes que viene|próximo mes)\b)"
    r"(?:,? (?:de |of )?(?P<year>20\d\d))?",
    re.IGNORECASE,
)
_FOR_NEXT = re.compile(
    r"\b(?:(?:for|over|during|in) the (?:next|coming)|(?:für )?die (?:nächsten|kommenden)"
    r"|in den (?:nächsten|kommenden)|(?:pour |pendant )?les (?P<fr>\w+) prochain(?:e)?s"
    r"|(?:durante )?(?:los|las) próxim[oa]s) (?P<count>\d{1,3}|couple of|\w+)?"
    rf" ?(?P<unit>{_any(_UNIT)})\b",
    re.IGNORECASE,
)
_THIS = re.compile(
    r"\b(?:(?P<today>(?:for |just |only )?today|(?:nur )?heute|aujourd'hui|(?:solo )?hoy)"
    r"|(?P<week>(?:for )?this week|diese woche|cette semaine|esta semana)"
    r"|(?P<month>(?:for )?this month|diesen monat|ce mois-ci|este mes))\b",
    re.IGNORECASE,
)
_SPANS = {
    "day": "day", "tages": "day", "journée": "day", "día": "day",
    "week": "week", "woche": "week", "semaine": "week", "semana": "week",
    "month": "month", "monats": "month", "mois": "month", "mes": "month",
    "year": "year", "jahres": "year", "année": "year", "an": "year", "año": "year",
}  # fmt: skip
_NEXT_SPAN = re.compile(r"week|woche|semain|semana", re.IGNORECASE)


def find_expiry(text: str, now: datetime, *, of_the_moment: bool = False) -> datetime | None:
    """Return the moment after the last day on which a statement holds, if it names an end.

    "This week" and "today" count as an end only with `of_the_moment`.
    """
    today = now.astimezone(UTC).date()
    if today.year > _LAST_YEAR:
        return None
    last = _find_until(text, today) or _find_ahead(text, today)
    if last is None and of_the_moment:
        last = _find_current(text, today)
    if last is None or last < today or last.year > _LAST_YEAR:
        return None
    return datetime.combine(last + timedelta(days=1), time(), UTC)


def _find_until(text: str, today: date) -> date | None:
    found = _UNTIL_DATE.search(text)
    if found is None:
        return None
    part = found.groupdict()
    if part["iso"]:
        return _parse_iso(part["iso"])
    if month := part["month"] or part["month2"] or part["endmonth"]:
        return _month_day(
            today, _MONTH[month.lower()] + 1, part["day"] or part["day2"], part["year"]
        )
    if part["weekday"]:
        return _next_weekday(today, _DAY[part["weekday"].lower()], bool(part["next"]))
    if part["day3"]:
        return _day_of_month(today, int(part["day3"]))
    if part["tomorrow"]:
        return today + timedelta(days=1)
    return _end_of_span(today, part["span"], part["spanned"])


def _find_ahead(text: str, today: date) -> date | None:
    found = _FOR_NEXT.search(text)
    if found is None:
        return None
    count = (found["fr"] or found["count"] or "1").lower()
    number = int(count) if count.isdigit() else _NUMBERS.get(count, 0)
    days = number * _UNIT[found["unit"].lower()]
    return today + timedelta(days=days) if 0 < days < 4000 else None


def _find_current(text: str, today: date) -> date | None:
    found = _THIS.search(text)
    if found is None:
        return None
    if found["today"]:
        return today
    return _last_day(today, "week" if found["week"] else "month")


def _parse_iso(written: str) -> date | None:
    try:
        return date.fromisoformat(written)
    except ValueError:
        return None


def _month_day(today: date, month: int, day: str | None, year: str | None) -> date | None:
    """Return the day of a month, or its last day; without a year, the next one."""
    for chosen in [int(year)] if year else [today.year, today.year + 1]:
        last = monthrange(chosen, month)[1]
        number = int(day) if day else last
        if 1 <= number <= last and (year or date(chosen, month, number) >= today):
            return date(chosen, month, number)
    return None


def _next_weekday(today: date, weekday: int, is_next: bool) -> date:
    ahead = (weekday - today.weekday()) % 7
    if is_next and ahead + today.weekday() < 7:
        ahead += 7
    return today + timedelta(days=ahead)


def _day_of_month(today: date, number: int) -> date | None:
    for months in range(3):
        year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
        if 1 <= number <= monthrange(year, month + 1)[1]:
            day = date(year, month + 1, number)
            if day >= today:
                return day
    return None


def _end_of_span(today: date, span: str | None, spanned: str | None) -> date:
    if span:
        return _last_day(today, _SPANS[span.lower()])
    if spanned and _NEXT_SPAN.search(spanned):
        return _last_day(today + timedelta(days=7), "week")
    if spanned and "year" in spanned.lower():
        return date(today.year + 1, 12, 31)
    return _last_day(_last_day(today, "month") + timedelta(days=1), "month")


def _last_day(day: date, span: str) -> date:
    """Return the last day of the week, month or year of a day."""
    if span == "day":
        return day
    if span == "week":
        return day + timedelta(days=6 - day.weekday())
    if span == "month":
        return date(day.year, day.month, monthrange(day.year, day.month)[1])
    return date(day.year, 12, 31)
