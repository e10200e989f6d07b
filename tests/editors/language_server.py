"""A client of yaml-language-server, the server behind YAML in most editors: the real one, installed by npm and spoken to by LSP."""

from __future__ import annotations

import json
import queue
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any, Final

import pytest

VERSION: Final = "1.25.0"
"""The last one for Node 20, which is still widely installed."""
PATIENCE: Final = 60.0
"""Seconds to wait for an answer before the server counts as stuck."""

INSTALLING: Final = 120.0
"""Seconds that npm may take, which tries a registry that it can't reach for many minutes."""

Json = Any  # what LSP messages may hold


def installed_server(folder: Path) -> Path:
    """The server's script, installed into a folder; skips the test where that can't be done."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            pytest.skip(f"needs {program}: yaml-language-server runs on Node.js")
    words = ["npm", "install", "--no-audit", "--no-fund", "--no-save", "--prefix", str(folder), f"yaml-language-server@{VERSION}"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=INSTALLING)
    except subprocess.TimeoutExpired:
        pytest.skip(f"npm could not install yaml-language-server {VERSION} in {INSTALLING:.0f} seconds")
    if done.returncode:
        pytest.skip(f"npm can't install yaml-language-server {VERSION}: {(done.stderr.strip() or '?').splitlines()[-1]}")
    return folder / "node_modules" / "yaml-language-server" / "out" / "server" / "src" / "server.js"


class LanguageServer:
    """A running server with schemas, each with the patterns of the files that have it."""

    def __init__(self, script: Path, schemas: dict[str, list[str]]) -> None:
        self._schemas = schemas
        self._process = subprocess.Popen(
            ["node", str(script), "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._answers: queue.Queue[Json] = queue.Queue()
        self._number = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        text = {"completion": {"completionItem": {"documentationFormat": ["plaintext"]}}, "hover": {"contentFormat": ["plaintext"]}}
        capabilities = {"workspace": {"configuration": True}, "textDocument": text}
        self._ask("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})
        self._tell("initialized", {})

    def open(self, uri: str, text: str) -> list[Json]:
        """Show a text to the server, and give what it finds wrong."""
        self._tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "yaml", "version": 1, "text": text}})
        while True:
            message = self._next()
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                found: list[Json] = message["params"]["diagnostics"]
                return found

    def completions(self, uri: str, line: int, column: int) -> dict[str, Json]:
        """What can be written at a place, by its label."""
        found = self._ask("textDocument/completion", _at(uri, line, column))
        return {item["label"]: item for item in found["items"]}

    def hover(self, uri: str, line: int, column: int) -> str:
        """What is shown of a place."""
        found = self._ask("textDocument/hover", _at(uri, line, column))
        contents = found["contents"] if found else ""
        return contents["value"] if isinstance(contents, dict) else str(contents)

    def close(self) -> None:
        """End the server."""
        self._ask("shutdown", None)
        self._tell("exit", None)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        self._process.stdout.close()

    # --- messages -----------------------------------------------------------------------------------------------------

    def _ask(self, method: str, params: Json) -> Json:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        while True:
            message = self._next()
            if message.get("id") == self._number and "method" not in message:
                assert "error" not in message, message
                return message["result"]

    def _tell(self, method: str, params: Json) -> None:
        self._send({"method": method, "params": params})

    def _next(self) -> Json:
        """The next message that is no question; the server's questions are answered on the way."""
        while True:
            message = self._answers.get(timeout=PATIENCE)
            if "id" in message and "method" in message:
                self._send({"id": message["id"], "result": self._answer(message)})
            else:
                return message

    def _answer(self, message: Json) -> Json:
        if message["method"] != "workspace/configuration":
            return None
        settings = {"yaml": {"schemas": self._schemas, "schemaStore": {"enable": False}, "maxItemsComputed": 10_000}}
        return [settings.get(item.get("section", "")) for item in message["params"]["items"]]

    def _send(self, message: Json) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self._process.stdin.flush()

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        while header := stream.readline():
            length = int(header.split(b":")[1])
            while stream.readline().strip():
                pass
            self._answers.put(json.loads(stream.read(length)))


def _at(uri: str, line: int, column: int) -> Json:
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}
