"""A recorded run of another application: compared with ours, and opened on the pages."""
