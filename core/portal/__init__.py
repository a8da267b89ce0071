"""What maps, pages and catalogues show of a bundle."""
