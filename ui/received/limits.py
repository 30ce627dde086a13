"""How much is taken, held and kept of what applications send."""

MOST_REQUEST = 32_000_000
"""Bytes of one request, as it comes and unpacked."""

MOST_HELD = 96_000_000
"""Bytes of requests that are under way; an application with more is asked to wait."""

MOST_TRACES = 500
MOST_KEPT = 64_000_000
"""Bytes that all traces take in the database, compressed; the oldest go first."""

LONGEST_NAME = 1_000
"""Characters of a span's name."""

TOO_LARGE = (
    f"A request has more than {MOST_REQUEST:,} bytes: set OTEL_BSP_MAX_EXPORT_BATCH_SIZE lower, so"
    " that fewer spans come at once."
)
