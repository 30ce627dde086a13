"""The address of traces as it was; it leads to Runs, where they open now."""

import streamlit as st

st.switch_page("pages/runs.py", query_params=dict(st.query_params))
