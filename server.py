"""The server that people start: the app, whose first words stand before its code has come."""

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from starlette.middleware import Middleware

from ui.headers import Guarded
from ui.look.first_words import FirstWords
from ui.received.receiver import ROUTE
from ui.session.host import host


@asynccontextmanager
async def _stopped_as_usual(_: st.App) -> AsyncIterator[None]:
    """Let Python's exit handlers run when the server is stopped: one saves the latest edits.

    Once all connections are closed, uvicorn would kill the process by the signal that stopped it.
    """
    yield
    if os.name == "posix":  # Windows blocks no signals
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])


host()  # a server whose settings are wrong must not start
app = st.App(
    "app.py",
    routes=[ROUTE],
    lifespan=_stopped_as_usual,
    middleware=[Middleware(Guarded), Middleware(FirstWords)],
)
