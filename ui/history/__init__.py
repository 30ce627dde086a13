"""The history: runs and workspaces in a database, and what reads them."""
