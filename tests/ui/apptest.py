"""AppTest of Streamlit, which shows after an edit what a browser shows, and takes less time."""

from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner import ScriptRunnerEvent
from streamlit.runtime.scriptrunner_utils import script_run_context
from streamlit.testing.v1 import app_test
from streamlit.testing.v1.element_tree import Block

AppTest = app_test.AppTest

# A server looks once for the components among the packages that are installed. AppTest reads the
# metadata of all packages for each new page, which takes longer than drawing it; there are none.
manifest_scanner.scan_component_manifests = lambda *_: []

# No browser keeps a message by its hash.
setattr(script_run_context, "populate_hash_if_needed", id)  # noqa: B010


class _Browser(app_test.LocalScriptRunner):
    """Shows beside the parts that an edit draws again what it leaves, as a browser does.

    Streamlit's own shows those parts alone, so that all of the page had to be drawn for it anew.
    """

    def forward_msgs(self):
        events = zip(self.events, self.event_data, strict=True)
        starts = [data for event, data in events if event is ScriptRunnerEvent.SCRIPT_STARTED]
        again = starts[-1]["fragment_ids_this_run"] or ()
        kept, gone = [], set()
        for message in getattr(self._fragment_storage, "shown", ()) if again else ():
            path = (*message.metadata.delta_path,)
            if message.delta.fragment_id in again:
                gone.add(path)
            elif gone.isdisjoint(path[:end] for end in range(len(path))):
                kept.append(message)
        self._fragment_storage.shown = kept + super().forward_msgs()
        return self._fragment_storage.shown

    def script_stopped(self):  # which is asked a thousand times a second
        self._script_thread.join(60)
        return super().script_stopped()

    def run(self, *args, **options):
        # A server knows in a part of the page, too, which pages there are.
        if (pages := getattr(self._fragment_storage, "pages", None)) is not None:
            self._pages_manager._set_pages(pages)
        tree = super().run(*args, **options)
        self._fragment_storage.pages = self._pages_manager.get_pages()
        _in_place(tree)
        return tree


def _in_place(node):
    """Put what is below a node of the page in its order there, also what was drawn later."""
    node.children = dict(sorted(node.children.items()))
    for child in node.children.values():
        if isinstance(child, Block):
            _in_place(child)


setattr(app_test, "LocalScriptRunner", _Browser)  # noqa: B010
