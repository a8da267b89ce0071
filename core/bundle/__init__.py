"""What a bundle is: names, formats, tables, statement, texts, and how it is written."""
