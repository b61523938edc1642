"""The two protocols of serialization: values to bytes, and bytes to secret bytes."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class SerializerProtocol(Protocol):
    """Turns a value into `(type, bytes)` and back; `type` says how the bytes were made."""

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Return the type and the bytes of `obj`."""
        ...

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Return the value that `dumps_typed` was given."""
        ...


class CipherProtocol(Protocol):
    """Encrypts and decrypts bytes; must detect any change of the ciphertext."""

    def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
        """Return the cipher's name and the ciphertext."""
        ...

    def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
        """Return the plaintext; raises when the text was changed or the key is another."""
        ...
