"""Plots: canvas, axes, sections."""
