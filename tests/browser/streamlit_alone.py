"""A page with nothing but Streamlit, for test_streamlit.py."""

import streamlit as st

state = st.session_state


@st.fragment
def part() -> None:
    """A part of the page with a text field of its own."""
    st.write(f"In the part: {st.text_input('Entry')}.")


def count(name: str) -> None:
    """Remember that a button was pressed."""
    state[name] = state.get(name, 0) + 1


st.set_page_config(layout="wide")
st.sidebar.write("In the sidebar")
if state.get("started"):
    st.html('<p class="lede">It has started.</p>')
else:
    st.button("Start", on_click=count, args=("started",))
field = st.text_input("Field")
st.button("Press", key=f"press {field}", on_click=count, args=("pressed",))
st.button("Shortcut", shortcut="Ctrl+Enter", on_click=count, args=("shortcut",))
area = st.text_area("Area")
if st.button("Address"):
    st.query_params["number"] = str(len(st.query_params) + 1)
with st.popover("Popover"):
    st.write("In the popover")
st.html('<div id="drawing">A drawing <svg width="9" height="9"><path d="M0 0h9"/></svg></div>')
st.write(f"Field: {field}. Pressed: {state.get('pressed', 0)}. Area: {len(area)}.")
st.write(f"Shortcut: {state.get('shortcut', 0)}.")
part()
