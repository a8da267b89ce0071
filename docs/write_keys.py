"""Write the keys of a spec and the forms of times into file-formats.md, from the program: `make docs`."""

from pathlib import Path

from core.clean.formats_page import with_formats
from core.spec.keys_page import with_keys

PAGE = Path(__file__).with_name("file-formats.md")

if __name__ == "__main__":
    PAGE.write_text(with_formats(with_keys(PAGE.read_text(encoding="utf-8"))), encoding="utf-8")
