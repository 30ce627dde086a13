"""The server that people start: the app, whose first words stand before its code has come."""

import streamlit as st
from starlette.middleware import Middleware

from ui.look.first_words import FirstWords

app = st.App("app.py", middleware=[Middleware(FirstWords)])
