"""How a model's answer ended, by the word that its server gave for it.

Servers have several words for one end: "stop" is OpenAI's, "end_turn" Anthropic's, "STOP"
Gemini's, "eos_token" that of Hugging Face's TGI, "model_length" Mistral's for a full window.
"""

_WHOLE = {
    *("stop", "stop_sequence", "stop_token", "stop_str", "end", "end_turn", "end_of_text"),
    *("eos", "eos_token", "eos_token_id", "complete", "completed", "finished", "done", "normal"),
}
_CUT = {
    *("length", "max_length", "model_length", "model_context_window_exceeded", "token_limit"),
    *("max_tokens", "max_output_tokens", "max_completion_tokens", "max_new_tokens"),
    *("maximum_tokens", "max_context_length"),
}


def is_cut(finish_reason: str | None) -> bool:
    """Return whether an answer ended at the limit of its tokens, not where the model meant to."""
    return _word(finish_reason) in _CUT


def is_known(finish_reason: str | None) -> bool:
    """Return whether an answer is all that will come; other words say that it broke."""
    word = _word(finish_reason)
    return not word or word in _WHOLE or word in _CUT


def is_whole(finish_reason: str | None) -> bool:
    """Return whether an answer ended by itself, as its server says."""
    return _word(finish_reason) in _WHOLE


def _word(finish_reason: str | None) -> str:
    return (finish_reason or "").strip().lower().removeprefix("finish_reason_")
