"""Units of measure: what they measure, and how much of it one of them is."""

_MEASURES = {
    "duration": """
        ms=0.001 millisecond=0.001 milliseconds=0.001 s=1 sec=1 secs=1 second=1 seconds=1 min=60
        mins=60 minute=60 minutes=60 h=3600 hr=3600 hrs=3600 hour=3600 hours=3600 day=86400
        days=86400 week=604800 weeks=604800 month=2592000 months=2592000 year=31536000
        years=31536000 yrs=31536000 quarter=7776000 quarters=7776000 night=86400 nights=86400
    """,
    "size": """
        bytes=0.001 kb=1 kilobytes=1 mb=1000 meg=1000 megs=1000 megabyte=1000 megabytes=1000
        mib=1000 gb=1000000 gig=1000000 gigs=1000000 gigabyte=1000000 gigabytes=1000000
        gib=1000000 tb=1000000000
    """,
    "money": """
        $=1 €=1 £=1 ¥=1 dollar=1 dollars=1 usd=1 euro=1 euros=1 eur=1 pound=1 pounds=1 gbp=1
        bucks=1 quid=1 francs=1 chf=1 cents=0.01
    """,
    "percent": "%=1 percent=1 pct=1 prozent=1",
    "distance": """
        km=1000 kilometers=1000 kilometres=1000 miles=1609 mile=1609 metres=1 meters=1 cm=0.01
        mm=0.001
    """,
    "weight": "kg=1 kilos=1 kilo=1 lbs=0.4536 grams=0.001",
    "age": "yearsold=1 monthsold=0.0833 weeksold=0.0192",
}

UNITS = {
    name: (kind, float(scale))
    for kind, listed in _MEASURES.items()
    for name, _, scale in (entry.partition("=") for entry in listed.split())
}
"""What each unit measures, and its size in the first unit of its kind."""

PERIODS = {
    **{name: name for name in ("second", "minute", "hour", "day", "week", "month", "year")},
    "min": "minute",
    "h": "hour",
    "night": "day",
    "quarter": "quarter",
    "sprint": "sprint",
}
"""Periods that a rate is for."""

ADVERBS = {"daily": "day", "weekly": "week", "monthly": "month", "yearly": "year",
           "annually": "year", "hourly": "hour"}  # fmt: skip

IMPLIED = {
    "money": frozenset(("cost", "pay")),
    "weight": frozenset(("weigh",)),
    "duration": frozenset(("take", "last", "long")),
    "age": frozenset(("turn", "age", "old", "year")),
    "number": frozenset(("turn",)),
    "size": frozenset(("size",)),
    "phone": frozenset(("call", "phone", "number", "reach", "contact", "ring", "text", "tel")),
    "url": frozenset(("address", "url", "link", "site", "find", "reach", "avail", "endpoint")),
    "count": frozenset(("total",)),
}
"""Words that a figure of this kind says already."""
