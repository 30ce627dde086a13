"""The totals of many plans along one setting."""
