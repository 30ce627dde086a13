"""A browser tab without a browser: one session over the websocket that Streamlit's pages use.

It keeps the widgets that the server has sent, sends the values of all of them with each edit
as a browser does, and waits until the script has ended.
"""

import asyncio
import re
import time
from typing import Any, Self
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.widgets import first_state, name_of, state, widget

MARKER = re.compile(rb"marker-\d{6}")
_SWITCH, _PANELS = "inputs_shown", ("Chunks", "Limits", "Templates")
_FAILS = "This page fails."
_PATIENCE = 60  # seconds until an edit that has no end is an error


class Leak(Exception):
    """A session got text that belongs to another one."""


class Visitor:
    """An open page; `marker` stands in all text of its own, and in nobody else's.

    `query` is what follows the question mark in the address that it opens: by itself a new
    workspace, since the bare address opens the one that was left last; `page` is what stands in
    the address before that, nothing for the Playground.
    `handshake` is what `websockets.connect` gets instead of an honest visitor's.

    Each of its actions returns the milliseconds from the message that was sent to the end of
    the script. `messages` counts what the server sent, `size` its bytes.
    """

    def __init__(
        self, url: str, marker: str, query: str = "w=new", page: str = "", **handshake: Any
    ) -> None:
        self.marker = marker
        self.messages = 0
        self.size = 0
        self._url = url
        self._elements: dict[str, Element] = {}  # the widgets on the page, by name
        self._states: dict[str, WidgetState] = {}
        self._fragments: dict[str, str] = {}  # in which the widgets stand
        self._paths: dict[str, tuple[int, ...]] = {}  # to them, from container to container
        self._panels: dict[str, set[str]] = {}  # the widgets that each has brought
        self._page = self._page_name = ""
        self._query = query
        self._handshake = {
            "uri": f"ws://{urlsplit(url).netloc}/_stcore/stream",
        } | handshake
        self._ended = asyncio.Event()
        self._polling: dict[str, asyncio.Task[None]] = {}

    async def __aenter__(self) -> Self:
        self._socket: ClientConnection = await connect(
            max_size=None, compression=None, open_timeout=_PATIENCE, **self._handshake
        )
        self._listening = asyncio.create_task(self._listen())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._stop_polling()
        self._listening.cancel()
        await self._socket.close()

    async def open(self) -> float:
        """Draw the page for the first time."""
        return await self._edit()

    async def go(self, page: str) -> float:
        """Open another page, named as in the address, in the same workspace."""
        self._page, self._page_name = "", page
        return await self._edit()

    async def reach(self, name: str) -> None:
        """Show the panel of the inputs that has a widget of this name, if none has it now."""
        known = [panel for panel, names in self._panels.items() if name in names]
        for panel in (*known, *_PANELS):
            if name in self._elements or _SWITCH not in self._elements:
                return
            before = set(self._elements)
            self._states[_SWITCH] = state(self._elements[_SWITCH], [panel])
            await self._edit(self._fragments[_SWITCH])
            self._panels[panel] = self._panels.get(panel, set()) | (set(self._elements) - before)

    async def put(self, name: str, value: object) -> float:
        """Give a widget another value; to show the panel that it is in takes no time of that."""
        await self.reach(name)
        self._states[name] = state(self._elements[name], value)
        return await self._edit(self._fragments[name])

    async def press(self, name: str, until: str | None = None) -> float:
        """Press a button; with `until`, wait until there is a widget of that name."""
        await self.reach(name)
        began = time.perf_counter()
        pressed = state(self._elements[name], True)
        async with asyncio.timeout(2 * _PATIENCE):  # a page that looks again and again has no end
            await self._edit(self._fragments[name], pressed)
            while until is not None and until not in self._elements:
                self._ended.clear()
                await self._end()
        return 1_000 * (time.perf_counter() - began)

    def has(self, name: str) -> bool:
        """Whether there is a widget of that name which can be used."""
        return name in self._elements and not widget(self._elements[name]).disabled

    def text(self, name: str) -> str:
        """What a text area holds."""
        return self._states[name].string_value

    async def _edit(self, fragment: str = "", pressed: WidgetState | None = None) -> float:
        began = time.perf_counter()
        self._ended.clear()
        await self._rerun(fragment, pressed)
        await self._end()
        return 1_000 * (time.perf_counter() - began)

    async def _end(self) -> None:
        """Wait for the end of a script."""
        waiting = asyncio.create_task(self._ended.wait())
        done, _ = await asyncio.wait(
            (waiting, self._listening), timeout=_PATIENCE, return_when=asyncio.FIRST_COMPLETED
        )
        waiting.cancel()
        if self._listening in done:
            self._listening.result()
            raise ConnectionError("The server closed the connection.")
        if not done:
            raise TimeoutError(f"The script had no end within {_PATIENCE} s.")

    async def _rerun(self, fragment: str, pressed: WidgetState | None, auto: bool = False) -> None:
        message = BackMsg()
        rerun = message.rerun_script
        rerun.query_string, rerun.page_script_hash = self._query, self._page
        rerun.page_name = self._page_name
        rerun.fragment_id, rerun.is_auto_rerun = fragment, auto
        rerun.widget_states.widgets.extend(self._states.values())
        if pressed is not None:
            rerun.widget_states.widgets.append(pressed)
        rerun.context_info.url = self._url
        await self._socket.send(message.SerializeToString())

    async def _listen(self) -> None:
        async for data in self._socket:
            assert isinstance(data, bytes)
            if others := set(MARKER.findall(data)) - {self.marker.encode()}:
                raise Leak(f"{self.marker} was sent text of {sorted(others)}.")
            self.messages += 1
            self.size += len(data)
            self._take(ForwardMsg.FromString(data))

    def _take(self, message: ForwardMsg) -> None:
        match message.WhichOneof("type"):
            case "new_session":
                self._page = message.new_session.page_script_hash
                self._before = set()
                if not message.metadata.run.fragment_ids:
                    self._stop_polling()
                    self._before = set(self._elements)
            case "delta":
                self._draw(message.delta, tuple(message.metadata.delta_path))
            case "page_info_changed":
                self._query = message.page_info_changed.query_string
            case "auto_rerun":
                fragment = message.auto_rerun.fragment_id
                if known := self._polling.pop(fragment, None):
                    known.cancel()
                self._polling[fragment] = asyncio.create_task(self._poll(message.auto_rerun))
            case "script_finished":
                self._finish(message)

    def _draw(self, delta: Delta, path: tuple[int, ...]) -> None:
        if delta.WhichOneof("type") == "add_block":  # a new one, in which nothing stands yet
            inside = (name for name, at in self._paths.items() if at[: len(path)] == path)
            self._before.update(inside)
        element = delta.new_element
        if element.WhichOneof("type") == "exception" or _FAILS in element.html.body:
            raise RuntimeError(f"The page fails: {element.exception.message or element.html.body}")
        if widget(element) is None:
            return
        name = name_of(element)
        known = self._elements.get(name)
        self._elements[name], self._fragments[name] = element, delta.fragment_id
        self._paths[name] = path
        self._before.discard(name)
        again = known is not None and widget(known).id == widget(element).id
        if again and not getattr(widget(element), "set_value", False):
            return
        self._states.pop(name, None)
        if (first := first_state(element)) is not None:
            self._states[name] = first

    def _finish(self, message: ForwardMsg) -> None:
        if message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            return
        for name in self._before:  # widgets that the page has no longer
            del self._elements[name], self._fragments[name], self._paths[name]
            self._states.pop(name, None)
        self._before = set()
        self._ended.set()

    async def _poll(self, auto_rerun: Any) -> None:
        while True:
            await asyncio.sleep(auto_rerun.interval)
            await self._rerun(auto_rerun.fragment_id, None, auto=True)

    def _stop_polling(self) -> None:
        for polling in self._polling.values():
            polling.cancel()
        self._polling.clear()
