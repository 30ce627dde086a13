"""Plans and runs: the protocol of modes and drivers, the drivers, and what comes of them."""
