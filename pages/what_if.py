"""The address of What if as it was; it leads to the Playground, whose By window it is now."""

import streamlit as st

st.switch_page("app.py", query_params=dict(st.query_params))
