"""The pages of the app; none knows another."""
