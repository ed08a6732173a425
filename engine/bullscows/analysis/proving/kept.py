"""What was found last, up to so many things."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Thing = TypeVar("Thing")


class Kept(Generic[Key, Thing]):
    """Things by their keys; what was not kept again for longest goes first.

    Parameters
    ----------
    most
        How many are kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._things: OrderedDict[Key, Thing] = OrderedDict()

    def get(self, key: Key, default: Thing) -> Thing:
        """Return what is kept, or `default`."""
        return self._things.get(key, default)

    def keep(self, key: Key, thing: Thing) -> None:
        """Keep this as the newest."""
        self._things[key] = thing
        self._things.move_to_end(key)
        while len(self._things) > self._most:
            self._things.popitem(last=False)

    def __contains__(self, key: Key) -> bool:
        return key in self._things

    def __len__(self) -> int:
        return len(self._things)
