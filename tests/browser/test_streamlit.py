"""What Streamlit 1.67 does by itself: for each of these there is a part of ui/look/page.js.

For what a server drops that was started anew, it is in ui/frame.py. A test that fails here means
that Streamlit was mended, and that this part can go.
"""

from inspect import signature
from pathlib import Path

import streamlit as st
from playwright.sync_api import Page, expect

from benchmarks.served import free_ports, served

ALONE = str(Path(__file__).with_name("streamlit_alone.py"))


def test_what_streamlit_does_by_itself(tab: Page):
    port = free_ports(1)
    with served(ALONE, port=port) as app:
        tab.goto(app.url)
        tab.get_by_text("Shortcut: 0.").wait_for()
        of_the_focus_and_of_what_is_said(tab)
        of_what_is_typed_and_pressed_and_of_the_address(tab)
        of_what_is_drawn(tab, app.url)
    an_edit_in_a_part_is_dropped_by_a_server_that_was_started_anew(tab, port)


def of_the_focus_and_of_what_is_said(alone: Page):
    alone.get_by_role("button", name="Start").press("Enter")
    alone.get_by_text("It has started.").wait_for()
    expect(alone.get_by_role("button", name="Start")).to_have_count(0)
    assert alone.evaluate("document.activeElement === document.body")
    said = alone.locator("[role=status], [aria-live]", has_text="It has started.")
    expect(said).to_have_count(0)


def of_what_is_typed_and_pressed_and_of_the_address(alone: Page):
    area = alone.get_by_role("textbox", name="Area")
    area.press_sequentially("abc")
    alone.wait_for_timeout(1000)
    alone.get_by_text("Area: 0.").wait_for()  # a text area reports nothing while somebody types
    area.press("Control+Enter")  # a shortcut works in a text field, too
    alone.get_by_text("Shortcut: 1.").wait_for()
    # A press on a button that is replaced meanwhile is no click.
    alone.get_by_role("textbox", name="Field").fill("x")
    alone.get_by_role("button", name="Press").hover()
    alone.mouse.down()
    alone.get_by_text("Field: x.").wait_for()
    alone.mouse.up()
    alone.get_by_role("button", name="Shortcut").click()
    alone.get_by_text("Shortcut: 2.").wait_for()
    alone.get_by_text("Pressed: 0.").wait_for()
    before = alone.url
    alone.get_by_role("button", name="Address").click()
    alone.wait_for_url("**number=1**")
    alone.go_back()
    assert alone.url == before  # a change is an entry of the history


def of_what_is_drawn(alone: Page, address: str):
    alone.emulate_media(color_scheme="dark")
    alone.set_viewport_size({"width": 900, "height": 900})
    alone.goto(address)
    alone.get_by_text("In the sidebar").wait_for()  # which is open on a narrow page
    alone.set_viewport_size({"width": 1440, "height": 900})
    expect(alone.locator("#drawing")).to_have_text("A drawing")  # HTML is shown without its SVG
    expect(alone.locator("#drawing svg")).to_have_count(0)
    # Popovers hang outside of the element that has the scheme.
    app = alone.locator(".stApp")
    expect(app).to_have_css("color-scheme", "dark")
    alone.get_by_role("button", name="Popover").click()
    alone.get_by_text("In the popover").wait_for()
    expect(app.get_by_text("In the popover")).to_have_count(0)
    assert alone.evaluate("getComputedStyle(document.documentElement).colorScheme") == "normal"


def an_edit_in_a_part_is_dropped_by_a_server_that_was_started_anew(alone: Page, port: int):
    connection = alone.get_by_test_id("stApp")
    expect(connection).not_to_have_attribute("data-test-connection-state", "CONNECTED")
    with served(ALONE, port=port):
        expect(connection).to_have_attribute("data-test-connection-state", "CONNECTED")
        field = alone.get_by_role("textbox", name="Entry")
        field.fill("new")
        field.press("Enter")
        alone.wait_for_timeout(1000)
        alone.get_by_text("In the part: .").wait_for()


def test_nothing_moves_the_focus():
    assert not {"autofocus", "focus"} & set(signature(st.text_area).parameters)
