"""The models of an endpoint, to choose from before a run."""

import asyncio
from typing import Any

from pydantic import BaseModel, ValidationError

from synth.errors import BadResponse
from synth.llms import background
from synth.llms.connection import client
from synth.llms.endpoint import Endpoint
from synth.llms.exchange import FAULTS
from synth.llms.failures import RequestFacts, as_model_error
from synth.llms.server_errors import ErrorSent, hiding

_MOST_BYTES = 8_000_000
_MOST_NAMES, _LONGEST_NAME = 2_000, 200


class _Model(BaseModel):
    id: str


class _Models(BaseModel):
    data: list[_Model] | None = None
    error: Any = None


def list_models(
    api_key: str | None = None, base_url: str | None = None, timeout: float = 10
) -> list[str]:
    """The names of the endpoint's models, sorted; `timeout` in seconds, ModelError as in a run.

    At most 2,000 names of at most 200 characters; the key can't be read in any.
    """
    endpoint = Endpoint.of(api_key, base_url)
    try:
        return background.start(_names(endpoint, timeout)).result()
    except FAULTS as error:
        facts = RequestFacts("", endpoint.host, timeout, 0, 0, endpoint.key)
        raise as_model_error(error, facts) from None  # the SDK's message may quote the key


async def _names(endpoint: Endpoint, timeout: float) -> list[str]:
    async with asyncio.timeout(timeout), client(endpoint, _MOST_BYTES) as connected:
        reply = await connected.get("/models", cast_to=object)
    try:
        models = _Models.model_validate(reply)
    except ValidationError:
        models = _Models()
    if models.error:
        raise ErrorSent(models.error)
    if models.data is None:
        raise BadResponse(
            f"{endpoint.host} sent no list of models: check the base URL, which often ends in /v1."
        )
    hide = hiding(endpoint.key)
    names = [model.id for model in models.data if len(model.id) <= _LONGEST_NAME]
    return sorted(map(hide, names[:_MOST_NAMES]))
