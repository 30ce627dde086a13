"""The page that follows the syntheses of running applications."""
