"""What the server of the model said of itself when Test asked it, and whether it counts."""

from hashlib import sha256
from time import monotonic
from typing import TYPE_CHECKING

from synth.errors import SynthError
from synth.llms.served import ServerFacts
from ui.session import workspace
from ui.settings import hosts, state
from ui.settings.schema import MOST_PRICES, Settings, without_secrets

if TYPE_CHECKING:
    from synth.llms.counting_server import ServerTokenizer

_AGAIN = 60.0  # seconds after which a server that did not answer is asked again
_OWNER = 12  # letters


def facts(settings: Settings) -> ServerFacts | None:
    """Return what the server said of the model of these settings; None before it was asked."""
    return settings.served.get(_key(settings)) if settings.model_kind.needs_address else None


def with_facts(settings: Settings, said: ServerFacts) -> dict[str, ServerFacts]:
    """Return all that is kept of servers, with what this one said of its model."""
    kept = {name: one for name, one in settings.served.items() if name != _key(settings)}
    return dict([*kept.items(), (_key(settings), said)][-MOST_PRICES:])


def _key(settings: Settings) -> str:
    return f"{without_secrets(hosts.address(settings))} {settings.model_name.strip()}"


def tokenizer(settings: Settings) -> "ServerTokenizer | None":
    """Return the server's own, if it counts; nothing goes to a host that nobody chose."""
    said = facts(settings)
    if said is None or said.dialect is None:
        return None
    from synth.llms.counting_server import server_tokenizer  # noqa: PLC0415  httpx2 is slow

    try:
        connection = hosts.connection(settings)
        known = server_tokenizer(
            settings.model_name.strip(), **connection, facts=said, owner=_owner(connection)
        )
    except SynthError:  # the page says that it is an estimate, and a run why
        return None
    failed = known.server.failed
    return None if failed is not None and monotonic() - failed < _AGAIN else known


def _owner(connection: dict[str, str | None]) -> str:
    """Whose connection it is, where it has a key: others must not count with it."""
    if not connection["api_key"]:
        return ""
    return sha256(workspace.current().id.encode()).hexdigest()[:_OWNER]


def ask() -> None:
    """Ask the server, and keep what it says. SynthError for an address that nobody chose."""
    from synth.llms.counting_server import ask_facts  # noqa: PLC0415  httpx2 is slow to import

    settings = state.current()
    said = ask_facts(settings.model_name.strip(), **hosts.connection(settings))
    state.update(served=with_facts(settings, said))
