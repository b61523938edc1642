#!/usr/bin/env python3
"""Check the ROS interface files against the house rules.

Every field and constant says what it means; names are the field's standard form; every result carries a typed
``error_code`` with its sentence; lines fit on a screen. Prints one line a finding; exit status 1 if there is one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LINE_LIMIT = 160
_CONSTANT = re.compile(r"^\S+\s+[A-Z][A-Z0-9_]*\s*=\s*\S+")
_FIELD = re.compile(r"^(?P<type>[A-Za-z][\w/]*(\[\d*\]|\[<=\d+\])?)\s+(?P<name>\S+)(\s+\S.*)?$")
_NAME = re.compile(r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$")


def findings(path: Path) -> Iterator[str]:
    """Yield what is wrong with one interface file, as ``file:line: sentence``."""
    text = path.read_text()
    lines = text.splitlines()
    if not lines or not lines[0].startswith("# "):
        yield f"{path.name}:1: the first line must be a comment that says what the interface is for"
    for number, line in enumerate(lines, 1):
        where = f"{path.name}:{number}"
        if len(line) > LINE_LIMIT:
            yield f"{where}: longer than {LINE_LIMIT} characters"
        statement, mark, comment = line.partition("#")
        statement = statement.strip()
        if not statement or statement == "---":
            continue
        if not mark or not comment.strip():
            yield f"{where}: {statement!r} has no comment on its line"
        if _CONSTANT.match(statement):
            continue
        field = _FIELD.match(statement)
        if field is None:
            yield f"{where}: {statement!r} is neither a field nor a constant"
        elif not _NAME.match(field["name"]):
            yield f"{where}: field {field['name']!r} must be lower_case_with_underscores"
    if path.suffix in (".srv", ".action"):
        yield from _result_findings(path, text)


def _result_findings(path: Path, text: str) -> Iterator[str]:
    parts = re.split(r"^---\s*$", text, flags=re.MULTILINE)
    wanted_parts = 2 if path.suffix == ".srv" else 3
    if len(parts) != wanted_parts:
        yield f"{path.name}: has {len(parts)} parts, not {wanted_parts}"
        return
    result = parts[1]
    if not re.search(r"^uint16 SUCCEEDED=0\b", result, re.MULTILINE):
        yield f"{path.name}: the result needs the constant uint16 SUCCEEDED=0"
    for field in ("uint16 error_code", "string error_msg"):
        if not re.search(rf"^{field}\b", result, re.MULTILINE):
            yield f"{path.name}: the result needs the field {field}"


def main() -> int:
    """Check every interface of the checkout."""
    files = sorted(path for kind in ("msg", "srv", "action") for path in (ROOT / kind).glob(f"*.{kind}"))
    found = [finding for path in files for finding in findings(path)]
    for finding in found:
        print(finding)
    if not found:
        print(f"{len(files)} interface files: all well")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
