"""How much is taken in one request, and how much is kept."""

MOST_REQUEST = 32_000_000
"""Bytes of one request, as it comes and unpacked."""

MOST_TRACES = 500
"""Traces that are kept: the oldest go first."""

TOO_LARGE = (
    f"A request has more than {MOST_REQUEST:,} bytes: set OTEL_BSP_MAX_EXPORT_BATCH_SIZE lower, so"
    " that fewer spans come at once."
)
