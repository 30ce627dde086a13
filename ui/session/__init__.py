"""What belongs to one browser tab: its workspace, the names in its session, its parts."""
