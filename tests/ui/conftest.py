"""Pages without a browser."""

from collections.abc import Iterator
from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner


@pytest.fixture(scope="session", autouse=True)
def _components_are_looked_for_once() -> Iterator[None]:
    """Look for Streamlit components among the installed packages once, not once a page.

    A server looks once, too. `AppTest` reads the metadata of every package for each new page,
    which takes longer than drawing it.
    """
    once = cache(manifest_scanner.scan_component_manifests)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", once)
        yield
