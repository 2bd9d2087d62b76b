"""Tapete's workers: the computer players' jobs and the sweep that finds what was lost."""
