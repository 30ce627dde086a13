"""Whom the pages take for the visitor: whoever a known proxy names, and nobody else."""

from pathlib import Path

import pytest

from benchmarks.served import served
from benchmarks.visitor import Visitor

SCRIPT = 'import streamlit as st\nst.text_area("ip", value=str(st.context.ip_address))\n'


@pytest.mark.parametrize(("proxies", "visitor"), [("", "203.0.113.9"), ("10.0.0.1", "None")])
async def test_an_address_is_believed_of_a_known_proxy_from_the_right(
    proxies: str, visitor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    script = tmp_path / "address.py"
    script.write_text(SCRIPT)
    if proxies:
        monkeypatch.setenv("FORWARDED_ALLOW_IPS", proxies)
    with served(str(script)) as app:
        sent = {"X-Forwarded-For": "198.51.100.7, 203.0.113.9"}
        async with Visitor(app.url, "marker", additional_headers=sent) as page:
            await page.open()
            assert page.text("ip") == visitor
