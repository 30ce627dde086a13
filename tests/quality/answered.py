"""Runs with a given answer, for what is computed of answers."""

from synth import FunctionLLM, PromptHelper, get_response_synthesizer

CHUNKS = ("The pool was set to 8 instead of 80 on 3 May.", "Ada mended it at 14:15.")


def answered(answer, chunks=CHUNKS, mode="simple_summarize", window=2_000, overlap=0.1):
    """The trace of a run whose every call is answered so."""
    reply = answer if callable(answer) else lambda prompt: answer
    llm = FunctionLLM(reply, context_window=window, num_output=50)
    return get_response_synthesizer(mode, llm, PromptHelper(window, 50, overlap)).run(
        "Why?", chunks
    )
