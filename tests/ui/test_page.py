"""The page that tests drive: it takes no key that nothing on it has."""

import pytest

from tests.ui.page import Playground


def test_a_key_that_no_widget_has_is_refused():
    page = Playground()
    for key in ("result_view", "view", "run", "variable tone"):
        with pytest.raises(AssertionError, match=f"No widget of this page has the key {key}."):
            page.set(**{key: "Calls"})


def test_keys_of_widgets_of_settings_and_of_the_session_are_taken():
    page = Playground().set(plan_view="calls", model_name="m", call=2)
    assert "<b>Call 2</b> of 2" in page.text
    assert page.finish().set(view="calls").keys >= {"view", "call_alone"}
