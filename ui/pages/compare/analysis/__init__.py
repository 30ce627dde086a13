"""The findings, measures and tables of a comparison: pure functions of plans and traces."""
