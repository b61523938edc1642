"""How state becomes bytes: strict msgpack, a registry of application types, and encryption."""
