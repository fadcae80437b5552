"""On which line of a TOML text each key stands."""

from tacit.settings.config.statements import Place, statements


def line_of(text: str, place: Place) -> int:
    """The line, from 1, where a place of a valid text begins, or what contains it."""
    lines: dict[Place, int] = {}
    for statement in statements(text):
        for made in statement.places():
            lines.setdefault(made, statement.line)
    while place and place not in lines:
        place = place[:-1]
    return lines.get(place, 1)
