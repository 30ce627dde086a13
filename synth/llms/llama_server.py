"""The process of a llama.cpp server, which `on_this_machine` starts and nobody imports.

It reads one line of JSON from its stdin and writes one to its stdout. It ends when its stdin does:
that happens with the process that started it, however that ended.
"""

import json
import os
import signal
import sys
import threading
from urllib.request import ProxyHandler, Request, build_opener


def _end_with_parent() -> None:
    sys.stdin.read()
    os._exit(0)


def _window(address: str, api_key: str) -> int:
    """Ask for its window, which is no larger than what the model was trained with."""
    request = Request(f"{address}/props", headers={"Authorization": f"Bearer {api_key}"})
    with build_opener(ProxyHandler({})).open(request) as reply:
        window: int = json.load(reply)["default_generation_settings"]["n_ctx"]
    return window


def _main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in a shell stops a reply, not the server
    wanted = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()

    import xllamacpp  # noqa: PLC0415  only now, so that an end of the parent is seen meanwhile

    params = xllamacpp.CommonParams()
    params.model.path = wanted["path"]
    params.n_ctx = wanted["context_window"]
    params.hostnames, params.port = ["127.0.0.1"], 0
    # Any page in a browser, and anybody on the machine, may send requests to a loopback port.
    params.api_keys = [wanted["api_key"]]
    params.ui = False
    params.n_parallel = 1
    # One core stays for the pages of the app. Threads that have no core to themselves wait for
    # one another at every token, so fewer are faster then.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = max(
        1, (os.cpu_count() or 2) - 1
    )
    params.cache_ram_mib = 0
    params.verbosity = 1  # errors
    try:
        server = xllamacpp.Server(params)
    except RuntimeError as problem:
        sys.exit(str(problem))
    address = server.listening_address
    facts = {"address": address, "context_window": _window(address, wanted["api_key"])}
    print(json.dumps(facts), flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    _main()
