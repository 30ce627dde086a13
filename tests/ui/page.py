"""A page without a browser."""

import json
import re
from contextlib import suppress
from html import unescape
from pathlib import Path

from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.runtime.state.common import user_key_from_element_id
from streamlit.testing.v1.element_tree import Element

from synth.errors import SynthError
from synth.llms.endpoint import OPENAI, origin
from tests.ui.apptest import AppTest
from ui.runs.start import Runs
from ui.session import keys as session
from ui.session import workspace
from ui.settings import hosts
from ui.settings.schema import DEFAULT, from_texts, is_setting
from ui.workspaces.files import from_json, select_saved, to_json

APP = str(Path(__file__).parents[2] / "app.py")
SESSION = {
    session.OPEN_CALL,
    session.COMPARE_QUESTION,
    session.EDITED_CHUNK,
    session.STEP,
    session.OWN_TEXT,
    session.SHARE_OPEN,
    session.CONTRACT_OPEN,
    session.TICKED_RUNS,
}
"""What the pages keep in the session and no widget holds: which one of several is open."""

Panel = tuple[str | None, object]
PANELS: list[Panel] = [(session.INPUTS, name) for name in ("Limits", "Templates", "Chunks")]
PANELS[2:2] = [(session.VERSIONS_OPEN, True)]  # which is among the templates
PANELS += [(session.MODEL_OPEN, True)]
"""What of the pages is drawn only while it is open: a key of the session, and its value then."""
_panel_of: dict[str, Panel] = {}  # by the name of a widget, as it was found before
_WITHOUT_WIDGET = {"chunks", "prices"}


def settings_in(space):
    return space.values.get(session.SETTINGS, DEFAULT)


def comes_back(values):
    """What is kept of these values of a workspace, as another server reads it."""
    return from_json(json.loads(json.dumps(to_json(select_saved(values)))))


class Page:
    """A page, drawn once with these settings in its workspace; chunks are given as texts."""

    script: str | None = None  # of a page in pages/; the app opens on the Playground
    agreed = True  # whether the person chose all addresses of the workspace in this session

    def __init__(self, **settings):
        self.space = workspace.registry().find(None)
        if "chunks" in settings:
            settings["chunks"] = from_texts(settings["chunks"], "test")
        self.put(**settings)
        self.open()

    @classmethod
    def of(cls, space, **params):
        """The page in a workspace that is there, opened at an address with these parameters."""
        page = cls.__new__(cls)
        page.space = space
        return page.open(**params)

    def put(self, **values):
        changes = {name: value for name, value in values.items() if is_setting(name)}
        self.space.values.update({name: values[name] for name in values.keys() - changes.keys()})
        self.space.values[session.SETTINGS] = self.settings.with_(changes)

    @property
    def settings(self):
        return settings_in(self.space)

    def open(self, **params):
        """Load the page as a browser does that knows only the address, and draw it."""
        self.load(**params)
        return self.draw()

    def load(self, **params):
        """Come to the page, which is not drawn yet."""
        self.at = AppTest.from_file(APP, default_timeout=180)
        if self.script is not None:
            self.at.switch_page(self.script)
        for name, value in {"w": self.space.id, **params}.items():
            self.at.query_params[name] = value

    def turn_to(self, kind):
        page = kind.__new__(kind)
        page.space, page.at = self.space, self.at
        self.at.switch_page(kind.script or "app.py")
        return page.draw()

    def draw(self):
        if self.agreed:
            self._agree()
        self.at.run()
        assert not self.at.exception, self.at.exception[0]
        return self

    def _agree(self):
        """Choose the addresses of the page and of the columns, those that are none left out."""
        state, name = self.at.session_state, session.CONFIRMED_HOSTS
        columns = self.space.values.get(session.COLUMNS, ())
        own = [column.override("base_url") for column in columns]
        hosts = set(state[name]) if name in state else set()
        for address in filter(None, (OPENAI, self.settings.base_url, *own)):
            with suppress(SynthError):
                hosts.add(origin(address))
        state[name] = frozenset(hosts)

    def type_key(self, key, address=None):
        """Type a key for an address, else for that of the page."""
        address = address or self.settings.base_url or OPENAI
        self.at.session_state[hosts.key_name(address)] = key
        return self.draw()

    @property
    def job(self):
        return self.space.holding(Runs).job

    def enter(self, key, value):
        """Enter a value into the widget with this key, which keeps it as for a person."""
        self.find(key).set_value(value)
        return self.draw()

    def find(self, key):
        """The widget with this key, whose panel is opened."""
        self.reach(key)
        return self.widgets[key]

    def reach(self, name):
        """Open the panel that has a widget or a button of this name; say whether there is one."""
        state = self.at.session_state
        before = {key: state[key] for key, _ in PANELS if key in state}
        known = [panel for panel in PANELS if panel == _panel_of.get(name)]
        for key, opened in (None, None), *known, *PANELS:
            if key in state and state[key] != opened:
                state[key] = opened
                self.draw()
            buttons = {word for one in self.at.button for word in (one.key, one.label)}
            if name in self.keys or name in buttons:
                _panel_of[name] = key, opened
                return True
        for key, opened in before.items():
            state[key] = opened
        return False

    def set(self, **settings):
        """Enter values one after another into widgets, which keep them as for a person.

        A setting without a widget on this page gets its value in the workspace.
        """
        drawn = False
        for name, value in settings.items():
            reached = name not in SESSION | _WITHOUT_WIDGET and self.reach(name)
            known = reached or name in SESSION or is_setting(name)
            assert known, f"No widget of this page has the key {name}."
            drawn = is_setting(name) and reached
            if drawn:
                self.enter(name, value)
            elif is_setting(name):
                self.put(**{name: value})
            else:
                self.at.session_state[name] = value
        return self if drawn else self.draw()

    @property
    def widgets(self):
        drawn = [one for part in (self.at.main, self.at.sidebar) for one in part]
        ids = [(getattr(one.proto, "id", ""), one) for one in drawn if isinstance(one, Element)]
        keys = [(user_key_from_element_id(id), one) for id, one in ids if id]
        return {key: one for key, one in keys if key}

    @property
    def keys(self):
        return self.widgets.keys()

    def press(self, name):
        """Press the button with this key, or with this label."""
        self.reach(name)
        self.find_button(name).click()
        return self.draw()

    def tell(self, key, event, value):
        """Tell what the script of the component with this key tells."""
        states = self.at._tree.get_widget_states()
        id = _make_trigger_id(self.widgets[key].proto.id, "events")
        told = json.dumps([{"event": event, "value": value}])
        states.widgets.add(id=id, json_trigger_value=told)
        self.at._run(states)
        return self

    def finish(self, button="run_button"):
        """Press Run, or what goes on with a run, and look when the run has ended."""
        self.press(button)
        self.job.wait()
        return self.draw() if "stop_button" in self.keys else self

    def scene(self, key):
        """The HTML of the picture with this key."""
        return json.loads(self.widgets[key].proto.json)["html"]

    def find_button(self, name):
        [button] = [one for one in self.at.button if name in (one.key, one.label)]
        return button

    @property
    def text(self):
        """All of our own HTML on the page, without the explanations of its terms."""
        return re.sub("</?dfn.*?>|<script>.*?</script>", "", self.html, flags=re.DOTALL)

    @property
    def said(self):
        """What a person reads of it, without the tags."""
        return unescape(re.sub("<[^>]+>", "", self.text))

    @property
    def html(self):
        return "\n".join(part.proto.body for part in self.at.main if part.type == "html")

    @property
    def said_of_model(self):
        """What a person reads while the model is open in the menu."""
        self.reach("model")
        return self.said

    @property
    def downloads(self):
        return [one.label for one in self.at.get("download_button")]


def endpoint(server, **settings):
    return Playground(model="endpoint", base_url=server.base_url, model_name="m", **settings)


class Playground(Page):
    def set(self, mode=None, **settings):
        """Enter values; a mode is chosen by its card."""
        if mode is not None:
            if f"mode {mode}" not in self.keys:
                self.press("other_modes")
            self.press(f"mode {mode}")
        return super().set(**settings) if settings or mode is None else self

    def finish(self, button="run_button", view="answer"):
        """Press Run, and look at this view of the run when it has ended, if it has the picture."""
        super().finish(button)
        if session.VIEW in self.keys and self.at.session_state[session.VIEW] == "picture":
            self.enter(session.VIEW, view)
        return self

    def paste(self, text):
        return self.enter("pasted", text).press("use_text")

    @property
    def chunks(self):
        """The texts of the chunks, those that are switched off too."""
        return tuple(chunk.text for chunk in self.settings.chunks)

    def do(self, *acts):
        """Do this in the list of chunks."""
        return self.tell("chunk_list", "done", acts)

    def given(self, key):
        """What the component with this key is given to show."""
        return json.loads(self.widgets[key].proto.json)

    @property
    def can_run(self):
        return not self.find_button("run_button").disabled
