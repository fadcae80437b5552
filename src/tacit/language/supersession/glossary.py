"""Phrases that count as one word, and German, French and Spanish words in English."""

from collections.abc import Mapping, Sequence

from tacit.language.statements.vocabulary import COMMON_WORDS
from tacit.language.statements.words import Word
from tacit.language.supersession.lexicon import EVENT_VERBS, FUNCTION_WORDS, LEMMAS, PERIODS
from tacit.language.terms import guess_language

# Phrases that stand for one word, for two, or for none.


_PHRASE_TABLE = {
    "nolonger": "no longer; not any longer",
    "nomore": "no more",
    "max": "no more than; at most; up to",
    "anymore": "any more; any longer",
    "now": """
        these days; at the moment; for now; right now; by now; from now on; going forward;
        as of now; after all; at last; from here on; until further notice
    """,
    "also": "as well; in addition; on top",
    "insteadof": "instead of; rather than; in place of",
    "infavourof": "in favour of; in favor of",
    "usedto": "used to",
    "did": "had to",
    "must": """
        have to; has to; need to; needs to; ought to; supposed to; required to; got
        to
    """,
    "may": "allowed to; permitted to; free to; fine to; ok to; okay to; feel free to",
    "prefer": "would rather; would prefer; would like",
    "maybe": """
        going to; about to; plan to; plans to; planning to; thinking of; thinking about;
        looking to; applied for; looking for; looking at
    """,
    "pr": "pull request; pull requests; merge request; merge requests",
    "min": "at least",
    "paused": "on hold; on ice",
    "active": "in progress; under way; up and running",
    "together": "in a relationship; seeing someone; a couple; got together with",
    "drop": """
        get rid of; got rid of; gotten rid of; let go of; pulled out; kicked out; threw out;
        thrown out; phased out; moved off; migrated off; migrated away from; moved on from;
        switched away from; walked away from; said goodbye to; done with; through with;
        finished with; cut out; cutting out
    """,
    "stop": """
        gave up on; given up on; gave up; given up; give up; swore off; sworn off; weaned
        myself off
    """,
    "quit": """
        gave notice at; notice at; notice with; got fired from; was fired from; parted ways
        with; last day at; handed in my notice at; handed in his notice at; handed in her
        notice at; put in my notice at; resigned from; stepped down as; stepped down from;
        stepped away from; stepped back from; graduated from; dropped out of; pulled out of;
        laid off from; let go from
    """,
    "handle": "looks after; look after; takes care of; take care of",
    "handled": "looked after; taken care of",
    "not must": "no need to",
    "not need": "no need for",
    "beta": "in beta",
    "alpha": "in alpha",
    "indevelopment": "in development",
    "reviewing": "in review",
    "draft": "in draft",
    "planned": "in planning",
    "testing": "in testing",
    "live": "in production",
    "maintenance": "in maintenance mode",
    "be live": "went live; gone live",
    "retire": "laid off; lost my job; lost his job; lost her job; made redundant",
    "unemployed": "out of work; between jobs",
    "is called": "goes by; changed its name to; changed her name to; changed his name to",
    "am called": "go by",
    "handover to": "hand over to; passed on to; passed to",
    "moved to": "moved back to; moved in to",
    "moved": "moved in",
    "full": "at capacity",
    "unavailable": "out of stock; sold out",
    "available": "in stock",
    "outdated": "out of date",
    "current": "up to date",
    "dismiss": "let me go; fired me; laid me off",
    "sell": "parted with; gave away; wrote off",
    "join": """
        accepted an offer from; signed with; new gig at; started a job at; found a job at;
        got a job at; took a job at; landed a job at; new job at; hired by; taken on by
    """,
    "cancel": "shut down; closed down; called off",
    "is gone": "had to go",
    "": """
        i think; i guess; i believe; in its place; a lot of; lots of; kind of; sort of;
        decided to; agreed to; opted to; for good; once and for all; as far as possible; of
        all time
    """,
    "broken": "out of service; out of order; not working",
    "fixed now": "working again",
    "is fixed now": "works again",
    "monthsold": "months old; month old",
    "weeksold": "weeks old; week old",
    "separate": """
        broke off the engagement; broke up with; broke up; broken up; split up; split from
    """,
    "replace": "took the place of; takes the place of; taken the place of",
    "trade": "traded in",
    "takeover": "inherited; take over; took over; taken over; takes over; taking over",
    "is together": "has a girlfriend; has a boyfriend; has a partner",
    "am together": "have a girlfriend; have a boyfriend; have a partner",
    "not": "do not bother",
    "visited": "stopped by",
    "visit": "stop by",
    "is": """
        was quoted at; is quoted at; was estimated at; is estimated at; is valued at; is priced at
    """,
    "postpone": "put off",
    "optional": "no longer necessary; no longer needed; not needed; not necessary; not required",
    "die": "passed away",
    "packagemanager": "package manager",
    "passwordmanager": "password manager",
    "windowmanager": "window manager",
    "is omnivore": "eats meat; eat meat; eating meat",
    "is pescatarian": "eats fish; eating fish",
    "incharge": "in charge of; responsible for; accountable for",
    "handover": "hand over; handed over",
    "standup": "stand up",
    "endtoend": "end to end",
    "everyother": "every other",
    "2": "a couple of",
    "marry": "got married; get married; tied the knot; got hitched",
    "engage": "got engaged",
    "divorce": "got divorced; filed for divorce",
    "dislike": """
        can not stand; went off; gone off; fed up with; sick of; tired of; not fond of; lost
        interest in
    """,
    "cannot": "can not",
    "like": "fan of; fond of; keen on",
    "because": "so that; due to; on account of",
    "phone": "phone number; mobile number; cell number; telephone number",
    "yearsold": "years old; year old; years of age",
    "leave": "moved out of; moved away from",
    "wake": "get up; gets up; wake up; wakes up",
    "use": "went with; gone with; going with; settled on; standardised on; standardized on",
    "reportto": "reports to; report to; reporting to",
    "daily": "every day; once a day",
    "weekly": "every week; once a week; each week",
    "monthly": "every month; once a month; each month",
    "yearly": "every year; once a year",
    "hourly": "every hour",
    "workremotely": "works from home; work from home; working from home",
    "set to": "set at; capped at",
    "byhand": "by hand",
    "forbidden": "off limits; ruled out",
    "inoffice": "in the office; from the office",
}

PHRASES = {
    tuple(phrase.split()): meaning.split()
    for meaning, listed in _PHRASE_TABLE.items()
    for phrase in listed.split(";")
}
"""What each phrase means, as words."""

PARTICLE_VERBS = {
    ("give", "away"): "sell", ("give", "up"): "stop", ("put", "off"): "postpone",
    ("throw", "away"): "throw", ("throw", "out"): "drop",
    ("write", "off"): "sell", ("call", "off"): "cancel", ("trade", "in"): "trade",
    ("hand", "over"): "handover", ("kick", "out"): "drop", ("pull", "out"): "drop",
    ("shut", "down"): "cancel", ("phase", "out"): "drop", ("pass", "on"): "handover",
}  # fmt: skip
"""Verbs with another meaning if a particle follows later."""


# Words and common verbs of German, French and Spanish, in English.


_GERMAN = """
    rauchen=smoking rauche=smoke eingestellt=hired entlassen=fired befördert=promoted kaufe=buy
    mache=do macht=does ich=i wir=we du=you mein=my meine=my meinen=my meinem=my meiner=my
    meines=my unser=our unsere=our unseren=our unserem=our unserer=our der=the die=the das=the
    den=the dem=the des=the ein=a eine=a einen=a einem=a einer=a ist=is sind=are bin=am war=was
    waren=were wurde=was wurden=were wird=is werden=are hat=has habe=have haben=have hatte=had
    wohne=live wohnt=lives wohnen=live lebe=live lebt=lives leben=live arbeite=work arbeitet=works
    arbeiten=work nutze=use nutzt=uses nutzen=use benutze=use benutzt=uses benutzen=use
    verwende=use verwendet=uses verwenden=use heißt=is_called heiße=am_called kostet=costs
    kosten=cost läuft=runs laufen=run um=at im=in in=in nach=to von=from vom=from zu=to zum=to
    zur=to bei=at beim=at für=for mit=with durch=by seit=since pro=per jeden=every jede=every
    jedes=every jetzt=now nun=now inzwischen=now mittlerweile=now derzeit=now aktuell=now
    neuerdings=now künftig=now wieder=again nicht=not kein=no keine=no keinen=no keinem=no
    keiner=no nie=never niemals=never immer=always auch=also noch=still zusätzlich=also
    außerdem=also statt=instead_of anstatt=instead_of anstelle=instead_of gezogen=moved
    umgezogen=moved verschoben=moved verlegt=moved geändert=changed gewechselt=switched
    umgestiegen=switched umgestellt=switched migriert=migrated ersetzt=replaced erhöht=raised
    gesenkt=lowered umbenannt=renamed gekündigt=quit aufgehört=stopped verkauft=sold
    verlassen=left verheiratet=married ledig=single verlobt=engaged geschieden=divorced
    getrennt=separated mag=like mögen=like liebe=love trinke=drink trinkt=drinks trinken=drink
    esse=eat isst=eats essen=eat raucht=smokes bevorzuge=prefer bevorzugt=prefers
    bevorzugen=prefer letzten=last letzte=last letzter=last letztes=last monat=month woche=week
    jahr=year stunden=hours stunde=hour minuten=minutes sekunden=seconds tage=days tagen=days
    wochen=weeks monate=months monaten=months jahre=years jahren=years muss=must müssen=must
    soll=should sollen=should darf=may dürfen=may alle=all alles=everything früher=formerly
    will=wants wollen=want möchte=want vielleicht=maybe und=and oder=or aber=but weil=because
    denn=because uns=us hier=here es=it er=he sie=she gehört=belongs leitet=leads geleitet=led
    ab=as_of bitte=please wenn=if bis=until sondern=but_rather dort=there euro=euros gehe=go
    geht=goes chefin=boss chef=boss beträgt=is betragen=are liegt=is dauert=takes steht=is
    verschickt=sends zwei=2 drei=3 vier=4 fünf=5 sechs=6 sieben=7 acht=8 neun=9 zehn=10 elf=11
    zwölf=12 leute=people personen=people endet=ends beginnt=starts startet=starts öffnet=opens
    schließt=closes antworte=answer antwortet=answer fährt=drives fahre=drive umgebaut=changed
    aufgegeben=stopped lieber=prefer
"""
_FRENCH = """
    fumer=smoking boire=drinking manger=eating courir=running utiliser=using travailler=working
    licencié=dismissed licenciée=dismissed embauché=hired embauchée=hired fais=do fait=does je=i
    j=i nous=we on=we tu=you mon=my ma=my mes=my notre=our nos=our le=the la=the les=the l=the
    un=a une=a du=of des=of est=is été=been sont=are suis=am sommes=are était=was a=has ai=have
    avons=have ont=have habite=live habitons=live habitent=live vis=live vit=lives vivons=live
    travaille=work travaillons=work travaillent=work utilise=use utilisons=use utilisent=use
    utilisez=use appelle=is_called coûte=costs coûtent=cost en=in chez=at sur=on sous=under
    dans=in pour=for avec=with depuis=since maintenant=now désormais=now actuellement=now
    dorénavant=now ne= n= pas=not jamais=never toujours=always aussi=also également=also
    encore=still déménagé=moved emménagé=moved passé=changed passée=changed passés=changed
    passées=changed changé=changed remplacé=replaced remplacée=replaced migré=migrated quitté=left
    arrêté=stopped vendu=sold fini=no_more terminé=no_more abandonné=dropped renommé=renamed
    rebaptisé=renamed repoussé=moved repoussée=moved reporté=moved reportée=moved décalé=moved
    décalée=moved avancé=moved déplacé=moved déplacée=moved augmenté=raised baissé=lowered
    marié=married mariée=married célibataire=single divorcé=divorced divorcée=divorced aime=like
    aimons=like aiment=like adore=love bois=drink boit=drinks mange=eat mangeons=eat
    préfère=prefer préférons=prefer fume=smoke dois=must doit=must doivent=must faut=must
    mois=month semaine=week an=year ans=years année=year jour=day jours=days heure=hour
    heures=hours minute=minute minutes=minutes seconde=second secondes=seconds dernier=last
    dernière=last et=and ou=or mais=but car=because parce=because il=it elle=it ils=they
    tout=everything tous=all toutes=all peut=may jusque=until avant=before peut-être=maybe
    veux=want veut=wants voudrais=want appartient=belongs dirige=leads dirigé=led dirigée=led
    nouveau=new nouvelle=new quand=when termine=ends finit=ends commence=starts ouvre=opens
    ferme=closes réponds=answer répondre=answer réponse=answer conduis=drive promu=promoted
    promue=promoted deux=2 trois=3 quatre=4 cinq=5 sept=7 huit=8 neuf=9 dix=10 douze=12
    personnes=people hébergé=hosted hébergée=hosted écrit=written
"""
_SPANISH = """
    vendido=sold fumar=smoking beber=drinking correr=running comer=eating usar=using
    trabajar=working contratado=hired despedido=dismissed hago=do hace=does yo=i nosotros=we
    tú=you mi=my mis=my nuestro=our nuestra=our nuestros=our nuestras=our el=the la=the los=the
    las=the un=a una=a es=is está=is son=are están=are soy=am estoy=am somos=are estamos=are
    era=was fue=was ha=has he=have hemos=have han=have vivo=live vive=lives vivimos=live
    trabajo=work trabaja=works trabajamos=work uso=use usa=uses usamos=use usan=use utilizo=use
    utiliza=uses utilizamos=use llama=is_called llamo=am_called cuesta=costs cuestan=cost en=in
    desde=since para=for con=with ahora=now actualmente=now hoy=now sí= no=not nunca=never
    jamás=never siempre=always también=also además=also todavía=still mudé=moved mudamos=moved
    mudado=moved mudó=moved trasladado=moved trasladamos=moved cambié=switched cambiamos=switched
    cambió=changed cambiado=changed pasamos=switched pasado=changed pasó=changed pasa=changed
    migramos=migrated migrado=migrated reemplazamos=replaced sustituimos=replaced
    reemplazado=replaced sustituido=replaced dejé=quit dejamos=quit dejó=quit dejado=quit
    vendí=sold vendimos=sold subió=raised subido=raised aumentó=raised aumentado=raised
    bajó=lowered bajado=lowered aplazado=moved aplazó=moved retrasado=moved movido=moved
    renombrado=renamed casado=married casada=married soltero=single soltera=single
    divorciado=divorced divorciada=divorced gusta=like gustan=like encanta=love bebo=drink
    bebe=drinks prefiero=prefer prefiere=prefers preferimos=prefer fumo=smoke fuma=smokes
    debe=must deben=must debemos=must mes=month semana=week año=year años=years día=day días=days
    hora=hour horas=hours minuto=minute minutos=minutes segundo=second segundos=seconds
    último=last última=last y=and e=and o=or pero=but porque=because todo=everything todos=all
    todas=all puede=may pueden=may hasta=until quizás=maybe quiero=want quiere=wants queremos=want
    nos=us me=me se=itself al=to del=of pertenece=belongs dirige=leads nuevo=new nueva=new si=if
    cuando=when tengo=have tiene=has tenemos=have a=to desplazado=moved pospuesto=moved
    termina=ends acaba=ends empieza=starts comienza=starts abre=opens cierra=closes
    responde=answer respondes=answer responder=answer ascendido=promoted dos=2 tres=3 cuatro=4
    cinco=5 seis=6 siete=7 ocho=8 nueve=9 diez=10 doce=12 personas=people alojado=hosted
    escrito=written conduzco=drive mudarse=moved
"""


def _parse_glossary(text: str) -> Mapping[str, str]:
    pairs = (entry.partition("=") for entry in text.split())
    return {word.casefold(): english.replace("_", " ") for word, _, english in pairs}


GLOSSARIES = {
    "german": _parse_glossary(_GERMAN),
    "french": _parse_glossary(_FRENCH),
    "spanish": _parse_glossary(_SPANISH),
}

_FOREIGN_PHRASES = {
    "german": {("nicht", "mehr"): "nolonger", ("auch", "noch"): "also", ("nach", "wie", "vor"): ""},
    "french": {
        ("au", "lieu", "de"): "insteadof",
        ("plutôt", "que"): "insteadof",
        ("peut", "être"): "maybe",
        ("s", "appelle"): "is called",
        ("à", "partir", "de"): "now",
        ("à", "la", "place", "de"): "insteadof",
    },
    "spanish": {
        ("ya", "no"): "nolonger",
        ("en", "lugar", "de"): "insteadof",
        ("en", "vez", "de"): "insteadof",
        ("trabajo", "en"): "work at",
        ("trabaja", "en"): "works at",
        ("trabajamos", "en"): "work at",
        ("a", "las"): "at",
        ("a", "la"): "at",
        ("a", "partir", "de"): "now",
        ("se", "llama"): "is called",
        ("me", "llamo"): "am called",
        ("me", "gusta"): "like",
        ("nos", "mudamos"): "moved",
        ("me", "mudé"): "moved",
        ("dejé", "de"): "stop",
        ("dejamos", "de"): "stop",
        ("hemos", "dejado", "de"): "stop",
        ("he", "dejado", "de"): "stop",
    },
}

_MIN_FOREIGN_WORDS = 2
"""How many words of another language a text must have to count as that language."""

_TOWARDS = {"auf": "on", "à": "in", "a": "to", "au": "in"}
_FROM = frozenset(("de", "d", "del"))
_BY = frozenset(("par", "por"))


def translate_words(words: Sequence[Word]) -> list[Word]:
    """Translate the known words of another language to English."""
    folded = [word.folded for word in words]
    language = _detect_language(folded)
    if language not in GLOSSARIES:
        return list(words)
    gloss = _SentenceGloss(language, folded)
    listed: list[Word] = []
    place = 0
    while place < len(words):
        size, english = gloss.at(place, words[place])
        if english is None:
            listed.append(words[place])
        else:
            pauses = words[place + size - 1].has_pause
            parts = english.split()
            listed += [
                Word(part, part, False, pauses and number == len(parts), False)
                for number, part in enumerate(parts, 1)
            ]
        place += size
    return listed


def _detect_language(folded: Sequence[str]) -> str:
    votes = {name: sum(word in table for word in folded) for name, table in GLOSSARIES.items()}
    best = max(votes, key=lambda name: votes[name])
    if guess_language(folded) in GLOSSARIES:
        return best
    small = sum(word in FUNCTION_WORDS for word in folded)
    is_distinct = folded[0] in GLOSSARIES[best] and COMMON_WORDS.isdisjoint(folded)
    least = 1 if is_distinct else _MIN_FOREIGN_WORDS
    return best if votes[best] >= least and votes[best] > small else ""


class _SentenceGloss:
    """Translates a sentence of one language word by word."""

    def __init__(self, language: str, folded: Sequence[str]) -> None:
        self._table = GLOSSARIES[language]
        self._phrases = _FOREIGN_PHRASES[language]
        self._folded = folded
        self._is_german = language == "german"
        self._changes = any(LEMMAS.get(self._table.get(word, "")) in EVENT_VERBS for word in folded)
        self._ends = "plus" in folded and not {"ne", "n"}.isdisjoint(folded)

    def at(self, place: int, word: Word) -> tuple[int, str | None]:
        """Return how many words are translated together here, and their English."""
        for phrase, english in self._phrases.items():
            if tuple(self._folded[place : place + len(phrase)]) == phrase:
                return len(phrase), english
        return 1, self._small(place) or self._plain(place, word)

    def _small(self, place: int) -> str | None:
        """Translate words whose meaning depends on the others."""
        folded = self._folded[place]
        if folded == "statt" and place + 1 == len(self._folded):
            return "happens"
        if folded == "plus" and self._ends:
            return "nolonger"
        if folded == "mehr" and any(word.startswith("kein") for word in self._folded[:place]):
            return "nolonger"
        if folded in _TOWARDS and folded not in ("a",):
            return "to" if self._changes else _TOWARDS[folded]
        if folded in _FROM and not self._is_german:
            return "from" if self._changes else "of"
        if folded in _BY:
            after = self._folded[place + 1] if place + 1 < len(self._folded) else ""
            return "per" if self._table.get(after, "") in PERIODS else "by"
        return None

    def _plain(self, place: int, word: Word) -> str | None:
        is_name = word.text != word.folded and place > 0 and not self._is_german
        return None if is_name else self._table.get(word.folded)
