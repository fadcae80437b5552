"""Property tests: how many examples they try in the fast tests, and how many in the slow ones."""

from hypothesis import HealthCheck, settings

_FAST, _THOROUGH = "fast", "thorough"


def load_profiles() -> None:
    """The fast tests' profile, with the same examples each time, unless another is named."""
    for name in (_FAST, _THOROUGH):
        unhurried = [HealthCheck.function_scoped_fixture]
        settings.register_profile(
            name,
            deadline=None,
            suppress_health_check=unhurried,
            derandomize=name == _FAST,
            max_examples=10 if name == _FAST else 100,
        )
    settings.load_profile(_FAST)


def examples(few: int, many: int = 100) -> int:
    """Few in the fast tests, many in the slow ones: for tests that take long for each."""
    return many if settings.get_current_profile_name() == _THOROUGH else few
