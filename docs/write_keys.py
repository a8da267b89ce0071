"""Write the keys of a spec into file-formats.md, from the table that the program reads: `make docs`."""

from pathlib import Path

from core.spec.page import with_keys

PAGE = Path(__file__).with_name("file-formats.md")

if __name__ == "__main__":
    PAGE.write_text(with_keys(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
