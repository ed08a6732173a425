"""Hypothesis profiles: `quick` for `make quick`, `thorough` for the slow tests."""

from typing import Any

from hypothesis import settings

PROFILES = {"quick": 10, "house": 100, "thorough": 300}
"""Percentage of the examples of each test that a profile tries."""


def register() -> None:
    """Register the profiles, without deadlines: machines are shared and noisy."""
    for name, share in PROFILES.items():
        settings.register_profile(name, max_examples=share, deadline=None)
    settings.load_profile("house")


def examples(count: int, **options: Any) -> settings:
    """Return settings that try the profile's percentage of `count` examples."""
    default = settings.default
    assert default is not None
    tried = max(1, count * default.max_examples // 100)
    return settings(max_examples=tried, deadline=None, **options)
