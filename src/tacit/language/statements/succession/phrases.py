"""Phrases that are one word to us, or two, or none."""

_PHRASES = {
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
    for meaning, listed in _PHRASES.items()
    for phrase in listed.split(";")
}
"""What each phrase means, as words."""

PARTICLES = {
    ("give", "away"): "sell", ("give", "up"): "stop", ("put", "off"): "postpone",
    ("throw", "away"): "throw", ("throw", "out"): "drop",
    ("write", "off"): "sell", ("call", "off"): "cancel", ("trade", "in"): "trade",
    ("hand", "over"): "handover", ("kick", "out"): "drop", ("pull", "out"): "drop",
    ("shut", "down"): "cancel", ("phase", "out"): "drop", ("pass", "on"): "handover",
}  # fmt: skip
"""Verbs that mean something else with a word that follows later."""
