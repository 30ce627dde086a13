"""A planted key is found nowhere: not in the database, not beside it, not in logs or files."""

import logging
import zlib
from pathlib import Path

import pytest

from synth.export.files import pack, unpack
from synth.export.programs import Contract
from tests.fake_openai import Answer, Failure, FakeOpenAI
from tests.ui.page import Playground, endpoint
from tests.ui.store.recorded import renewed
from ui.export.run_files import run_downloads
from ui.store.rows import metadata, write_file
from ui.store.runs import load_run
from ui.store.store import ADDRESS, current_store
from ui.workspaces import files, saving

pytestmark = pytest.mark.slow

KEY = "sk-planted-0123456789"
PASSWORD = "planted-password"


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv(ADDRESS, f"sqlite:///{tmp_path / 'history.sqlite3'}")
    renewed(monkeypatch)
    return tmp_path


def decompressed(store) -> bytes:
    with store.read() as connection:
        rows = [
            row for table in metadata.sorted_tables for row in connection.execute(table.select())
        ]
    bodies = [zlib.decompress(cell) for row in rows for cell in row if isinstance(cell, bytes)]
    return b"\n".join(bodies)


def exported(page) -> list[str]:
    made = [download.make() for download in run_downloads(page.job, page.job.trace)]
    contract = Contract(page.job.request, page.job.trace.log())
    text = files.write(page.space.values, indent=None)
    shown = page.open().html
    found = [contract.text(), text, unpack(pack(text)), shown]
    return found + [one.decode("latin-1") if isinstance(one, bytes) else one for one in made]


def test_a_planted_key_is_found_nowhere(folder, caplog):
    caplog.set_level(logging.DEBUG)
    rejected = Failure(401, f"Incorrect API key provided: {KEY}.")
    echoed = Failure(400, f"Bad header: 'Authorization: Bearer {KEY}'.")
    coded = Failure(400, f"Bad header: {KEY.upper()}, or its beginning {KEY[:12]}...")
    with FakeOpenAI(Answer("fine"), rejected, echoed, coded, Answer("fine")) as server:
        pages = []
        for question in ("Why?", "What?", "Who?", "When?"):
            page = endpoint(server, mode="generation", query_str=question)
            pages.append(page.type_key(KEY).finish())
        secret = server.base_url.replace("://", f"://me:{PASSWORD}@") + f"?key={PASSWORD}"
        pages.append(
            Playground(model="endpoint", base_url=secret, model_name="m", mode="generation")
        )
        pages[-1].finish()
    saver = saving.Saver(saving.workspace.registry(), current_store())
    saver.save()
    assert saver.problem is None
    store = current_store()
    left = []
    for page in pages:
        assert not page.job.unsaved
        left.append(write_file(load_run(store, page.space.id, page.job.run)))
        left += exported(page)
    saved = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    unpacked = decompressed(store)
    store.close()
    assert b"Why?" in unpacked
    assert b"[key]" in unpacked  # what a server says of a key is kept without it
    for place in (saved, unpacked, "".join(left).encode(), caplog.text.encode()):
        for form in (KEY, KEY.upper(), KEY[:12]):
            assert form.encode() not in place
        assert PASSWORD.encode() not in place
