"""The page that opens the trace of another application as a run."""
