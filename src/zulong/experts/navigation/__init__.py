"""Driving: clearance grid, A*, obstacle memory, regulated pure pursuit, and the navigator that joins them."""
