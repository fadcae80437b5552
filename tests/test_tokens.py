"""Tokens: a careful estimate, exact counts where they are installed, and sizes that add up."""

import pytest
from benchmarks.token_samples import make_samples
from hypothesis import given
from hypothesis import strategies as st

from tacit import FakeEmbedder, InvalidInput, Tacit
from tacit.core.errors import ConfigError
from tacit.language import tokens
from tacit.language.tokens import TextSize, TokenCounting, estimate_tokens, find_counter
from tacit.settings.injection import InjectionSettings

_CODE = "for (i = 0; i < n; ++i) { sum_{k} += ptr->vals[i] ^ 0x7f3a9c21; }"
_TEXTS = {
    "code": f"The parser runs {_CODE}",
    "hex": "The parser has the digest 7f3a9c21e4b05d68aa17c3f09b2e4d516c8f7a3b" * 2,
    "chinese": "The parser 解析器在夜里运行，每年两次在另一台机器上试着恢复备份",
    "japanese": "The parser 解析器は夜に動き、年に二回、別のマシンで復元を試しています",
    "emoji": "The parser 🎉🎉 is green ✅🚀🚀 👩‍💻 and 👨🏽‍🔧 are 😂😂😂",
}


def _count_really(text):
    vocabularies = (TokenCounting.CL100K_BASE, TokenCounting.O200K_BASE)
    return max(find_counter(each)(text) for each in vocabularies) / 100


def test_the_estimate_is_hardly_ever_below_real_counts_and_near_them_on_english_prose():
    shares = {}
    for sample in make_samples():
        share = TextSize.of(sample.text).hundredths / 100 / _count_really(sample.text)
        assert share >= 0.97, sample
        shares.setdefault(sample.kind, []).append(share)
    assert len(shares) * 4 >= 200
    english = [share for kind, own in shares.items() if "English" in kind for share in own]
    assert sum(english) / len(english) < 1.15


@pytest.mark.parametrize("kind", _TEXTS)
def test_a_block_keeps_to_max_tokens_by_real_counts_whatever_it_shows(kind):
    with Tacit.open(":memory:", embedder="none") as tacit:
        for number in range(40):
            tacit.remember(f"{_TEXTS[kind]} {number}", type="observation")
        turn = tacit.preview(
            session="s",
            text="Tell me of the parser",
            max_tokens=600,
            memory_context_max_chars=100_000,
            contextual_min_score=0.01,
        )
    assert turn.receipt.tokens > 400
    assert 300 < _count_really(turn.block) <= 600


@pytest.mark.parametrize("counting", [TokenCounting.CL100K_BASE, TokenCounting.O200K_BASE])
def test_a_vocabulary_that_is_chosen_counts_the_block(counting):
    with Tacit.open(":memory:", embedder="none") as tacit:
        tacit.memories.remember_all(
            [f"The parser of project {n} is written in Ada" for n in range(60)]
        )
        asked = {"session": "s", "text": "Tell me of the parser", "contextual_min_score": 0.01}
        exact = tacit.preview(**asked, max_tokens=300, token_counter=counting)
    count = find_counter(counting)(exact.block) / 100
    assert count <= exact.receipt.tokens <= 300
    assert exact.receipt.tokens - count < 30
    assert exact.receipt.tokens > 250


def test_a_vocabulary_that_is_not_installed_is_refused_with_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setattr(tokens, "find_spec", lambda _: None)
    with pytest.raises(InvalidInput, match=r"token_counter.*pip install 'tacit\[tokens\]'"):
        InjectionSettings(token_counter=TokenCounting.O200K_BASE)
    file = tmp_path / "tacit.toml"
    file.write_text('[defaults.memory_injection]\ntoken_counter = "cl100k_base"\n')
    with pytest.raises(ConfigError, match=r"line 2.*pip install 'tacit\[tokens\]'"):
        Tacit.open(":memory:", embedder=FakeEmbedder(), config=file)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("The parser runs at night", 6),
        ("1234567", 3),
        ("東京", 3),
        ("🦓", 3),
        (" \n\t", 3),
        (" " * 40 + "night", 2),
    ],
)
def test_known_words_digits_and_white_space_are_counted_as_they_are_split(text, count):
    assert estimate_tokens(text) == count


@pytest.mark.parametrize("text", ["\ud83d", "a\ud83d b", "\x00" * 9])
def test_half_of_a_surrogate_pair_and_control_characters_are_counted_like_any_character(text):
    assert estimate_tokens(text) >= 1


@given(st.text())
def test_no_text_has_fewer_tokens_than_words(text):
    assert estimate_tokens(text) >= len(text.split())


@given(st.lists(st.text()))
def test_the_sizes_of_lines_add_up_to_the_size_of_their_text(lines):
    total = sum((TextSize.of(f"{line}\n") for line in lines), TextSize())
    assert total == TextSize.of("".join(f"{line}\n" for line in lines))


@given(st.text(alphabet="ab ._\t\n7ü東"))
def test_words_that_were_counted_before_are_counted_alike(text):
    assert TextSize.of(text).hundredths == tokens._load_vocabulary().count(text)
