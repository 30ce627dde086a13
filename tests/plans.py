"""Both plans of a synthesizer, between which its runs lie."""


def short_and_long(synthesizer, query, chunks, answers, variables=None):
    """The plans with answers of the least and of the most tokens, and the bounds of both."""
    variables = variables or {}
    plans = [synthesizer.plan(query, chunks, tokens, **variables) for tokens in answers]
    return *plans, synthesizer.bounds(query, chunks, **variables)
