"""Secrets are found however a terminal, a keyboard or Markdown writes the text around them."""

import pytest

from tacit.language.redaction.redact import redact

TOKEN = "ghp" + "_" + "a8Fq2LmN4pRs6TuVw8XyZ0bCdEf1GhIj3KlM"
KEY = "MIIEpAIBAAKCAQEA3Tz2mr7SZiAMfQyuvBjM9Oi0Rx5mEhQ2"
CODES = [
    *(
        "\x1b[32m{}\x1b[0m",
        "\x1b[01;31m\x1b[K{}\x1b[m\x1b[K",
        "[32m{}[0m",
        "\\u001b[32m{}\\u001b[0m",
    ),
    *("\\033[1m{}\\033[0m", "\\e[0;32m{}\\e[0m", "\\x1b[1m{}", "name\x1b[36m{}", "\x9b32m{}"),
]
PREFIXES = [
    "     2\t",
    " 12→",
    "key.pem:3:",
    "web_1  | ",
    "2026-03-01T12:00:00Z ",
    "\x1b[32m",
    "> ",
]


@pytest.mark.parametrize("code", CODES)
def test_a_token_in_colour_is_redacted(code):
    shown = redact(f"use {code.format(TOKEN)} now").text
    assert TOKEN[8:] not in shown
    assert shown.endswith(" now")


@pytest.mark.parametrize("code", CODES[:7])
def test_a_password_whose_name_is_in_colour_is_redacted(code):
    assert "hunter2x" not in redact(f"{code.format('password')}=hunter2x!").text


@pytest.mark.parametrize("text", ["use {}", "{}", "a **{}** b"])
def test_a_token_with_the_backslashes_of_markdown_is_redacted(text):
    escaped = TOKEN.replace("_", "\\_")
    assert TOKEN[8:] not in redact(text.format(escaped)).text


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("暗証番号は４８２１です", "４８２１"),
        ("カード番号は４１１１－１１１１－１１１１－１１１１です", "４１１１"),
        ("My card number is 4111\u00a01111\u00a01111\u00a01111", "4111"),
        ("My card number is 4111\u20131111\u20131111\u20131111", "4111"),
        ("SSN: 078\u201105\u20111120", "1120"),
        ("api\\_key: 9f8a7c6b5d4e3f2a1b", "9f8a"),
        ("\\<private\\>mine\\</private\\>", "mine"),
    ],
)
def test_numbers_and_names_of_another_width_or_escape_are_redacted(text, secret):
    assert secret not in redact(text).text


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_private_key_that_is_cut_off_goes_with_what_stands_before_its_lines(prefix):
    lines = ["-----BEGIN RSA PRIVATE KEY-----", *[KEY + str(n) for n in range(5)]]
    shown = redact("\n".join(f"{prefix}{line}" for line in lines)).text
    assert KEY[:30] not in shown


def test_what_is_no_secret_stays_byte_for_byte_with_its_codes():
    text = "\x1b[32mok\x1b[0m １２３ rate(x[5m]) a\\_b — ｆｕｌｌ"
    assert redact(text).text == text
