"""The address of what applications send as it was; it leads to Runs, where that stands now."""

import streamlit as st

st.switch_page("pages/runs.py", query_params=dict(st.query_params))
