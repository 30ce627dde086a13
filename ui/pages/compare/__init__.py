"""The Compare page: columns of settings of their own, their plans, their runs, the differences."""
