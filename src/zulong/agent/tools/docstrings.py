"""What a docstring says of a function and of its parameters, in the styles of Google, NumPy and Sphinx."""

from __future__ import annotations

import inspect
import re

_GOOGLE = re.compile(
    r"^(?:Args|Arguments|Parameters|Keyword Args):\s*\n(?P<body>(?:[ \t]+.*\n|[ \t]*\n)*)", re.MULTILINE
)
_GOOGLE_ITEM = re.compile(r"^(?P<indent>[ \t]+)\*{0,2}(?P<name>\w+)(?:\s*\([^)]*\))?:\s*(?P<words>.*)$")
_NUMPY = re.compile(r"^Parameters\n-{3,}\n(?P<body>(?:.*\n)*?)(?=^\w[\w ]*\n-{3,}|\Z)", re.MULTILINE)
_NUMPY_ITEM = re.compile(r"^(?P<name>\w+)(?:\s*:.*)?$")
_SPHINX_ITEM = re.compile(
    r"^:param\s+(?:[^:]*\s)?(?P<name>\w+):\s*(?P<words>(?:.*)(?:\n[ \t]+.*)*)", re.MULTILINE
)


def first_sentence(doc: str) -> str:
    """Return a docstring's first paragraph in one line."""
    return " ".join(inspect.cleandoc(doc).split("\n\n")[0].split("\n:")[0].split())


def parameter_words(doc: str) -> dict[str, str]:
    """Return what a docstring says of each parameter."""
    plain = inspect.cleandoc(doc) + "\n"
    found = {match["name"]: " ".join(match["words"].split()) for match in _SPHINX_ITEM.finditer(plain)}
    google, numpy = _GOOGLE.search(plain), _NUMPY.search(plain)
    if google is not None:
        found |= _google(google["body"])
    if numpy is not None:
        found |= _numpy(numpy["body"])
    return found


def _google(body: str) -> dict[str, str]:
    found: dict[str, str] = {}
    current, indent = "", ""
    for line in body.splitlines():
        item = _GOOGLE_ITEM.match(line)
        if item is not None and (not indent or item["indent"] == indent):
            current, indent = item["name"], item["indent"]
            found[current] = item["words"].strip()
        elif current:
            found[current] = f"{found[current]} {line.strip()}".strip()
    return found


def _numpy(body: str) -> dict[str, str]:
    found: dict[str, str] = {}
    current = ""
    for line in body.splitlines():
        item = _NUMPY_ITEM.match(line)
        if item is not None:
            current = item["name"]
            found[current] = ""
        elif current:
            found[current] = f"{found[current]} {line.strip()}".strip()
    return found
