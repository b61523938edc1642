"""What is not worth remembering, and why: noise, boilerplate, and words that say nothing."""

from __future__ import annotations

import re

from zulong.memory.model import NodeType

# What people said is kept even when it is one word: it answers the turn before it.
_SPOKEN = frozenset({NodeType.DIALOGUE, NodeType.APPROVAL, NodeType.TOOL_CALL, NodeType.TOOL_RESULT})
# Names of things may be short and odd.
_NAMES = frozenset(
    {NodeType.CONCEPT, NodeType.PERSON, NodeType.FILE, NodeType.MODULE, NodeType.CODE_SYMBOL, NodeType.TASK}
)

_WORDLESS = re.compile(r"^[\W_]*$")
_ONE_CHARACTER = re.compile(r"^\W*(\w)\1{3,}\W*$")
_REPEATED = re.compile(r"^(.{1,12}?)(?:\s*\1){7,}\s*$", re.DOTALL)
_PLACEHOLDERS = frozenset(
    [
        "n/a",
        "na",
        "none",
        "null",
        "nil",
        "undefined",
        "nan",
        "todo",
        "tbd",
        "test",
        "测试",
        "无",
        "空",
        "[object object]",
    ]
)
_SAYS_NOTHING = frozenset(
    [
        *(
            "ok",
            "okay",
            "yes",
            "no",
            "yeah",
            "hi",
            "hello",
            "hey",
            "thanks",
            "thank you",
            "bye",
            "good",
            "fine",
            "sure",
        ),
        *("好", "好的", "嗯", "嗯嗯", "哦", "是", "是的", "不", "谢谢", "你好", "再见", "行", "可以", "收到"),
    ]
)
_BOILERPLATE = re.compile(
    r"^\W*(?:as an ai(?: language)? model|i(?:'m| am) (?:sorry,? but i|just an ai)|i (?:cannot|can't) (?:help|assist) with"
    r"|lorem ipsum|is there anything else i can (?:help|assist)"
    r"|作为一?个?(?:人工智能|ai|语言模型)|很抱歉，?我(?:无法|不能))",
    re.IGNORECASE,
)
_HEARTBEAT = re.compile(
    r"^\W*(?:heartbeat|keep-?alive|ping|pong|心跳)(?:\W*(?:ok|received|正常))?\W*$", re.IGNORECASE
)
_BLOB = re.compile(r"^\S{200,}$")
_MASHED = re.compile(
    r"^(?:[bcdfghjklmnpqrstvwxz]{7,}|\w*(?:qwert|werty|asdfg|sdfgh|dfghj|fghjk|zxcvb|xcvbn)\w*)$",
    re.IGNORECASE,
)
_NO_LETTERS = re.compile(r"\W+")


def junk_reason(text: str, type: NodeType) -> str:
    """Return why a text is not worth storing, or an empty string for one that is.

    Dialogue is refused only where it holds no word at all; names of things only where they are empty.
    """
    stripped = text.strip()
    if _WORDLESS.match(stripped):
        return "The text holds no word."
    if type in _SPOKEN or type in _NAMES:
        return ""
    plain = stripped.strip(" .,!?;:。，！？；：~…").casefold()
    if plain in _PLACEHOLDERS:
        return f"{stripped!r} is a placeholder."
    if plain in _SAYS_NOTHING:
        return f"{stripped!r} says nothing without its conversation; store it as DIALOGUE."
    if len(stripped) < 400 and (_ONE_CHARACTER.match(stripped) or _REPEATED.match(stripped)):
        return "The text repeats one thing over and over."
    if _BOILERPLATE.match(stripped):
        return "The text is boilerplate of a language model, not a memory."
    if _HEARTBEAT.match(stripped):
        return "A heartbeat is no memory; it belongs to the diagnostics."
    if _MASHED.match(plain):
        return "The text is keys pressed at random."
    if _BLOB.match(stripped) and stripped.isascii():
        return "The text is one long run of characters (an encoded blob); store it as a file and remember its path."
    if len(stripped) >= 20 and len(_NO_LETTERS.sub("", stripped)) < 0.3 * len("".join(stripped.split())):
        return "The text is mostly symbols."
    return ""
