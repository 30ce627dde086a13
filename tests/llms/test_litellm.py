"""A real LiteLLM proxy, if there is one: docs/reliability.md says how to get it.

LITELLM is the path of its command; without it, a `litellm` on the path is taken.
"""

import os
import secrets
import shutil
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

from synth import get_response_synthesizer
from synth.errors import BadResponse, ModelError
from synth.llms import OpenAILLM
from synth.llms.listing import list_models
from synth.modes.registry import MODES
from tests.llms.ways import CHUNKS, DRIVES, PLAIN

COMMAND = os.environ.get("LITELLM") or shutil.which("litellm")
CONFIG = """
model_list:
  - model_name: mock
    litellm_params: {model: openai/mock, api_key: none, mock_response: "It was the valve."}
"""

KEY = f"sk-{secrets.token_hex(32)}"
# With its own list of prices it asks nobody but this machine.
SETTINGS = {"LITELLM_MASTER_KEY": KEY, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}

pytestmark = pytest.mark.skipif(COMMAND is None, reason="needs LiteLLM's proxy")


@pytest.fixture(scope="module")
def proxy(tmp_path_factory):
    folder: Path = tmp_path_factory.mktemp("litellm")
    (folder / "config.yaml").write_text(CONFIG)
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = str(found.getsockname()[1])
    command = [COMMAND, "--config", "config.yaml", "--host", "127.0.0.1", "--port", port]
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen(
            command, cwd=folder, env=os.environ | SETTINGS, stdout=log, stderr=log
        ) as process,
    ):
        try:
            address = f"http://127.0.0.1:{port}"
            assert answers(f"{address}/health/liveliness", process), (folder / "log").read_text()
            yield f"{address}/v1"
        finally:
            process.terminate()


def answers(url, process):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for _ in range(600):
        if process.poll() is not None:
            return False
        try:
            opener.open(url)
        except OSError:
            time.sleep(0.2)
        else:
            return True
    return False


@pytest.mark.parametrize("drive", DRIVES)
@pytest.mark.parametrize("mode", ["refine", *sorted(set(MODES) - {"refine"})])
def test_every_mode_is_answered_in_every_way(proxy, mode, drive):
    llm = OpenAILLM("mock", KEY, proxy)
    made = get_response_synthesizer(mode, llm)
    trace = drive(made)
    planned = made.plan("why", CHUNKS)
    assert trace.error is None
    assert trace.call_count == planned.call_count == sum(call.tries for call in trace.calls)
    assert {call.answer for call in trace.calls} <= {"It was the valve."}
    assert all(call.finish_reason == "stop" for call in trace.calls)
    assert all(call.reported_prompt_tokens for call in trace.calls)


def test_its_models_are_listed_and_its_errors_told(proxy):
    assert list_models(KEY, proxy) == ["mock"]
    with pytest.raises(BadResponse, match=r"HTTP 400.*other"):
        get_response_synthesizer("compact", OpenAILLM("other", KEY, proxy)).run("why", CHUNKS)


@pytest.mark.parametrize(("key", "said"), [(None, "no key was sent"), ("sk-wrong", "HTTP 40")])
def test_a_key_that_is_missing_or_wrong_is_told(proxy, key, said):
    with pytest.raises(ModelError, match=said):
        OpenAILLM("mock", key, proxy).complete(PLAIN)
