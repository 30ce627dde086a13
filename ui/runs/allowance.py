"""What a visitor of this server may spend and keep, as its operator set (`ui/session/host.py`).

A visitor is an internet address, of IPv6 a network of 64 bits. Behind a proxy it is the one that
uvicorn believes: the last of X-Forwarded-For that is no proxy named in FORWARDED_ALLOW_IPS.
"""

import ipaddress
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256

import streamlit as st

from synth.errors import AllowanceSpent, SynthError
from synth.llms.models import model_facts
from synth.runs.prices import Price
from synth.text.wording import counted
from ui.history import history as opened
from ui.history import usage
from ui.history.history import History
from ui.history.problems import HistoryError
from ui.history.usage import Most
from ui.session import account, workspace
from ui.session.host import host
from ui.settings import hosts, model
from ui.settings.schema import Settings

_CALLS, _DOLLARS, _WORKSPACES = "calls", "dollars", "workspaces"
_ANY = Most(None, None)
_NETWORK = 64  # bits of an address of IPv6 that are one visitor's


def visitor() -> str:
    """The visitor of this session, as a hash: who signed in, or else an address.

    All of a proxy that nobody named are one.
    """
    if (person := account.owner_of("what a visitor uses")) is not None:
        return sha256(person.encode()).hexdigest()
    address = ipaddress.ip_address(st.context.ip_address or "127.0.0.1")
    if isinstance(address, ipaddress.IPv6Address):
        network = ipaddress.ip_network((address, _NETWORK), strict=False)
        address = address.ipv4_mapped or network.network_address
    return sha256(str(address).encode()).hexdigest()


def owner() -> str:
    """Whose runs wait for one another: a visitor's where limited, else a workspace's."""
    return workspace.current().id if host().runs_at_once is None else visitor()


def _most() -> Mapping[str, Most]:
    set_by = host()
    return {
        _CALLS: Most(set_by.calls_a_day, set_by.server_calls_a_day),
        _DOLLARS: Most(set_by.dollars_a_day, set_by.server_dollars_a_day),
        _WORKSPACES: Most(set_by.workspaces_a_day, set_by.server_workspaces_a_day),
    }


@dataclass(frozen=True)
class Allowance:
    """What the calls of a visitor take of a day; `price` is that of the operator's key."""

    who: str
    price: Price | None

    def take(self, calls: int, prompt_tokens: int, output_tokens: int) -> None:
        """Set aside what a call can cost, or count what it cost more, which is never refused."""
        amounts: dict[str, float] = {_CALLS: calls}
        if self.price is not None:
            amounts[_DOLLARS] = self.price.of(prompt_tokens, output_tokens)
        try:
            usage.take(opened.history(), self.who, amounts, _most(), need=calls > 0)
        except HistoryError as problem:
            if calls:
                raise AllowanceSpent(
                    f"Calls can't be counted, so none is sent: {problem}"
                ) from None


def of(settings: Settings) -> Allowance | None:
    """What the calls of these settings take of; None where nothing is limited.

    SynthError for the operator's key with a model whose price nobody knows.
    """
    if settings.model != "endpoint" or _most()[_CALLS] == _most()[_DOLLARS] == _ANY:
        return None
    price = None
    if _pays_operator(settings) and _most()[_DOLLARS] != _ANY:
        name = model.name(settings)
        price = model_facts(name).price  # not what a visitor typed
        if price is None:
            raise SynthError(
                f"The price of {name} is not known, and this server's key pays for known prices"
                " alone: type a key of your own, or take another model."
            )
    return Allowance(visitor(), price)


def take_free_call() -> None:
    """Count a request that costs no dollars; SynthError where no further call may be made today."""
    if _most()[_CALLS] != _ANY:
        Allowance(visitor(), None).take(1, 0, 0)


def _history() -> History | None:
    with suppress(HistoryError):  # the pages say what is wrong with it
        return opened.history()
    return None


def _pays_operator(settings: Settings) -> bool:
    of_environment = hosts.gets_environment(settings) and bool(os.environ.get("OPENAI_API_KEY"))
    return of_environment and not hosts.has_key(settings)


def left(settings: Settings) -> str:
    """What is left today for calls with these settings, in words; "" where nothing is limited."""
    history = _history()
    if history is None or settings.model != "endpoint":
        return ""
    paid = [_DOLLARS] if _pays_operator(settings) else []
    kinds = [_CALLS, *paid, _WORKSPACES]
    parts = []
    for kind in kinds:
        if _most()[kind] == _ANY:
            continue
        used = usage.used(history, visitor(), kind)
        for limit, spent, whose in zip(_most()[kind], used, ("", " everybody's"), strict=True):
            if limit is not None:
                rest = usage.amount(kind, max(0.0, limit - spent))
                parts.append(f"{rest.split()[0]} of{whose} {usage.amount(kind, limit)}")
    return f"Left today: {', '.join(parts)}." if parts else ""


def begin_workspace() -> None:
    """Count a workspace that begins; SynthError where no further one may begin today."""
    if _most()[_WORKSPACES] != _ANY and (history := _history()) is not None:
        usage.take(history, visitor(), {_WORKSPACES: 1}, _most(), need=True)


def require_room(workspace: str) -> None:
    """SynthError where this workspace, or the server, keeps as much as it may."""
    runs, most_bytes = host().stored_runs, host().stored_mb
    if (history := _history()) is None:
        return
    if runs is not None and usage.stored_runs(history, workspace) >= runs:
        raise SynthError(
            f"This workspace keeps {counted(runs, 'run')}, the most on this server: delete some on"
            " the page Runs (they are gone a day later), or begin another workspace."
        )
    if most_bytes is not None and usage.stored_bytes(history) >= most_bytes * 1_000_000:
        raise SynthError(
            f"This server keeps {most_bytes:,} MB, its most: ask its operator to make room."
        )
