"""Step *Verify*: does a bundle hold what it claims, and who signed it?"""
