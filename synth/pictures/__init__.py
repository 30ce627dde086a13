"""Pictures of plans and runs as SVG: pure functions of data, which know no page."""
