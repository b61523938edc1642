"""The conftest that stands in for the one of the foreign tests: same fixtures, one saver, cache and store.

The application's part is here too: it registers the message classes that the tests keep in their states.
"""

import sys
from uuid import UUID

import pytest
from langgraph.cache.memory import InMemoryCache
from langgraph.store.memory import InMemoryStore
from tests.memory_assert import MemorySaverAssertImmutable

from zulong.stategraph.checkpoint.serde import msgpack as serde


def pytest_collection_finish(session):
    _register_messages()


def _register_messages():
    from langchain_core import agents, documents, messages
    from langchain_core.messages import base

    from zulong.stategraph.graph.message import set_message_converter

    def convert(items):
        found = messages.convert_to_messages(items)
        return [messages.message_chunk_to_message(m) if "Chunk" in type(m).__name__ else m for m in found]

    set_message_converter(convert)

    def decode(cls):
        return lambda stored: cls(**stored)

    serde.register_type(base.TextAccessor, name="langchain:TextAccessor", encode=str, decode=str)
    for module in (messages, agents, documents):
        for name in dir(module):
            cls = getattr(module, name)
            if isinstance(cls, type) and hasattr(cls, "model_fields") and cls is not base.BaseMessage:
                serde.register_type(
                    cls,
                    name=f"langchain:{name}",
                    encode=lambda value: value.model_dump(exclude={"type"}),
                    decode=decode(cls),
                )


@pytest.fixture(autouse=True)
def _throw_away_types(monkeypatch):
    """Test states hold classes that are defined inside test functions; an application registers its own."""
    from langgraph.checkpoint.base import BaseCheckpointSaver

    monkeypatch.setattr(BaseCheckpointSaver, "serde", serde.MsgpackSerializer(register_on_dump=True))


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
def deterministic_uuids(mocker):
    ids = (UUID(f"00000000-0000-4000-8000-{i:012}", version=4) for i in range(10000))
    return mocker.patch("uuid.uuid4", side_effect=ids)


@pytest.fixture(params=["sync", "async", "exit"])
def durability(request):
    return request.param


@pytest.fixture(params=["memory"])
def cache(request):
    return InMemoryCache()


@pytest.fixture(params=["in_memory"])
def sync_store(request):
    return InMemoryStore()


@pytest.fixture(params=["in_memory"])
async def async_store(request):
    return InMemoryStore()


@pytest.fixture(params=["memory"])
def sync_checkpointer(request):
    return MemorySaverAssertImmutable()


@pytest.fixture(params=["memory"])
async def async_checkpointer(request):
    return MemorySaverAssertImmutable()


def pytest_sessionfinish(session, exitstatus):
    """No line of the real engine may have run."""
    foreign = sorted(
        name
        for name, module in sys.modules.items()
        if name.startswith("langgraph.") and "site-packages/langgraph" in str(getattr(module, "__file__", ""))
    )
    if foreign:
        raise pytest.UsageError(f"The real langgraph was imported: {foreign[:5]}")
