"""Words by what they do when one statement follows another."""

from tacit.language.statements.listing import word_set

NOW = word_set("""
    now nowadays currently again finally presently today henceforth officially anymore nolonger
    meanwhile instead newly
    """)
"""Words that say how things are since something changed."""

ALSO = word_set("also additionally another besides both plus alongside further")
LAST_ALSO = word_set("too either")
"""Words that put something beside what holds."""

HEDGES = word_set("""
    might maybe perhaps could would possibly considering consider wanted wish wishes hope hopes
    hoping someday eventually probably tempted debating try trying tries tried imagine suppose
    wondering wonder thinking almost nearly guess
    """)
CONDITIONS = word_set("if unless whether when whenever once")
CLOSED = word_set("formerly previously originally ago")
"""Words that say that something is over, or that it was so at some other time."""

MILD = word_set("""
    lately recently just already actually always usually generally normally typically please really
    simply still mostly basically mainly
    """)
"""Adverbs that leave what is said as it is."""

DENIALS = word_set("not never no cannot nor neither nomore hardly rarely nolonger")
HALF_DENIED = word_set("just only even necessarily exactly quite sure really always all yet")
"""Words after a denial that leave most of what is said as it is."""

FORBIDDEN = word_set("forbidden banned prohibited disallowed optional unnecessary voluntary")
DISLIKED = word_set("dislike hate avoid")
REQUIRED = word_set("""
    must should shall require required mandatory compulsory obligatory need necessary always may can
    allow allowed permitted permit fine ok okay possible free welcome acceptable
    """)
"""Words of what must and may be, which are not part of it."""

VAGUE_SUBJECTS = word_set("he she it they him them")
VAGUE_OWNERS = word_set("this these those such his her its their")
"""Words that point at what only the text before can tell."""

FUNCTION = word_set("""
    a an the i we you me us my our your mine ours user users myself ourselves yourself own this that
    these those there here who which what where how why he she it they his her its their him them
    be is are am was were been being has have had do does did get got gets getting having
    of for in at on to with by from as into onto over via per within out off up down back around
    through about and or but so then than if
    all every each whole entire any some only just even really very quite pretty much
    more most less always usually generally normally typically mostly mainly basically simply
    still yet ever please well new everything everyone everybody anyone thing things
    stuff someone let lets ones itself yes also too either
    must should shall will can may nolonger anymore now not never no cannot max
    exactly roughly approximately approx circa until till
    """)
"""Words that say nothing by themselves."""

SETTING = word_set("""
    go use happen take place schedule plan occur hold set say call start begin run serve sit stand
    lie equal total require need become be work
    """)
"""Verbs that tie a figure to what it is a figure of."""

GENERIC = word_set("""
    service app application system tool project number value setting size amount count limit time
    date day name version address job task process policy thing official current main latest total
    company team server instance machine host environment site page program
    length duration link rate standard regular normal cluster figure estimate quote capacity account
    """)
"""Nouns that one may leave out and still speak of the same."""

DISTINCT = word_set("""
    staging production prod dev development test testing qa uat local preview sandbox canary beta
    live min max minimum maximum read write connect input output upper lower first second third
    1st 2nd 3rd last next left right north south east west front rear male female junior senior
    morning evening night afternoon weekday weekend daily weekly monthly yearly annual hourly
    free pro premium basic enterprise internal external public private ios android web mobile
    desktop old former ex adult child kids mum mom dad mother father brother sister wife husband
    son daughter parent parents uncle aunt cousin friend partner colleague neighbour boss manager
    grandma grandpa target primary secondary backup main spare soft hard summer winter spring
    autumn q1 q2 q3 q4 eu us uk work home office business personal shared
    """)
"""Words without which one speaks of something else."""

PERSONS = word_set("""
    mother father brother sister wife husband partner son daughter child parents friend colleague
    boss girlfriend boyfriend cousin uncle aunt neighbour grandma grandpa grandmother grandfather
    nephew niece flatmate roommate fiancé fiancée twin manager
    schwester schwager schwägerin bruder mutter vater frau mann tochter sohn eltern
    femme mari frère sœur mère père fille fils parents ami amie copain copine
    hermano hermana madre padre esposa esposo hijo hija marido mujer novia novio amigo amiga
    """)
"""Words for others than who speaks."""

_SAME = {
    "color": "colour colours colors",
    "favorite": "favourite favourites",
    "license": "licence",
    "center": "centre",
    "organization": "organisation",
    "program": "programme",
    "gray": "grey",
    "behavior": "behaviour",
    "production": "prod",
    "developer": "devs",
    "database": "db",
    "repository": "repo repos",
    "documentation": "docs doc",
    "configuration": "config",
    "environment": "env",
    "application": "app apps",
    "pr": "prs",
    "max": "maximum",
    "min": "minimum",
    "phone": "mobile cell cellphone telephone",
    "email": "mail",
    "apartment": "flat",
    "frontend": "ui",
    "lead": "leader leads heads head led leading leadership headed",
    "owner": "owns own owned ownership incharge belongs belong",
    "port": "listens listen listening",
    "upload": "attachment attachments attach attached attaching",
    "mother": "mum mom",
    "father": "dad",
    "child": "kid kids children",
    "person": "people us persons folks members",
    "limit": "quota ceiling cap capped limited",
    "pay": "salary wage",
    "deadline": "due",
    "release": "launch launches golive",
    "retro": "retrospective",
    "postgresql": "postgres",
    "mongodb": "mongo",
    "vs_code": "vscode visual_studio_code",
    "neovim": "nvim",
    "next.js": "nextjs next_js",
    "microsoft_teams": "ms_teams",
    "deploy": "deployment deployments",
    "meeting": "meet meets sync",
    "code": "coding",
    "cost": "price priced charge charges fee prices",
    "manager": "boss supervisor",
    "expiry": "expire expires expiring valid validity ttl lifetime lifespan",
    "respond": "reply replies response responses answers",
    "ship": "delivery deliver shipping shipment",
    "guest": "visitor visitors",
    "client": "customer customers",
    "bike": "bicycle bicycles",
    "holiday": "vacation",
    "film": "movie movies",
    "store": "shop shops",
    "photo": "picture pictures",
    "lift": "elevator",
    "colleague": "coworker coworkers",
    "flatmate": "roommate",
    "doctor": "gp physician",
    "keep": "retention retain retained",
    "employee": "staff employees",
    "": "programming course",
    "development": "dev",
}

SAME = {word: meaning for meaning, listed in _SAME.items() for word in listed.split()}
"""Words that are one word to us."""
