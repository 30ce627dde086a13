"""A process that makes runs, one after the other, until it is killed.

    python -m tests.ui.store.killed <file that gets a line for each prompt that was answered>

It runs what `request_of_round` gives for each round, and prints the id of the run.
"""

import os
import random
import sys
import time

from synth.prompts.templates import PromptTemplate
from synth.runs.calls import prompt_hash
from tests.ui.store.recorded import reply, request_of, run
from ui.settings.request import Model, Request

MODES = ("refine", "tree_summarize", "accumulate", "compact")


def request_of_round(number: int) -> Request:
    """The request of this round: another question, and the next mode."""
    model = Model("endpoint", "some-model")  # whose requests count
    query = f"What held the pool in round {number}?"
    return request_of(MODES[number % len(MODES)], query, model=model)


def main(log: str) -> None:
    """Make runs, whose model takes a few milliseconds for each answer."""
    dice = random.Random()
    asked = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def fn(prompt: str) -> str:
        time.sleep(dice.uniform(0.0, 0.02))
        os.write(asked, f"{prompt_hash_of(prompt)}\n".encode())
        return reply(prompt)

    for number in range(1_000):
        job = run(request_of_round(number), fn)
        job.wait()
        assert job.writer is not None
        assert job.writer.problem is None, job.writer.problem
        print(number, job.run, flush=True)


def prompt_hash_of(prompt: str) -> str:
    """The hash of a prompt's text, as `prompt_hash` makes it."""
    return prompt_hash(PromptTemplate("{text}").fill(text=prompt))


if __name__ == "__main__":
    main(sys.argv[1])
