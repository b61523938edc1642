"""An MCP server that misbehaves in one way, by hand over its pipes; run by test_bad_servers.py."""

from __future__ import annotations

import json
import os
import sys
import time

MODE = sys.argv[1]
TEXT = {"content": [{"type": "text", "text": "fine"}]}
RESULTS = {
    "error": {"content": [{"type": "text", "text": "it broke"}], "isError": True},
    "silent error": {"content": [], "isError": True},
    "huge": {"content": [{"type": "text", "text": "x" * 2_000_000}]},
    "structured": {"content": [], "structuredContent": {"n": 5}},
    "pictures": {
        "content": [
            {"type": "text", "text": "see"},
            {"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"},
            {
                "type": "resource",
                "resource": {"uri": "file:///x", "text": "inside", "mimeType": "text/plain"},
            },
            {"type": "resource_link", "uri": "file:///y", "name": "y"},
        ]
    },
    "nonsense": {"content": "no"},
}
ANY = {"type": "object"}
TOOLS = {
    "names": [{"name": n, "inputSchema": ANY} for n in ("a b", "a.b", "a_b", "x" * 200, "名字", "a b")],
    "schemas": [{"name": "broken", "inputSchema": {"type": "object", "properties": {"a": {"type": "odd"}}}},
                {"name": "far", "inputSchema": {"type": "object", "$ref": "http://127.0.0.1:9/x.json"}}],
}  # fmt: skip


def say(message: dict) -> None:
    print(json.dumps({"jsonrpc": "2.0"} | message), flush=True)


def listed(page: int) -> dict:
    if MODE == "endless":
        return {"tools": [{"name": f"t{page}", "inputSchema": ANY}], "nextCursor": str(page)}
    return {"tools": TOOLS.get(MODE, [{"name": "t", "inputSchema": ANY}])}


def call(number: int) -> None:
    if MODE == "dies":
        os._exit(9)
    if MODE == "half a word":
        print(f'{{"jsonrpc":"2.0","id":{number},"resu', end="", flush=True)
        os._exit(1)
    if MODE != "hangs":
        say({"id": number, "result": RESULTS.get(MODE, TEXT)})


if MODE == "never there":
    time.sleep(60)
if MODE == "noisy":
    print("a line of a log\n{broken", flush=True)
    print("x" * 2_000_000, file=sys.stderr, flush=True)
pages = 0
for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "initialize":
        about = {"capabilities": {"tools": {}}, "serverInfo": {"name": "bad", "version": "1"}}
        version = message["params"]["protocolVersion"]
        say({"id": message["id"], "result": about | {"protocolVersion": version}})
    elif message.get("method") == "tools/list":
        pages += 1
        say({"id": message["id"], "result": listed(pages)})
    elif message.get("method") == "tools/call":
        call(message["id"])
    elif "id" in message and "method" in message:
        say({"id": message["id"], "error": {"code": -32601, "message": "no such method"}})
