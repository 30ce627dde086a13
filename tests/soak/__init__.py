"""Damaged files by the thousand: each reader reads them, or refuses them in words."""
