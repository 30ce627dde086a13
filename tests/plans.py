"""Plans and runs in short: both plans of a synthesizer, the texts of prompts, answers."""


def short_and_long(synthesizer, query, chunks, answers, variables=None):
    """The plans with answers of the least and of the most tokens, and the bounds of both."""
    variables = variables or {}
    plans = [synthesizer.plan(query, chunks, tokens, **variables) for tokens in answers]
    return *plans, synthesizer.bounds(query, chunks, **variables)


def prompts(run):
    """The texts of the prompts of a plan or a run, in order."""
    return [call.prompt.text for call in run.calls]


def answers(run):
    """The answers of a run, in the order of its calls."""
    return [call.answer for call in run.calls]
