"""A TCP proxy that puts a server far away: everything arrives later, and a line may carry only so many bytes a second.

It delays bytes and does not serialise them: what is sent one after the other without waiting arrives one after the
other, all of it later by the same time. A connection's handshake takes its time, too. What passes is counted, and may
be listed by the text of its statements.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace

_PIECE = 1 << 16
_IN_FLIGHT = 4 << 20
"""Bytes on their way in one direction of a connection, as of a window of TCP."""
_QUERY = 3
_HEAD = 4
_SHOWN = 160


@dataclass(frozen=True, slots=True)
class Traffic:
    """What has passed. A round trip is a request that was sent after an answer had come; those of TCP and of the
    greeting are counted as `connections`."""

    round_trips: int = 0
    connections: int = 0
    sent: int = 0
    """Bytes to the server."""
    received: int = 0

    def __sub__(self, before: Traffic) -> Traffic:
        return Traffic(
            self.round_trips - before.round_trips,
            self.connections - before.connections,
            self.sent - before.sent,
            self.received - before.received,
        )


@dataclass(frozen=True, slots=True)
class Request:
    """The first statement of a round trip."""

    at: float
    """By the monotonic clock."""
    connection: int
    text: str


@dataclass
class Distance:
    """Stands before one server, on `port`. `delay` (seconds each way) may be changed at any time; it counts for what is
    sent from then on."""

    host: str
    target_port: int
    delay: float = 0.0
    bytes_a_second: float | None = None
    """Of each direction of each connection."""
    listing: bool = False
    """Whether `requests` is filled; the connections must be plain text."""
    requests: list[Request] = field(default_factory=list)
    port: int = field(init=False, default=0)
    _traffic: Traffic = field(init=False, default=Traffic())
    _lock: threading.Lock = field(init=False, default_factory=threading.Lock)
    _loop: asyncio.AbstractEventLoop = field(init=False, default_factory=asyncio.new_event_loop)
    _thread: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        listening = threading.Event()
        self._thread = threading.Thread(target=self._serve, args=(listening,), daemon=True)
        self._thread.start()
        listening.wait()

    def read(self) -> Traffic:
        """All that has passed."""
        with self._lock:
            return self._traffic

    def close(self) -> None:
        """End all connections and listen no more."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def count(self, *, round_trips: int = 0, connections: int = 0, sent: int = 0, received: int = 0) -> None:
        with self._lock:
            now = self._traffic
            self._traffic = replace(
                now,
                round_trips=now.round_trips + round_trips,
                connections=now.connections + connections,
                sent=now.sent + sent,
                received=now.received + received,
            )

    def _serve(self, listening: threading.Event) -> None:
        loop = self._loop
        asyncio.set_event_loop(loop)
        server = loop.run_until_complete(asyncio.start_server(self._connect, "127.0.0.1", 0, limit=_PIECE))
        self.port = server.sockets[0].getsockname()[1]
        listening.set()
        loop.run_forever()
        server.close()
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        loop.close()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.CancelledError):  # by `close`
            await self._carry(reader, writer)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.count(connections=1)
        number = self.read().connections
        await asyncio.sleep(3 * self.delay)  # of TCP's handshake; the greeting takes the same way back
        try:
            from_server, to_server = await asyncio.open_connection(self.host, self.target_port, limit=_PIECE)
        except OSError:
            writer.transport.abort()
            return
        talk = _Talk(self, number)
        ways = (
            _Way(self, reader, to_server, on_arrival=talk.ask),
            _Way(self, from_server, writer, on_delivery=talk.answer),
        )
        try:
            async with asyncio.TaskGroup() as both:
                for way in ways:
                    both.create_task(way.take())
                    both.create_task(way.deliver())
        except* OSError:
            pass
        finally:
            for each in (writer, to_server):
                with suppress(RuntimeError):
                    each.transport.abort()


@dataclass
class _Talk:
    """Who speaks on a connection, as the client sees it."""

    proxy: Distance
    number: int
    _answered: bool = False
    _left: int = 0
    """Bytes of the packet that has begun."""
    _buffer: bytes = b""

    def ask(self, data: bytes) -> None:
        begins, self._answered = self._answered, False
        self.proxy.count(round_trips=int(begins), sent=len(data))
        if self.proxy.listing:
            self._list(data)

    def answer(self, data: bytes) -> None:
        self._answered = True
        self.proxy.count(received=len(data))

    def _list(self, data: bytes) -> None:
        """The packets of statements that begin in `data`."""
        data, self._buffer = self._buffer + data, b""
        while data:
            if self._left:
                passed = min(self._left, len(data))
                self._left -= passed
                data = data[passed:]
                continue
            if len(data) <= _HEAD:
                self._buffer = data
                return
            size = int.from_bytes(data[:3], "little")
            if data[3] == 0 and data[4] == _QUERY:
                text = data[_HEAD + 1 : _HEAD + size][:_SHOWN].decode("utf-8", "replace")
                self.proxy.requests.append(Request(time.monotonic(), self.number, " ".join(text.split())))
            self._left, data = size, data[_HEAD:]


def _ignore(_data: bytes) -> None:
    return


@dataclass
class _Way:
    """One direction of a connection."""

    proxy: Distance
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    on_arrival: Callable[[bytes], None] = _ignore
    on_delivery: Callable[[bytes], None] = _ignore
    _under_way: deque[tuple[float, bytes]] = field(default_factory=deque)
    _bytes: int = 0
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _sent_at: float = 0.0

    async def take(self) -> None:
        while True:
            while self._bytes > _IN_FLIGHT:
                self._changed.clear()
                await self._changed.wait()
            data = await self.reader.read(_PIECE)
            if data:
                self.on_arrival(data)
            self._sent_at = max(time.monotonic(), self._sent_at)
            if self.proxy.bytes_a_second is not None:
                self._sent_at += len(data) / self.proxy.bytes_a_second
            self._under_way.append((self._sent_at + self.proxy.delay, data))
            self._bytes += len(data)
            self._changed.set()
            if not data:
                return

    async def deliver(self) -> None:
        while True:
            while not self._under_way:
                self._changed.clear()
                await self._changed.wait()
            at, data = self._under_way.popleft()
            if (left := at - time.monotonic()) > 0:
                await asyncio.sleep(left)
            if not data:
                if self.writer.can_write_eof():
                    self.writer.write_eof()
                return
            self.on_delivery(data)
            self.writer.write(data)
            await self.writer.drain()
            self._bytes -= len(data)
            self._changed.set()


def summarise(requests: list[Request], *, most: int = 60) -> str:
    """How often each kind of statement was sent, the most frequent first."""
    counted = Counter(request.text[:90] for request in requests)
    return "\n".join(f"{count:6}  {text}" for text, count in counted.most_common(most))
