"""The serializer under the name and the keyword arguments that code written for LangGraph uses."""

from __future__ import annotations

from typing import Any

from zulong.stategraph.checkpoint.serde.msgpack import MsgpackSerializer
from zulong.stategraph.checkpoint.serde.registry import TypeRegistry


class JsonPlusSerializer(MsgpackSerializer):
    """`MsgpackSerializer`; classes named in `allowed_msgpack_modules` are registered, nothing opens it wider.

    Raises:
        ValueError: `pickle_fallback=True`, which would run code found in stored data.
    """

    def __init__(
        self,
        *,
        pickle_fallback: bool = False,
        allowed_json_modules: Any = None,
        allowed_msgpack_modules: Any = None,
        registry: TypeRegistry | None = None,
        register_on_dump: bool = False,
    ) -> None:
        if pickle_fallback:
            raise ValueError("pickle is not supported: loading it can run code; register the type instead.")
        super().__init__(registry, register_on_dump=register_on_dump)
        if isinstance(allowed_msgpack_modules, list | tuple | set | frozenset):
            classes = [item for item in allowed_msgpack_modules if isinstance(item, type)]
            self.registry = self.registry.child(classes)
