"""The Playground: its page, and its views of a plan, of a present run, and of a past run."""
