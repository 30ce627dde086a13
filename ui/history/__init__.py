"""The history: runs, workspaces and versions of templates in a database, and what reads them."""
