"""A run in the background, fed by hand."""

import queue

from synth.calls import CallRecord
from synth.events import Answered, Started
from synth.prompts import PromptTemplate
from tests.ui.compare_entries import request_of
from tests.ui.sample_calls import setup_of
from ui.jobs import Job

PROMPT = PromptTemplate("Why?").fill()


def test_an_answer_that_comes_after_stop_is_taken_and_makes_what_was_drawn_old():
    events = queue.SimpleQueue()
    job = Job(request_of("refine"), setup_of(["one"]), 2, lambda stop: iter(events.get, None))
    asked = CallRecord(1, 0, "text_qa_template", PROMPT, 5, (), prompt_tokens=2)
    events.put(Started(asked))
    while not job.read:
        pass
    job.stop()
    assert job.trace.calls[0].error == "Call 1 was stopped while it was being answered."
    read = job.read
    events.put(Answered(CallRecord(1, 0, "text_qa_template", PROMPT, 5, (), 2, answer="late")))
    events.put(None)
    job.wait()
    assert job.trace.calls[0].answer == "late"
    assert job.read > read
