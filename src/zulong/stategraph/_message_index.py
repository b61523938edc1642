"""Where each id is in a conversation, kept beside the lists that the reducer of conversations makes.

The lists are plain ones: of all list types they are copied the quickest, and a reducer that must not change what it is
given copies ten thousand pointers to add one message. The index of a list is shared with the lists made from it and is
only ever extended; whoever looks an id up checks what is there, so sharing is safe.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

_MOST_LISTS = 8


def message_id(message: Any) -> Any:
    """The message's id, None if it has none."""
    if type(message) is dict:
        return message.get("id")
    return message.get("id") if isinstance(message, Mapping) else getattr(message, "id", None)


def place_of(identity: Any, messages: Sequence[Any], places: dict[Any, int]) -> int | None:
    """Where the message with this id is in the list, None if it is not there."""
    at = places.get(identity)
    if at is not None and at < len(messages) and message_id(messages[at]) == identity:
        return at
    return None


class MessageIndex:
    """The indexes of the conversations that were made last; an older one is made anew when it is asked for.

    A list is known by its identity, and is held, so that no other can take its place.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[int, tuple[list[Any], int, dict[Any, int]]] = OrderedDict()

    def places(self, messages: Any) -> dict[Any, int] | None:
        """The index of a list that was kept and has not grown or shrunk since, else None."""
        with self._lock:
            kept = self._known.get(id(messages))
            if kept is None or kept[0] is not messages or kept[1] != len(messages):
                return None
            self._known.move_to_end(id(messages))
            return kept[2]

    def keep(self, messages: list[Any], places: dict[Any, int] | None = None) -> dict[Any, int]:
        """Remember a list with its index, which is made from it when none is given; return the index."""
        if places is None:
            places = {message_id(message): at for at, message in enumerate(messages)}
        with self._lock:
            self._known[id(messages)] = (messages, len(messages), places)
            self._known.move_to_end(id(messages))
            if len(self._known) > _MOST_LISTS:
                self._known.popitem(last=False)
        return places
