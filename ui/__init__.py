"""The pages' shared widgets and state: with the pages, the only importer of streamlit."""
