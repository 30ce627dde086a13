"""What the Compare page shows."""
