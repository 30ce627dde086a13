"""HTML of plans and runs: what pages, reports and notebooks make it of, and its styles."""
