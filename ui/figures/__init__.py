"""Charts of plans and runs in Plotly's terms: pure functions of data, without Streamlit."""
