"""The store: runs and workspaces in a database, and what reads them."""
