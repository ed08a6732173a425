"""How often properties are tried: as often as their tests say, or by the profile less or more.

``--hypothesis-profile quick`` is for the inner loop, ``thorough`` for the slow part of CI.
"""

from __future__ import annotations

from typing import Any

from hypothesis import settings

PROFILES = {"quick": 10, "house": 100, "thorough": 300}
"""Of each hundred examples that a test asks for, how many are tried."""


def register() -> None:
    """Make the profiles known; machines are shared and noisy, so a slow example is no failure."""
    for name, share in PROFILES.items():
        settings.register_profile(name, max_examples=share, deadline=None)
    settings.load_profile("house")


def examples(count: int, **options: Any) -> settings:
    """Return settings that try so many examples, or the profile's share of them."""
    default = settings.default
    assert default is not None
    tried = max(1, count * default.max_examples // 100)
    return settings(max_examples=tried, deadline=None, **options)
