"""Ask a llama.cpp server every prompt of the lessons with recorded answers, and keep the answers.

`python -m scripts.record_lessons http://127.0.0.1:8080`, with the model that the recording names.
What it has answered already is not asked again; take it out of the recording to have it asked.
"""

import json
import sys
from dataclasses import asdict, replace

import httpx

from synth.llms import FunctionLLM
from ui.pages.learn.lessons import small_model
from ui.pages.learn.lessons.small_model import FILE, RECORDING, digest

answers = dict(RECORDING.answers)
asked = set[str]()
client = httpx.Client(base_url=sys.argv[1], timeout=600)


def keep() -> None:
    """Write the answers to all prompts that were asked or are to be asked."""
    recording = asdict(replace(RECORDING, answers=dict(sorted(answers.items()))))
    text = json.dumps(recording, indent=1, ensure_ascii=False) + "\n"
    FILE.write_text(text, encoding="utf-8")


def ask(prompt: str) -> str:
    """The model's answer, kept as soon as it is known."""
    key = digest(prompt)
    asked.add(key)
    if key not in answers:
        body = {"messages": [{"role": "user", "content": prompt}], **RECORDING.settings}
        reply = client.post("/v1/chat/completions", json=body).raise_for_status().json()
        answers[key] = reply["choices"][0]["message"]["content"]
        keep()
    return answers[key]


orders = small_model.ORDERS
backwards = [replace(order, text_chunks=order.text_chunks[::-1]) for order in orders]
for request in (*small_model.QUESTIONS_OF_CHUNKS, *orders, *backwards):
    llm = FunctionLLM(ask, request.context_window, request.num_output, request.tokenizer)
    trace = request.synthesizer(llm).run(request.query_str, request.text_chunks)
    print(request.query_str, *(call.answer for call in trace.calls), sep="\n  ", flush=True)
answers = {key: answers[key] for key in asked}
keep()
