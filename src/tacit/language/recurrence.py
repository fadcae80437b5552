"""What comes again or stands, although it names a day: "every Thursday", "from Monday on".

"Physio is Thursday now" and "open from Tuesday to Sunday" say on which weekdays something is. A day
after "from" or "since" is the beginning of what holds from then on.
"""

import re

from tacit.language.calendar import MONTHS, WEEKDAYS, any_of

_WEEKDAY = any_of(name for name in WEEKDAYS if len(name) > 4)
_RECURRING = re.compile(
    r"\b(?:every|each|(?:once|twice|times) an? (?:day|week|month|year)|always|never|usually|"
    r"normally|weekly|daily|monthly|yearly|annual(?:ly)?|"
    r"birthday|bday|born|anniversary|(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:s| mornings|"
    r" afternoons| evenings| nights)|jede[mnrs]?|"
    r"immer|am liebsten|nie(?:mals)?|wöchentlich|täglich|monatlich|jährlich|geburtstag|geboren|"
    r"jahrestag|hochzeitstag|(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs|chaque|tous les|"
    r"toutes les|toujours|jamais|anniversaire|née?|hebdomadaire|cada|todos los|todas las|siempre|"
    r"nunca|jamás|cumpleaños|nac[ií]|semanal(?:mente)?|ogni|tutti i|tutte le|sempre|di solito|"
    r"(?:settiman|mensil|annu)al(?:e|mente)|compleanno|(?:è|sono|sei) nat[oaie]|anniversario|"
    r"tod[ao]s [ao]s|toda (?:\w+-feira|terça|sexta|semana)|aniversário|nasci|nasceu|"
    r"(?:às|nas) (?:segunda|terça|quarta|quinta|sexta)s|elke|iedere|altijd|"
    r"nooit|meestal|wekelijks|dagelijks|maandelijks|jaarlijks|verjaardag|geboren|trouwdag|"
    r"(?:maan|dins|donder|vrij|zater|zon)dag(?:s|en)|'s woensdags|woensdagen)\b"
    rf"|\b(?:le|au|los|il|la|di|aos) (?:{any_of(WEEKDAYS)})s?\b"
    r"(?! \d| prochain| dernier| suivant| prossim| scors| passat| che viene| della)",
    re.IGNORECASE,
)
_WEEKDAY_RANGE = re.compile(
    rf"\b(?:(?:from|von|vom|du|de|del|da|dal|van) )?(?:{_WEEKDAY})"
    r" ?(?:to|through|thru|till|until|-|–|bis|au|à|a|al|alla|hasta|até|tot(?: en met)?)(?: el)? ?"
    rf"(?:{_WEEKDAY})\b",
    re.IGNORECASE,
)
_WEEKDAY_NOW = re.compile(
    rf"(?:'s|\b(?:is|are))(?: on)? (?:{_WEEKDAY})s? now\b|\bnow (?:is )?(?:on )?(?:{_WEEKDAY})s?\b"
    rf"|\b(?:ist|sind|findet) (?:jetzt|nun) (?:am )?(?:{_WEEKDAY})\b"
    rf"|\b(?:est|c'est) (?:maintenant |désormais )(?:le )?(?:{_WEEKDAY})\b"
    rf"|\b(?:est|c'est) (?:le )?(?:{_WEEKDAY}) (?:maintenant|désormais)\b"
    rf"|\bahora (?:es|son|toca) (?:el |los )?(?:{_WEEKDAY})\b"
    rf"|\b(?:es|son) (?:el |los )?(?:{_WEEKDAY}) ahora\b",
    re.IGNORECASE,
)
_ONCE = re.compile(
    r"\b(?:appointment|interview|exam|test|flight|party|wedding|dinner|deadline|launch|release|demo"
    r"|delivery|viewing|surgery|operation|funeral|concert|match|termin|prüfung|klausur|flug|feier"
    r"|hochzeit|abgabe|lieferung|rendez-vous|rdv|examen|entretien|vol|mariage|livraison|cita"
    r"|entrevista|vuelo|boda|fiesta|entrega)\b",
    re.IGNORECASE,
)
"""What takes place once, so that its weekday is that of one day."""

_ABSENCE = re.compile(
    r"\b(?:away|off|out|visiting|staying|travel\w*|trip|holidays?|vacation|(?:on|sick) leave"
    r"|conference|camp|festival|(?<!from )(?:this|next) week|in (?-i:[A-ZÀ-Þ])\w+|unterwegs|weg"
    r"|urlaub|verreist|messe|krankgeschrieben|en (?-i:[A-ZÀ-Þ])\w+|à (?-i:[A-ZÀ-Þ])\w+|vacances"
    r"|voyage|congés?|absente?|de viaje|fuera|vacaciones|de baja|feria|fuori|vacanza|ferie|férias"
    r"|viagem|vakantie|op reis)\b",
    re.IGNORECASE,
)
"""Who is away is back some day, so that neither days nor beginnings stand."""

_MONTH = any_of(MONTHS)
_START = (
    r"from|since|starting(?: from| on)?|beginning(?: on)?|as (?:of|from)|effective(?: from)?"
    r"|ab(?: dem)?|seit(?: dem)?|à (?:partir|compter) d(?:e|u)|dès(?: le)?|depuis(?: le)?"
    r"|a partir del?|desde(?: el)?"
)
_NEXT = r"(?:the |next |nächste[mnr]? |kommende[mnr]? |próximo |este )?"
_BEGINNING = re.compile(
    rf"\b(?:{_START}) {_NEXT}(?:"
    rf"\d{{1,2}}(?:st|nd|rd|th|\.|er)?(?: of| de)? (?:{_MONTH})"
    rf"|(?:{_MONTH})(?: \d{{1,2}}(?:st|nd|rd|th)?\b)?|\d{{1,2}}(?:st|nd|rd|th|\.)|{_WEEKDAY}"
    r"|today|tomorrow|heute|morgen|aujourd'hui|demain|hoy|mañana|week|month|woche|monat)"
    r"\b(?: prochain| que viene)?"
    r"(?! ?(?:[-–]|(?:to|until|till|through|thru|bis|au|à|jusqu|al?|hasta)\b))",
    re.IGNORECASE,
)


def is_recurring(text: str) -> bool:
    """Whether a text speaks of what comes again: "every Thursday", "montags", a birthday."""
    if _RECURRING.search(text):
        return True
    if _WEEKDAY_RANGE.search(text):
        return not _ABSENCE.search(text)
    return bool(_WEEKDAY_NOW.search(text)) and not _ONCE.search(text) and not _ABSENCE.search(text)


def hide_beginnings(text: str) -> str:
    """Return a text without the days from which on something holds, unless it is an absence."""
    return text if _ABSENCE.search(text) else _BEGINNING.sub(" ", text)


def hide_weekday_ranges(text: str) -> str:
    """Return a text without the ranges of weekdays on which something is again and again."""
    return text if _ABSENCE.search(text) else _WEEKDAY_RANGE.sub(" ", text)
