"""What holds for all tests."""

from __future__ import annotations

try:
    from hypothesis import settings
except ModuleNotFoundError:
    pass  # the tests that need it say so themselves
else:
    # A busy machine may take a second for what takes a millisecond: how long an example takes says nothing.
    settings.register_profile("any speed", parent=settings(), deadline=None)
    settings.load_profile("any speed")
