"""The address of what is kept as it was; it leads to the Playground, whose Share deletes it."""

import streamlit as st

st.switch_page("app.py", query_params=dict(st.query_params))
