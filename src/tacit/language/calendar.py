"""Names of months, weekdays, numbers and units of time, and the days they stand for."""

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import TypeVar

Value = TypeVar("Value")

LAST_YEAR = 9990
"""Dates near the end of the calendar are not computed."""


class Span(StrEnum):
    """A period of the calendar."""

    DAY = "day"
    WEEK = "week"
    WEEKEND = "weekend"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class NamedDays:
    """The first and the last day that a text is about."""

    first: date
    last: date

    @property
    def is_one_day(self) -> bool:
        """Whether one certain day is meant."""
        return self.first == self.last


DayResolver = Callable[[re.Match[str], date], NamedDays | None]
"""Finds the days that a match names, as they were meant on the day they were said."""


def expand_names(groups: Mapping[str, Value]) -> dict[str, Value]:
    """The value of each name, given the values of names that bars separate."""
    return {name: value for names, value in groups.items() for name in names.split("|")}


def _index_names(groups: Sequence[str]) -> dict[str, int]:
    return expand_names({names: place for place, names in enumerate(groups)})


MONTHS = _index_names(
    (
        "january|jan|januar|jänner|janvier|enero|gennaio|janeiro|januari",
        "february|feb|februar|février|fevrier|febrero|febbraio|fevereiro|februari",
        "march|märz|mars|marzo|março|maart",
        "april|apr|avril|abril|aprile",
        "may|mai|mayo|maggio|maio|mei",
        "june|jun|juni|juin|junio|giugno|junho",
        "july|jul|juli|juillet|julio|luglio|julho",
        "august|aug|août|aout|agosto|augustus",
        "september|sept|sep|septembre|septiembre|settembre|setembro",
        "october|oct|oktober|okt|octobre|octubre|ottobre|outubro",
        "november|nov|novembre|noviembre|novembro",
        "december|dec|dezember|dez|décembre|decembre|diciembre|dicembre|dezembro",
    )
)
"""The names of months, from 0."""

WEEKDAYS = _index_names(
    (
        "monday|mon|montag|lundi|lunes|lunedì|lunedi|segunda-feira|maandag",
        "tuesday|tues|tue|dienstag|mardi|martes|martedì|martedi|terça-feira|terça|dinsdag",
        "wednesday|wed|mittwoch|mercredi|miércoles|miercoles|mercoledì|mercoledi|quarta-feira|"
        "woensdag",
        "thursday|thurs|thur|thu|donnerstag|jeudi|jueves|giovedì|giovedi|quinta-feira|donderdag",
        "friday|fri|freitag|vendredi|viernes|venerdì|venerdi|sexta-feira|sexta|vrijdag",
        "saturday|sat|samstag|sonnabend|samedi|sábado|sabado|sabato|zaterdag",
        "sunday|sun|sonntag|dimanche|domingo|domenica|zondag",
    )
)
"""The names of weekdays, from Monday as 0."""

NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "couple of": 2, "a couple of": 2, "few": 3,
    "a few": 3, "ein": 1, "eine": 1, "einem": 1, "einer": 1, "zwei": 2, "drei": 3, "vier": 4,
    "fünf": 5, "sechs": 6, "ein paar": 3, "un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4,
    "cinq": 5, "quelques": 3, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5,
    "unos": 3, "unas": 3, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10, "zwölf": 12,
    "vierzehn": 14, "sept": 7, "huit": 8, "neuf": 9, "dix": 10, "douze": 12, "quinze": 15,
    "seis": 6, "siete": 7,
    "ocho": 8, "nueve": 9, "diez": 10, "quince": 15, "un paio di": 2, "qualche": 3, "due": 2,
    "tre": 3, "quattro": 4, "cinque": 5, "sei": 6, "sette": 7, "otto": 8, "nove": 9, "dieci": 10,
    "dodici": 12, "quindici": 15, "um": 1, "uma": 1, "alguns": 3, "algumas": 3, "dois": 2,
    "duas": 2, "três": 3, "quatro": 4, "sete": 7, "oito": 8, "dez": 10, "doze": 12, "een": 1,
    "één": 1, "een paar": 3, "twee": 2, "drie": 3, "vijf": 5, "zes": 6, "zeven": 7, "negen": 9,
    "tien": 10, "twaalf": 12, "veertien": 14,
}  # fmt: skip

FEASTS: dict[str, int | tuple[int, int]] = expand_names(
    {
        "easter|ostern|pâques|semana santa|pascua|pasqua|páscoa|pasen": 0,
        "pentecost|whitsun|pfingsten|pentecôte|pentecostés|pentecoste|pinksteren": 49,
        "christmas|xmas|weihnachten|noël|navidad|natale|natal|kerst|kerstmis": (12, 25),
        "new year's eve|silvester|nochevieja|san silvestro|oudejaarsavond": (12, 31),
        "new year|new year's|neujahr|nouvel an|año nuevo|capodanno|ano novo|nieuwjaar": (1, 1),
        "ferragosto": (8, 15),
        "sinterklaas": (12, 5),
        "halloween": (10, 31),
    }
)
"""The month and day of feasts, or their distance in days from Easter Sunday."""

UNITS = expand_names(
    {
        "day|days|tag|tage|tagen|jour|jours|día|días|dia|dias|giorno|giorni|dag|dagen": 1,
        "week|weeks|woche|wochen|semaine|semaines|semana|semanas|settimana|settimane|weken": 7,
        "month|months|monat|monate|monaten|mois|mes|meses|mese|mesi|mês|maand|maanden": 30,
        "year|years|jahr|jahre|jahren|an|ans|année|années|año|años|anno|anni|ano|anos": 365,
        "jaar|jaren": 365,
    }
)
"""The days of a unit of time."""


def any_of(names: Iterable[str]) -> str:
    """A pattern for one of several names, the longest first."""
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True))


def parse_iso_day(written: str) -> date | None:
    """Parse a date like 2026-12-31; None if there is no such day."""
    try:
        return date.fromisoformat(written)
    except ValueError:
        return None


def month_day(today: date, month: int, day: str | None, year: str | None) -> date | None:
    """The day of a month, counted from 1, or its last day; without a year, the next one."""
    for chosen in [int(year)] if year else [today.year, today.year + 1]:
        last = monthrange(chosen, month)[1]
        number = int(day) if day else last
        if 1 <= number <= last and (year or date(chosen, month, number) >= today):
            return date(chosen, month, number)
    return None


def next_weekday(today: date, weekday: int, *, in_next_week: bool) -> date:
    """The next such weekday, today included, or that of the next week."""
    ahead = (weekday - today.weekday()) % 7
    if in_next_week and ahead + today.weekday() < 7:
        ahead += 7
    return today + timedelta(days=ahead)


def last_weekday(today: date, weekday: int) -> date:
    """The last such weekday, today included."""
    return today - timedelta(days=(today.weekday() - weekday) % 7)


def last_month_day(today: date, month: int, day: int) -> date | None:
    """The last such day of a month, counted from 1, today included."""
    years = range(today.year, max(today.year - 5, 0), -1)
    days = [date(year, month, day) for year in years if 1 <= day <= monthrange(year, month)[1]]
    return next((each for each in days if each <= today), None)


def last_day_of_month(today: date, day: int) -> date | None:
    """The last day with a number, today included."""
    first = first_day(today, Span.MONTH)
    for months in range(3):
        start = shift(first, Span.MONTH, -months)
        if 1 <= day <= monthrange(start.year, start.month)[1] and start.replace(day=day) <= today:
            return start.replace(day=day)
    return None


def next_day_of_month(today: date, number: int) -> date | None:
    """The next day with a number, today included."""
    for months in range(3):
        year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
        if 1 <= number <= monthrange(year, month + 1)[1]:
            day = date(year, month + 1, number)
            if day >= today:
                return day
    return None


def next_feast(today: date, name: str) -> date:
    """The next day of a feast in `FEASTS`, today included."""
    days = (_feast_day(FEASTS[name.lower()], year) for year in (today.year, today.year + 1))
    return next(day for day in days if day >= today)


def _feast_day(feast: int | tuple[int, int], year: int) -> date:
    if isinstance(feast, tuple):
        return date(year, *feast)
    return _easter(year) + timedelta(days=feast)


def _easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar, by the anonymous algorithm."""
    century, rest = divmod(year, 100)
    moon = (19 * (year % 19) + century - century // 4 - (8 * century + 13) // 25 + 15) % 30
    leap = 2 * (century % 4) + 2 * (rest // 4) - rest % 4
    week = (32 + leap - moon) % 7
    shifted = (year % 19 + 11 * moon + 22 * week) // 451
    month, day = divmod(moon + week - 7 * shifted + 114, 31)
    return date(year, month, day + 1)


def first_day(day: date, span: Span) -> date:
    """The first day of the period that a day is in."""
    match span:
        case Span.DAY:
            return day
        case Span.WEEK:
            return day - timedelta(days=day.weekday())
        case Span.WEEKEND:
            return day - timedelta(days=day.weekday()) + timedelta(days=5)
        case Span.MONTH:
            return day.replace(day=1)
        case Span.QUARTER:
            return date(day.year, day.month - (day.month - 1) % 3, 1)
        case Span.YEAR:
            return date(day.year, 1, 1)


def last_day(day: date, span: Span) -> date:
    """The last day of the period that a day is in."""
    match span:
        case Span.DAY:
            return day
        case Span.WEEK | Span.WEEKEND:
            return day + timedelta(days=6 - day.weekday())
        case Span.MONTH:
            return day.replace(day=monthrange(day.year, day.month)[1])
        case Span.QUARTER:
            return last_day(date(day.year, day.month + (-day.month) % 3, 1), Span.MONTH)
        case Span.YEAR:
            return date(day.year, 12, 31)


def shift(day: date, span: Span, count: int) -> date:
    """A day in the period that comes `count` periods later, or earlier if it is negative."""
    match span:
        case Span.DAY:
            return day + timedelta(days=count)
        case Span.WEEK | Span.WEEKEND:
            return day + timedelta(days=7 * count)
        case Span.MONTH | Span.QUARTER:
            months = count * (3 if span is Span.QUARTER else 1)
            year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
            return date(year, month + 1, 1)
        case Span.YEAR:
            return date(day.year + count, 1, 1)


def day_after(said: date, days: int) -> NamedDays:
    """The day that comes so many days after another, or before it."""
    day = said + timedelta(days=days)
    return NamedDays(day, day)


def to_named(day: date | None) -> NamedDays | None:
    """One day as the days that a text is about."""
    return None if day is None else NamedDays(day, day)
