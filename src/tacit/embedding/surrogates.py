"""Text that UTF-8 cannot carry."""


def encodable(text: str) -> str:
    """The text with lone surrogates replaced: neither a tokenizer nor JSON takes them."""
    return text.encode("utf-8", "replace").decode("utf-8")
