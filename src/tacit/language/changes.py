"""Whether a text tells that something has changed ("from now on"), or asks how it was before."""

import re

_LONGEST = 1_000
"""So much of a text is looked through."""

_MONTHS = {
    "english": r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)\w*",
    "german": r"(?:jan|feb|märz|april|mai|juni|juli|aug|sept|okt|nov|dez)\w*",
}
_DAYS = {
    "english": r"(?:mon|tue|wed|thu|fri|sat|sun)\w*",
    "german": r"(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch",
}

_ENGLISH = (
    r"now|nowadays|these days|actually|after all|turns out|instead|since|new|no longer|any ?more",
    rf"from (?:now|then|next|this|{_DAYS['english']}|{_MONTHS['english']})",
    r"switch\w*|moved?|moving|changed?|swapped|dropped|ditched|quit|left|sold|stopped|gone|retired",
    r"goes (?:to|up|down)|back to|off now|is out|renamed|replaced|cancel\w*|postponed|pushed",
    r"brought forward",
)
_GERMAN = (
    r"jetzt|nun|inzwischen|mittlerweile|seit|doch|wieder|raus|neue[rnsm]?|statt(?:dessen)?",
    rf"ab (?:jetzt|sofort|heute|morgen|nächste\w*|{_DAYS['german']}|{_MONTHS['german']})",
    r"nicht mehr|kein\w* \w+ mehr|umgezogen|gewechselt|verkauft|verschoben|verlegt|umgestellt",
    r"aufgehört|gekündigt|abgeschafft|geändert",
)
_FRENCH = (
    r"maintenant|désormais|dorénavant|finalement|depuis|dès|à partir|à la place|plus de",
    r"ne \w+ plus|n'\w+ plus|nouve(?:au|l|lle|aux|lles)|déménag\w+|vendu\w*|chang\w+|arrêt\w+",
    r"repris\w*|partie?s?|remplac\w+|report\w+|décal\w+|avanc\w+|on passe",
    r"pass(?:e|é|ons|ent|er) (?:de|à|au|du|sur)",
)
_SPANISH = (
    r"ahora|ya no|desde|a partir|en vez|al final|sino|nuev[oa]s?|mudad?\w*|mudamos|mudé|vendí",
    r"vendimos|vendido|cambi\w+|dej[eéóa]\w*|pasa(?:n|mos)? (?:a|al|de)|pasé|quitado|quitamos",
    r"retrasa\w+|adelant\w+",
)
_TOLD = re.compile(
    rf"(?<!\w)(?:{'|'.join((*_ENGLISH, *_GERMAN, *_FRENCH, *_SPANISH))})(?!\w)", re.IGNORECASE
)


def tells_change(text: str) -> bool:
    """Whether a text has words that tell of a change, in English, German, French or Spanish."""
    return _TOLD.search(text[:_LONGEST].replace("’", "'")) is not None


_BEFORE = re.compile(
    r"(?<!\w)(?:(?<!is )(?<!are )(?<!was )(?<!were )(?<!be )used to|previous(?:ly)?|former(?:ly)?"
    r"|originally|in the past|back then|früher|damals|zuvor|ursprünglich"
    r"|auparavant|autrefois|à l'origine|à l'époque"
    r"|anterior(?:mente)?|originalmente|al principio|en el pasado|solía\w*"
    r"|(?:before|avant|antes)(?= ?(?:[.,;!?]|$)))(?!\w)",
    re.IGNORECASE,
)


def asks_about_past(text: str) -> bool:
    """Whether a message is about how something was before, in the same languages."""
    return _BEFORE.search(text[:_LONGEST].replace("’", "'")) is not None
