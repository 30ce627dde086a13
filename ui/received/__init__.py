"""Spans that running applications send: received, kept, and read as syntheses."""

MOST_REQUEST = 32_000_000
"""Bytes of one request, as it comes and unpacked."""
TOO_LARGE = (
    f"A request has more than {MOST_REQUEST:,} bytes: set OTEL_BSP_MAX_EXPORT_BATCH_SIZE lower, so"
    " that fewer spans come at once."
)
