"""The Playground's own views: of a plan, of a run that goes on, of one that has ended."""
