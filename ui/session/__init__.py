"""The state of one browser tab: its workspace, the keys of its session, the parts of its page."""
