"""A page with next to nothing on it: how fast Streamlit and the browser are by themselves.

streamlit run benchmarks/floor.py
"""

import streamlit as st

tokens = int(st.number_input("Context window", value=1_024))
with st.container(key="head"):
    st.html(f'<div class="lede">{tokens:,} tokens</div>')
figure = {"data": [{"type": "bar", "y": [tokens]}], "layout": {"height": 200}}
st.plotly_chart(figure, key="bar")
