"""Values as models write them, made to fit a JSON schema where they plainly are that value written otherwise."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

_TRUE, _FALSE = ("true", "yes", "是"), ("false", "no", "否")
_NOTHING = ("null", "none", "")
_DEEPEST = 40
_AS_IT_IS: Mapping[str, type] = {"string": str, "integer": int, "number": float, "boolean": bool}


class Fitting:
    """Fits values to the parts of one schema, at every depth.

    Args:
        schema: of the whole; references point into its ``$defs``.
    """

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._definitions: Mapping[str, Any] = schema.get("$defs") or {}
        self.notes: list[str] = []

    def resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a part of the schema with its reference followed."""
        for _ in range(_DEEPEST):
            name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
            if name not in self._definitions:
                break
            schema = {**self._definitions[name], **{k: v for k, v in schema.items() if k != "$ref"}}
        return schema

    def fitted(self, where: str, value: Any, schema: Any, depth: int = 0) -> Any:
        """Return a value in the type its schema wants; as it is where that would need guessing.

        Args:
            where: the value's place, for the notes.
            value: as it was written.
            schema: of the value.
            depth: how deep it stands.
        """
        if not isinstance(schema, Mapping) or depth > _DEEPEST:
            return value
        if type(value) is _AS_IT_IS.get(str(schema.get("type"))) and not {"enum", "const"} & schema.keys():
            return value
        schema = self.resolved(schema)
        for choice in ("anyOf", "oneOf"):
            if choice in schema:
                return self._one_of(where, value, schema[choice], depth)
        changed = _of_those(value, schema["enum"]) if "enum" in schema else value
        changed = _of_those(changed, [schema["const"]]) if "const" in schema else changed
        changed = _as_kind(changed, _kinds(schema), "enum" in schema or "const" in schema)
        if changed is not value:
            self.notes.append(f"{where} is {changed!r}")
        if isinstance(changed, dict) and schema.get("properties"):
            return self._object(where, changed, schema, depth)
        if isinstance(changed, list) and "items" in schema:
            return [self.fitted(f"{where}.{i}", v, schema["items"], depth + 1) for i, v in enumerate(changed)]
        return changed

    def allows_nothing(self, schema: Any) -> bool:
        """Return whether null is a value that fits."""
        if not isinstance(schema, Mapping):
            return True
        schema = self.resolved(schema)
        parts = [*(schema.get("anyOf") or ()), *(schema.get("oneOf") or ())] or [schema]
        return any(not part.get("type") or "null" in _kinds(part) for part in map(self.resolved, parts))

    def _object(
        self, where: str, value: Mapping[str, Any], schema: Mapping[str, Any], depth: int
    ) -> dict[str, Any]:
        properties: Mapping[str, Any] = schema["properties"]
        out: dict[str, Any] = {}
        for key, part in value.items():
            name = meant(key, properties)
            if name in out or (name != key and name in value):
                name = key
            if name != key:
                self.notes.append(f"{where}.{key} is called {name}")
            out[name] = self.fitted(f"{where}.{name}", part, properties.get(name), depth + 1)
        return out

    def _one_of(self, where: str, value: Any, choices: Sequence[Any], depth: int) -> Any:
        """Fit to the only choice that is not null, or to the first that the value belongs to as it is."""
        parts = [self.resolved(choice) for choice in choices if isinstance(choice, Mapping)]
        some = [part for part in parts if part.get("type") != "null"]
        free_text = any("string" in _kinds(part) and "enum" not in part for part in some)
        nothing = isinstance(value, str) and value.strip().lower() in _NOTHING
        if nothing and len(some) < len(parts) and not free_text:
            return None
        if any(_belongs(value, part) for part in parts):
            some = [part for part in some if _belongs(value, part)]
        if len(some) == 1 and value is not None:
            return self.fitted(where, value, some[0], depth + 1)
        for part in some:
            changed = _as_kind(value, _kinds(part), "enum" in part)
            if changed is not value:
                return self.fitted(where, value, part, depth + 1)
        return value


def plain_name(name: str) -> str:
    """Return a name without case, underscores and the like."""
    return re.sub(r"[^a-z0-9\u0080-\uffff]", "", name.lower())


def meant(key: str, properties: Mapping[str, Any], aliases: Mapping[str, str] | None = None) -> str:
    """Return the parameter a key means: itself, an alias, another spelling, or a near miss that is clear."""
    aliases = aliases or {}
    if key in properties or not properties:
        return key
    if key in aliases:
        return aliases[key]
    plain = {plain_name(name): name for name in properties} | {plain_name(k): v for k, v in aliases.items()}
    if plain_name(key) in plain:
        return plain[plain_name(key)]
    near = difflib.get_close_matches(plain_name(key), list(plain), n=2, cutoff=0.72)
    return plain[near[0]] if len(near) == 1 else key


def _kinds(schema: Mapping[str, Any]) -> list[str]:
    kinds = schema.get("type")
    return list(kinds) if isinstance(kinds, list) else [kinds] if kinds else []


def _of_those(value: Any, allowed: Sequence[Any]) -> Any:
    """Return the allowed value that this one is but for its spelling."""
    if any(value == one and type(value) is type(one) for one in allowed):
        return value
    same = [one for one in allowed if plain_name(str(one)) == plain_name(str(value)) != ""]
    return same[0] if len(same) == 1 else value


def _belongs(value: Any, schema: Mapping[str, Any]) -> bool:
    """Return whether a value has a type that the schema names."""
    types: Mapping[str, tuple[type, ...]] = {
        "string": (str,),
        "integer": (int,),
        "number": (int, float),
        "boolean": (bool,),
        "array": (list,),
        "object": (dict,),
        "null": (type(None),),
    }
    kinds = _kinds(schema)
    if isinstance(value, bool) and "boolean" not in kinds:
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    return any(isinstance(value, types.get(kind, ())) for kind in kinds)


def _as_kind(value: Any, kinds: Sequence[str], fixed: bool) -> Any:
    """Return the value in one of these types, where it plainly is that value written otherwise."""
    if isinstance(value, str):
        return _read(value, kinds) if not fixed else value
    if isinstance(value, float) and value.is_integer() and "integer" in kinds and "number" not in kinds:
        return int(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and kinds == ["string"] and not fixed:
        return str(value)
    if kinds == ["array"] and value is not None and not isinstance(value, list):
        return [value]
    if isinstance(value, list) and len(value) == 1 and kinds in (["string"], ["integer"], ["number"]):
        return value[0] if not isinstance(value[0], (list, dict)) else value
    return value


def _read(value: str, kinds: Sequence[str]) -> Any:
    text = value.strip()
    if "string" in kinds:
        return value
    if "integer" in kinds and re.fullmatch(r"[+-]?\d{1,15}(?:\.0+)?", text):
        return int(float(text))
    if "number" in kinds and re.fullmatch(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", text):
        return float(text)
    if "boolean" in kinds and text.lower() in _TRUE + _FALSE:
        return text.lower() in _TRUE
    if ("array" in kinds or "object" in kinds) and text[:1] in ("[", "{"):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return value
    return [value] if kinds == ["array"] else value
