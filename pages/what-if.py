"""The address of What if as many type it; it leads to the one that its links have."""

import streamlit as st

st.switch_page("pages/what_if.py", query_params=dict(st.query_params))
