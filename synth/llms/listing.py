"""What an endpoint can be asked before a run: the models that it has."""

from __future__ import annotations

import openai

from synth.llms.endpoint import Endpoint
from synth.llms.failures import Facts, as_model_error


def list_models(
    api_key: str | None = None, base_url: str | None = None, timeout: float = 10
) -> list[str]:
    """The names of the endpoint's models, sorted; `timeout` in seconds, ModelError as in a run."""
    endpoint = Endpoint.of(api_key, base_url)
    endpoint.check_key()
    try:
        with openai.OpenAI(
            api_key=endpoint.key or "none",  # the SDK insists on one
            base_url=endpoint.base_url,
            timeout=timeout,
            max_retries=0,
        ) as client:
            return sorted(model.id + "" for model in client.models.list())  # TypeError for None
    except (openai.OpenAIError, ValueError, AttributeError, TypeError) as error:
        # The last two are what comes of JSON that is no list of models. Not "from error":
        # the SDK's message may quote the key.
        facts = Facts("the list of models", endpoint.host, timeout, 0, 0)
        raise as_model_error(_readable(error), facts, endpoint.key) from None


def _readable(error: Exception) -> Exception:
    known = isinstance(error, openai.OpenAIError | ValueError)
    return error if known else ValueError("no list of models")
