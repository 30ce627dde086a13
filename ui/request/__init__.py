"""A request: everything that a plan and a run depend on, as one value."""
