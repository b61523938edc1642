"""Encryption at rest: AES in Galois/counter mode (NIST SP 800-38D) around any serializer.

Values, metadata and writes are encrypted. Thread ids, checkpoint ids, task ids and channel names stay
readable, because the store is searched by them.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
from collections.abc import Sequence
from typing import Any

from zulong.stategraph.checkpoint.errors import SerializationError
from zulong.stategraph.checkpoint.serde.base import CipherProtocol, SerializerProtocol
from zulong.stategraph.checkpoint.serde.msgpack import MsgpackSerializer

KEY_VARIABLE = "ZULONG_AES_KEY"
_KEY_ID_BYTES = 4
_NONCE_BYTES = 12


class AesGcmCipher:
    """AES-GCM with a fresh random nonce for every message.

    `keys` are 16, 24 or 32 bytes each. The first encrypts; all decrypt, so that a new key can be put in
    front while data of the old one is still there. A message starts with 4 bytes that tell its key.

    Raises:
        ValueError: no key, or one of a wrong length.
        ImportError: the package cryptography is missing.
    """

    name = "aes-gcm"

    def __init__(self, keys: Sequence[bytes]) -> None:
        try:
            from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        except ImportError as error:
            raise ImportError(
                "Encryption needs the package cryptography: pip install 'zulong[encryption]'."
            ) from error
        if not keys:
            raise ValueError("Encryption needs at least one key of 16, 24 or 32 bytes.")
        for key in keys:
            if len(key) not in (16, 24, 32):
                raise ValueError(f"An AES key has 16, 24 or 32 bytes; this one has {len(key)}.")
        self._ciphers = {hashlib.sha256(key).digest()[:_KEY_ID_BYTES]: AESGCM(key) for key in reversed(keys)}
        self._current = hashlib.sha256(keys[0]).digest()[:_KEY_ID_BYTES]

    def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
        """Return the cipher's name and key id + nonce + ciphertext with its tag."""
        nonce = os.urandom(_NONCE_BYTES)
        sealed = self._ciphers[self._current].encrypt(nonce, plaintext, self._current)
        return self.name, self._current + nonce + sealed

    def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
        """Return the plaintext.

        Raises:
            SerializationError: another cipher or key, or the data was changed.
        """
        from cryptography.exceptions import InvalidTag

        if ciphername != self.name:
            raise SerializationError(
                f"Stored data was encrypted with {ciphername!r}, not with {self.name!r}."
            )
        key_id = bytes(ciphertext[:_KEY_ID_BYTES])
        cipher = self._ciphers.get(key_id)
        if cipher is None:
            raise SerializationError(
                "Stored data was encrypted with a key that was not given; add the old key behind the new one."
            )
        start = _KEY_ID_BYTES + _NONCE_BYTES
        try:
            return cipher.decrypt(bytes(ciphertext[_KEY_ID_BYTES:start]), bytes(ciphertext[start:]), key_id)
        except (InvalidTag, ValueError) as error:
            raise SerializationError(
                "Stored data was changed after it was encrypted; it is refused."
            ) from error


class EncryptedSerializer:
    """Encrypts what another serializer wrote, its type included.

    Data that is not encrypted is refused: whoever can write to the disk could otherwise slip in plain
    values. `allow_plain=True` reads it, for the move of an old store.
    """

    def __init__(
        self,
        cipher: CipherProtocol,
        serde: SerializerProtocol | None = None,
        *,
        allow_plain: bool = False,
    ) -> None:
        self.cipher = cipher
        self.serde: SerializerProtocol = MsgpackSerializer() if serde is None else serde
        self._allow_plain = allow_plain

    @classmethod
    def from_environment(
        cls,
        serde: SerializerProtocol | None = None,
        *,
        variable: str = KEY_VARIABLE,
        allow_plain: bool = False,
    ) -> EncryptedSerializer:
        """Return a serializer with the keys in an environment variable.

        The variable holds one key, or several with commas between them (newest first), each as base64 or
        hexadecimal text.

        Raises:
            ValueError: the variable is not set, or holds something else.
        """
        text = os.environ.get(variable, "")
        keys = [_key_of(part.strip(), variable) for part in text.split(",") if part.strip()]
        if not keys:
            raise ValueError(
                f"Environment variable {variable} is not set; put a base64 key of 32 random bytes in it, for example "
                'from: python -c "import os,base64; print(base64.b64encode(os.urandom(32)).decode())"'
            )
        return cls(AesGcmCipher(keys), serde, allow_plain=allow_plain)

    @classmethod
    def from_aes_gcm(
        cls, key: bytes, serde: SerializerProtocol | None = None, *, allow_plain: bool = False
    ) -> EncryptedSerializer:
        """Return a serializer with this key (16, 24 or 32 bytes)."""
        return cls(AesGcmCipher([key]), serde, allow_plain=allow_plain)

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Return the cipher's name and the encrypted bytes."""
        kind, raw = self.serde.dumps_typed(obj)
        label = kind.encode()
        ciphername, sealed = self.cipher.encrypt(bytes([len(label)]) + label + raw)
        return f"+{ciphername}", sealed

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Return the value.

        Raises:
            SerializationError: not encrypted, changed, or encrypted with another key.
        """
        kind, raw = data
        if not kind.startswith("+"):
            if self._allow_plain:
                return self.serde.loads_typed(data)
            raise SerializationError(
                "Stored data is not encrypted though this serializer encrypts; pass allow_plain=True to read an old "
                "store."
            )
        plain = self.cipher.decrypt(kind[1:], raw)
        end = 1 + plain[0] if plain else 1
        return self.serde.loads_typed((plain[1:end].decode(), plain[end:]))

    def with_types(self, extra: Any) -> EncryptedSerializer:
        """Return a serializer that also allows these types."""
        allow = getattr(self.serde, "with_types", None)
        serde = allow(extra) if allow is not None else self.serde
        if serde is self.serde:
            return self
        return EncryptedSerializer(self.cipher, serde, allow_plain=self._allow_plain)


def _key_of(text: str, variable: str) -> bytes:
    try:
        if len(text) in (32, 48, 64):
            return bytes.fromhex(text)
    except ValueError:
        pass  # base64 text may have the length of a hexadecimal key
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"{variable} holds a key that is neither base64 nor hexadecimal text.") from error
