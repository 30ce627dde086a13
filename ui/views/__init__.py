"""The views of plans, traces and curves that several pages draw."""
