"""What several pages draw of a plan or a trace."""
