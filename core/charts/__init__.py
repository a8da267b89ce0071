"""Small charts for papers and reports, drawn alike as SVG and as PNG, with their figures as CSV."""
