"""The server that people start: the app, whose first words stand before its code has come."""

import os
import signal
import webbrowser
from collections.abc import AsyncIterator
from concurrent.futures import wait
from contextlib import asynccontextmanager
from threading import Timer

import streamlit as st
from starlette.middleware import Middleware

from synth.terminal import FILES
from ui.headers import Guarded
from ui.received.receiver import ROUTE, load_first


@asynccontextmanager
async def _lifespan(_: st.App) -> AsyncIterator[None]:
    """Load what pages need before one is opened; at the end stop all runs, and let Python exit.

    A run would go on to the end of its batch, since Python waits for the threads that make its
    calls. One of Python's exit handlers saves the latest edits: once all connections are closed,
    uvicorn would kill the process by the signal that stopped it. No module can be loaded once
    Python ends, so the loading ends first.
    """
    loading = load_first("ui.frame")
    if FILES:  # the port is this server's, and it listens in a moment
        url = f"http://{st.get_option('server.address')}:{st.get_option('server.port')}"
        Timer(1, webbrowser.open, [url]).start()
    yield
    wait([loading])
    from ui.session.workspace import registry  # noqa: PLC0415  a server starts without it

    for space in registry().all():
        space.stop()
    if os.name == "posix":  # Windows blocks no signals
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])


def _say(problem: Exception) -> bool:
    """Say that a page failed as nobody foresaw; Streamlit itself would speak of its cloud."""
    from ui.look.elements import error_box  # noqa: PLC0415  a server starts without it

    error_box(
        "This page fails.",
        f"It is a defect of this app ({type(problem).__name__}): load the page again, or go on with"
        " another one. If it comes back, report it with what the log of the server says.",
    )
    return True


app = st.App(
    "app.py",
    routes=[ROUTE],
    lifespan=_lifespan,
    on_script_error=_say,
    middleware=[Middleware(Guarded)],
)
