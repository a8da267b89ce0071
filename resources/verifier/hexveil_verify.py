#!/usr/bin/env python3
"""Check a release by Hexveil with nothing but Python: one file, no installation, no network.

    python3 hexveil_verify.py FOLDER --public-key KEY

FOLDER: of the release, or the zip that it was packed as, which is read as it is.
KEY: the publisher's key from the publisher's own site, as its 56 characters or a .pub file. Without it the
key inside the folder is used, which proves nothing about who signed.

Checked: that the key signed the list of files and the release's name (Ed25519, minisign's format); that every
file is there, is listed and has its sum; that the tables hold what datapackage.json declares; that epsilons
of the queries add up to what privacy.json states, which is no more than all releases so far; that what the
release states of itself (epsilon, mu, the best attacker) is what its parts come to; that what it says of its
public counts is what its noisy weights show; that what numbers were smoothed by is standardised; that shares
of ranges that tile the bounds add up to 1 before they are cut, that percentiles rise, lie in their intervals
and these end on edges of ranges; that exact counts beside numbers can be; that no signed notice beside the
folder withdraws it.
NOT checked: outlines, maps and policy (map/, map.html, dcat.jsonld, policy.* have their sums checked), texts,
and whether values, intervals and noise fit each other. These are checked by `hexveil verify` alone.

Exit code: 0 all of it holds, 1 something does not, 2 wrong use. Needs Python 3.8 or newer.
"""

import argparse
import base64
import binascii
import csv
import datetime
import functools
import hashlib
import io
import json
import math
import os
import re
import stat
import statistics
import struct
import sys
import zipfile
import zlib
from decimal import ROUND_CEILING, Context, Decimal

MANIFEST, SIGNATURE, PUBLIC_KEY = "SHA256SUMS", "SHA256SUMS.minisig", "release-key.pub"
PACKAGE, PRIVACY, SUMMARY = "datapackage.json", "privacy.json", "data/epsilon_summary.csv"
MAPS = {"map.html", "dcat.jsonld", "policy.html", "policy.md"}
"""Files that newer releases have besides data/: for people, maps and portals, as those below map/."""
NOTICE, KEY_NOTE = ".notice.json", ".key.json"
LARGEST_SEAL, LARGEST_FILE, LARGEST_BUNDLE, MOST_ENTRIES = 1 << 20, 1 << 28, 1 << 30, 10_000
NAME = re.compile(r"[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*/?")
DEVICE = re.compile(r"(?i)(con|prn|aux|nul|(com|lpt)[0-9])(\..*)?|.*\.")
"""Names that Windows keeps for devices, or alters."""
HEADER, END, LONGER_LIST = struct.Struct("<4s10xLLLHH"), struct.Struct("<4s4xHHLLH"), b"PK\x06\x07"
UNREADABLE = (OSError, EOFError, ValueError, RuntimeError, struct.error, zlib.error, zipfile.BadZipFile)
LINE = re.compile(r"([0-9a-f]{64})  ([A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*)")
KEY_TEXT = re.compile(r"[A-Za-z0-9+/]{56}")
SIGNATURE_FILE = re.compile(
    r"untrusted comment: signature of the release manifest\n([A-Za-z0-9+/]{99}=)\n"
    r"trusted comment: ([\x20-\x7e\t]{1,500})\n([A-Za-z0-9+/]{86}==)\n"
)
COMMENT = re.compile(r"timestamp:[0-9]{1,12}\tfile:([A-Za-z0-9._-]+)\trelease:([a-z0-9.-]{1,200})")
NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,30})?")
INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,17})")
SHAPING = dict.fromkeys(map(ord, "\u200c\u200d\xa0"), " ")
"""Signs of texts that shape or part the letters beside them."""
PATTERNS = {
    *("8[0-9a-f]{14}", "8[0-9a-f]{14}( 8[0-9a-f]{14})*", "r[0-9]{3,9}", "[a-z0-9]+([_-][a-z0-9]+)*"),
    *("([01][0-9]|2[0-3]):[0-5][0-9]", "(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)", r"[0-9]+\.[0-9]{3}|mean"),
}
"""What Hexveil declares of texts. No other is tried: to match a pattern of a stranger's may take for ever."""
ORDERS = tuple(Decimal(order) for order in ("1.25", "1.5", "2", "3", "5", "9", "17", "33"))
STEP = Decimal("1e-6")
EXACT_SUMS = Context(prec=200)
EXACT, RUNNING = "gaussian-profile-1", "renyi-orders-1"
"""What a statement calls the formulas of one release by itself, and of a running total."""
SIGN = "records_per_visit_standardised"
COUNTS = ("visits", "records", "days")
MEAN, MIDDLES = "mean", "middles_of_ranges_in_thousandths"
COUNTED = ("record_prices", "expected_tokens")
UP = Context(prec=50, rounding=ROUND_CEILING)


class Finding(Exception):
    """A check fails; the text says why."""


class WrongUse(Exception):
    """What was asked for cannot be done."""


def require(holds, finding):
    """Raise Finding unless it holds."""
    if not holds:
        raise Finding(finding)


def shown(text):
    """Text from the folder, safe for a terminal: quoted, ASCII, short."""
    quoted = ascii(text)
    return quoted if len(quoted) <= 80 else quoted[:80] + "..."


# Ed25519 (RFC 8032): points of the curve as (X, Y, Z, T) with x = X/Z, y = Y/Z, xy = T/Z

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)
NEUTRAL = (0, 1, 1, 0)


def point_sum(one, other):
    """The sum of two points."""
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def points_sum(one, point, other, second):
    """The sum of two points, each so many times."""
    total, added = NEUTRAL, (None, point, second, point_sum(point, second))
    for place in reversed(range(256)):
        total = point_sum(total, total)
        term = added[(one >> place & 1) + 2 * (other >> place & 1)]
        total = point_sum(total, term) if term else total
    return total


def point_of(encoded):
    """The point of 32 bytes; None where they are none."""
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & ((1 << 255) - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (not x and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


def point_bytes(point):
    """The 32 bytes of a point."""
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


BASE = point_of((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


@functools.lru_cache(64)
def signed(public, message, signature):
    """Whether these 64 bytes are a signature of the message by the key of these 32 bytes.

    Three checks ask for the same, and each answer takes many milliseconds.
    """
    key, scalar = point_of(public), int.from_bytes(signature[32:], "little")
    if key is None or len(signature) != 64 or scalar >= ORDER:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little")
    negative = (P - key[0], key[1], 1, P - key[3])
    found = points_sum(scalar, BASE, challenge % ORDER, negative)
    return point_bytes(found) == signature[:32]


# minisign: keys and prehashed signatures


def parse_key(text):
    """(identity, 32 bytes) of a key's 56 characters or of a .pub file; None where it is neither."""
    lines = text.strip().splitlines()
    if len(lines) == 2 and lines[0].startswith("untrusted comment:"):
        lines = lines[1:]
    if len(lines) != 1 or not KEY_TEXT.fullmatch(lines[0].strip()):
        return None
    decoded = base64.b64decode(lines[0].strip())
    return (decoded[2:10], decoded[10:]) if decoded[:2] == b"Ed" else None


def read_key(given):
    """The key that a person named. Raises WrongUse where it is none."""
    found = parse_key(given)
    if found is None:
        try:
            with open_file(os.path.expanduser(given)) as file:
                found = parse_key(file.read(4096).decode())
        except (OSError, ValueError):
            found = None
    if found is None:
        raise WrongUse("the public key is neither 56 characters of minisign nor a .pub file")
    return found


def check_signed(name, content, signature, key):
    """The trusted comment of a .minisig file, byte for byte as Hexveil writes it, by this key."""
    try:
        found = SIGNATURE_FILE.fullmatch(signature.decode("ascii"))
        first, second = (base64.b64decode(found[part], validate=True) for part in (1, 3))
    except (UnicodeDecodeError, TypeError, binascii.Error):
        raise Finding(name + ".minisig is not, byte for byte, a signature as Hexveil writes it") from None
    encoded = [base64.b64encode(part).decode() for part in (first, second)]
    require(encoded == [found[1], found[3]] and first[:2] == b"ED", name + ".minisig is malformed")
    identity, public = key
    # git and editors change them, and then no signature fits
    changed = " does not have the line ends that it was signed with: copy or download it unchanged"
    require(name != MANIFEST or b"\r" not in content, name + changed)
    digest = hashlib.blake2b(content, digest_size=64).digest()
    require(
        first[2:10] == identity
        and signed(public, digest, first[10:])
        and signed(public, first[10:] + found[2].encode(), second),
        "%s is not signed by key %016X" % (name, int.from_bytes(identity, "little")),
    )
    comment = COMMENT.fullmatch(found[2])
    require(comment is not None and comment[1] == name, name + ".minisig is about another file")
    return comment[2]


# the folder


def open_file(path):
    """A file to be read, never a pipe or a device: those may be waited for without end. Raises OSError."""
    at_once = sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOCTTY", "O_BINARY"))
    handle = os.open(path, os.O_RDONLY | at_once)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError("no file")
    return os.fdopen(handle, "rb")


class Folder:
    """What lies in a folder; links are never followed, and nothing outside is looked at."""

    def __init__(self, path):
        self.path, self.files, self.folders, self.strange = path, {}, set(), []
        waiting = [""]
        while waiting and len(self.files) + len(self.folders) < MOST_ENTRIES:
            prefix = waiting.pop()
            try:
                names = os.listdir(os.path.join(path, prefix))
            except OSError:
                self.strange.append(prefix or ".")
                continue
            for name in (prefix + name for name in names):
                found = os.lstat(os.path.join(path, name))
                if stat.S_ISDIR(found.st_mode):
                    self.folders.add(name)
                    waiting.append(name + "/")
                elif stat.S_ISREG(found.st_mode):
                    self.files[name] = found.st_size
                else:
                    self.strange.append(name)
        self.strange += waiting

    def open(self, name):
        """A file that was found."""
        return open_file(os.path.join(self.path, name))

    def read(self, name, largest=LARGEST_FILE):
        """The content of a file. Raises Finding where it is missing or too large."""
        require(name in self.files, name + " is missing")
        require(self.files[name] <= largest, name + " is too large")
        try:
            with self.open(name) as file:
                # Windows gives the memory that is asked for, even for a small file
                return file.read(min(self.files[name] + 1, largest))
        except UNREADABLE:
            raise Finding(name + " cannot be read") from None

    def sha256(self, name):
        """The sum of a file, read in pieces."""
        digest = hashlib.sha256()
        try:
            with self.open(name) as file:
                for piece in iter(lambda: file.read(1 << 20), b""):
                    digest.update(piece)
        except UNREADABLE:
            raise Finding(name + " cannot be read") from None
        return digest.hexdigest()

    def json(self, name):
        """A JSON object without NaN and without repeated keys. Raises Finding otherwise."""
        try:
            found = json.loads(
                self.read(name).decode("utf-8"), object_pairs_hook=unique, parse_constant=no_constant
            )
        except (ValueError, RecursionError):
            raise Finding(name + " is no valid JSON") from None
        require(isinstance(found, dict), name + " is no JSON object")
        return found


class Packed(Folder):
    """The one folder in a zip; nothing of it is written to a disk. Raises Finding where it is put together
    otherwise than Hexveil does: other programs could find other files in it."""

    def __init__(self, path):
        self.path, self.files, self.folders, self.strange, self.members = path, {}, set(), [], {}
        try:
            with open_file(path) as file:
                start = start_of_list(file)
                self.archive = zipfile.ZipFile(path)
                members = self.archive.infolist()
                require(0 < len(members) <= MOST_ENTRIES, "it holds nothing, or too many files")
                for member in members:
                    require_plain(member)
                require(
                    end_to_end(file, members) == start, "it contains bytes that belong to none of its files"
                )
        except UNREADABLE:
            raise Finding("the file is damaged, or not a zip") from None
        top = members[0].filename.partition("/")[0] + "/"
        for member in members:
            require(member.filename.startswith(top), "it is not one folder with everything else inside")
            name = member.filename[len(top) :].rstrip("/")
            self.folders |= {name[:end] for end, sign in enumerate(name) if sign == "/"}
            if member.is_dir():
                self.folders |= {name} - {""}
            else:
                self.files[name], self.members[name] = member.file_size, member
        names = [member.filename.rstrip("/").lower() for member in members]
        folders = {name.lower() for name in self.folders}
        clash = any(name.lower() in folders for name in self.files)
        require(len(set(names)) == len(names) and not clash, "two of its files have one name")

    def open(self, name):
        """A file that was found, as it unpacks."""
        return self.archive.open(self.members[name])


def is_packed(path):
    """Whether this is a file that calls itself a zip."""
    if not os.path.isfile(path):
        return False
    with open_file(path) as file:
        return path.lower().endswith(".zip") or file.read(4) in (b"PK\x03\x04", b"PK\x05\x06")


def start_of_list(file):
    """Where a zip's list of members begins, by its last bytes: nothing may stand around what is packed."""
    size = file.seek(0, 2)
    file.seek(max(size - END.size - 20, 0))
    end = file.read()
    require(len(end) >= END.size, "the file is damaged, or not a zip")
    mark, _, _, length, start, comment = END.unpack(end[-END.size :])
    require(
        mark == b"PK\x05\x06"
        and (comment, start + length + END.size) == (0, size)
        and not end.startswith(LONGER_LIST),
        "the file is cut off, or something precedes or follows what was packed",
    )
    require(length <= 512 * MOST_ENTRIES, "it holds too many files")
    return start


def require_plain(member):
    """Raise Finding unless a member is an ordinary file or folder that leads nowhere else."""
    name, told, kind = member.orig_filename, shown(member.orig_filename), member.external_attr >> 28
    plain = len(name) <= 240 and NAME.fullmatch(name) and not any(map(DEVICE.fullmatch, name.split("/")))
    require(plain, told + " is no name of a release's file")
    expected = kind in (0, 4 if member.is_dir() else 8) and not (member.is_dir() and member.file_size)
    require(expected, told + " is neither file nor folder")
    known = member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    require(known and not member.flag_bits & ~0x806, told + " is encrypted, or packed in an unusual way")


def end_to_end(file, members):
    """The byte behind the last member; -1 where one begins elsewhere, or is listed otherwise."""
    position = 0
    for member in sorted(members, key=lambda one: one.header_offset):
        file.seek(position)
        header = file.read(HEADER.size)
        if member.header_offset != position or len(header) < HEADER.size:
            return -1
        mark, crc, packed, size, name, extra = HEADER.unpack(header)
        listed = (b"PK\x03\x04", member.CRC, member.compress_size, member.file_size)
        if (mark, crc, packed, size) != listed or file.read(name) != member.orig_filename.encode():
            return -1
        position += HEADER.size + name + extra + member.compress_size
    return position


def unique(pairs):
    """An object of JSON. Raises ValueError for a repeated key."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


def no_constant(_):
    """NaN and the infinities are no JSON."""
    raise ValueError


def parse_manifest(content):
    """Name -> sum. Raises Finding unless it is written exactly as Hexveil writes it."""
    try:
        text = content.decode("ascii")
    except UnicodeDecodeError:
        raise Finding(MANIFEST + " is not ASCII") from None
    require(text.endswith("\n"), MANIFEST + " does not end with a line break")
    listed, last = {}, ""
    for number, line in enumerate(text[:-1].split("\n"), 1):
        found = LINE.fullmatch(line)
        sound = found and not {".", ".."} & set(found[2].split("/"))
        require(
            sound and found[2] not in (MANIFEST, SIGNATURE), "%s, line %d, is malformed" % (MANIFEST, number)
        )
        require(found[2] > last, "%s, line %d, is out of order or repeated" % (MANIFEST, number))
        last = found[2]
        listed[last] = found[1]
    return listed


# the checks: each returns what it found to hold


def check_sizes(folder):
    """Nothing is larger than what is read in some seconds."""
    for name in (MANIFEST, SIGNATURE, PUBLIC_KEY):
        require(folder.files.get(name, 0) <= LARGEST_SEAL, name + " is too large")
    total = sum(folder.files.values())
    require(total <= LARGEST_BUNDLE, "the files are too large for a bundle")
    return "%.1f MB in %d files" % (total / 1e6, len(folder.files))


def check_files(folder):
    """What the list names is there, and nothing else."""
    listed = parse_manifest(folder.read(MANIFEST, LARGEST_SEAL))
    require(not folder.strange, "neither file nor folder: " + ", ".join(map(shown, folder.strange[:3])))
    needed = {SIGNATURE, PUBLIC_KEY, PACKAGE, PRIVACY, SUMMARY}
    missing = sorted((needed | set(listed)) - set(folder.files))
    require(not missing, "missing: " + ", ".join(map(shown, missing[:3])))
    unlisted = sorted(set(folder.files) - set(listed) - {MANIFEST, SIGNATURE})
    require(not unlisted, "not listed in %s: %s" % (MANIFEST, ", ".join(map(shown, unlisted[:3]))))
    parents = {name.rpartition("/")[0] for name in listed if "/" in name}
    parents |= {parent[:end] for parent in parents for end, sign in enumerate(parent) if sign == "/"}
    unused = sorted(folder.folders - parents)
    require(not unused, "unlisted folder: " + ", ".join(map(shown, unused[:3])))
    return "%d files, all listed" % len(folder.files)


def check_sums(folder):
    """Every listed file has its sum."""
    listed = parse_manifest(folder.read(MANIFEST, LARGEST_SEAL))
    for name, expected in listed.items():
        require(name in folder.files, name + " is missing")
        require(folder.sha256(name) == expected, name + " was changed")
    return "%d files unchanged" % len(listed)


def bundle_key(folder):
    """The key inside the folder. Raises Finding where it is none."""
    try:
        key = parse_key(folder.read(PUBLIC_KEY, LARGEST_SEAL).decode())
    except UnicodeDecodeError:
        key = None
    require(key is not None, PUBLIC_KEY + " is no key")
    return key


def check_signature(folder, given):
    """Key and signature; the release that the signature names must be that of datapackage.json."""
    inside = bundle_key(folder)
    known = successors(folder, given) if given else [inside]
    require(inside in known, PUBLIC_KEY + " is not the given key")
    manifest, signature = (folder.read(name, LARGEST_SEAL) for name in (MANIFEST, SIGNATURE))
    release = check_signed(MANIFEST, manifest, signature, inside)
    note = key_note(folder, inside)
    if note and note.get("note") == "revoked":
        listed = hashlib.sha256(manifest).hexdigest() in note.get("published", [])
        require(listed, "the key was REVOKED by its owner on %s" % shown(note.get("on")))
    identity = "%016X" % int.from_bytes(inside[0], "little")
    if known[0] != inside:
        return "%s, signed by key %s, the given key's successor by its own note" % (release, identity)
    if given is None:
        return "signed by the key inside, %s: give the publisher's key, this proves nothing yet" % identity
    return "%s, signed by the given key %s" % (release, identity)


def beside(folder, name, key):
    """The content of a file beside the folder that this key signed; None where there is none."""
    path = os.path.join(os.path.dirname(os.path.abspath(folder.path)), name)
    try:
        with open_file(path) as file, open_file(path + ".minisig") as signature:
            content = file.read(LARGEST_SEAL)
            check_signed(name, content, signature.read(4096), key)
    except (OSError, Finding):
        return None
    return content


def key_note(folder, key):
    """What the key's owner says of it beside the folder; None where nothing that it signed lies there."""
    content = beside(folder, "%016X%s" % (int.from_bytes(key[0], "little"), KEY_NOTE), key)
    try:
        note = json.loads(content.decode("utf-8")) if content else None
        return note if note and parse_key(note["key"]) == key else None
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None


def successors(folder, key):
    """The given key and those that follow it, each by a note that the one before has signed."""
    chain = [key]
    while len(chain) < 100:
        note = key_note(folder, chain[-1])
        following = parse_key(note["successor"]) if note and note.get("note") == "rotated" else None
        if following is None or following in chain:
            break
        chain.append(following)
    return chain


def check_names(folder):
    """Signature, datapackage.json and privacy.json are of one release."""
    release = check_signed(MANIFEST, folder.read(MANIFEST), folder.read(SIGNATURE), bundle_key(folder))
    for name in (PACKAGE, PRIVACY):
        document = folder.json(name)
        named = "%s-%s" % (document.get("name"), document.get("version"))
        require(named == release, "%s is of another release than the signature" % name)
    return release


def check_notice(folder):
    """No signed notice lies beside the folder."""
    key = bundle_key(folder)
    manifest = folder.read(MANIFEST)
    release = check_signed(MANIFEST, manifest, folder.read(SIGNATURE), key)
    content = beside(folder, release + NOTICE, key)
    if content is None:
        return "none that the key signed lies beside the folder"
    try:
        notice = json.loads(content.decode("utf-8"))
        same = notice["manifest_sha256"] == hashlib.sha256(manifest).hexdigest()
        told = "%s on %s" % (notice["notice"], shown(notice["on"])), shown(notice["reason"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return "what lies beside the folder is malformed, and counts for nothing"
    require(not same, "the publisher has %s this release: %s" % told)
    return "what lies beside the folder is about another bundle"


def check_tables(folder):
    """The files below data/ are those that datapackage.json declares, and the tables hold what it says."""
    resources = folder.json(PACKAGE).get("resources")
    require(isinstance(resources, list) and resources, PACKAGE + " declares no files")
    declared, rows = [], 0
    for resource in resources:
        path = resource.get("path") if isinstance(resource, dict) else None
        require(isinstance(path, str), PACKAGE + " is malformed")
        declared.append(path)
        require(path in folder.files, "%s declares %s, which is missing" % (PACKAGE, shown(path)))
        same = (resource.get("bytes"), resource.get("hash")) == (
            folder.files[path],
            "sha256:" + folder.sha256(path),
        )
        require(same, "%s states another size or hash of %s" % (PACKAGE, shown(path)))
        if resource.get("type") == "table":
            rows += len(table_of(folder, resource))
    held = {name for name in folder.files if name.startswith(("data/", "map/")) or name in MAPS}
    same = len(declared) == len(held) == len(held.intersection(declared))
    require(same, PACKAGE + " does not declare exactly the files below data/ and those of maps")
    return "%d rows as declared" % rows


def table_of(folder, resource):
    """The rows of a table, each name -> cell. Raises Finding unless all are as declared."""
    path = resource["path"]
    try:
        text = folder.read(path).decode("utf-8")
        fields, keys = resource["schema"]["fields"], resource["schema"].get("primaryKey", [])
        names = [field["name"] for field in fields]
        keys = [names.index(name) for name in keys]
        checks = [cell_check(field) for field in fields]
    except UnicodeDecodeError:
        raise Finding(path + " is not UTF-8") from None
    except (LookupError, TypeError, ValueError, AttributeError, re.error):
        raise Finding("%s: the columns of %s are malformed" % (PACKAGE, shown(path))) from None
    require("\r" not in text and "\0" not in text, path + " holds CR or NUL")
    try:
        header, *lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    except (csv.Error, ValueError):
        raise Finding(path + " is no valid CSV") from None
    require(header == names, path + " has other columns than declared")
    for number, line in enumerate(lines, 2):
        where = "%s, line %d" % (path, number)
        require(len(line) == len(names), where + ": another number of cells than columns")
        for name, fits, cell in zip(names, checks, line):
            require(fits(cell), "%s, %s: %s is not as declared" % (where, name, shown(cell)))
    seen = {tuple(line[place] for place in keys) for line in lines}
    require(not keys or len(seen) == len(lines), path + " repeats a row")
    return [dict(zip(names, line)) for line in lines]


def cell_check(field):
    """Whether a cell is as its column declares, as a function. Raises what a malformed declaration does."""
    limits, kind = field.get("constraints", {}), field["type"]
    require(limits.get("pattern") in {None, *PATTERNS}, PACKAGE + " declares a pattern that Hexveil does not")
    pattern = re.compile(limits["pattern"]) if "pattern" in limits else None
    options = set(limits["enum"]) if "enum" in limits else None
    low, high = (Decimal(str(limits[name])) if name in limits else None for name in ("minimum", "maximum"))
    if kind not in ("string", "integer", "number", "date"):
        raise ValueError

    def fits(cell):
        if not cell:
            return not limits.get("required", False)
        if kind == "string":
            plain = cell.translate(SHAPING).isprintable() and (options is None or cell in options)
            return plain and (pattern is None or pattern.fullmatch(cell) is not None)
        if kind == "date":
            return is_date(cell)
        if not (INTEGER if kind == "integer" else NUMBER).fullmatch(cell):
            return False
        return (low is None or Decimal(cell) >= low) and (high is None or Decimal(cell) <= high)

    return fits


def is_date(text):
    """Whether this is a date YYYY-MM-DD of the calendar."""
    try:
        return datetime.date(*map(int, text.split("-"))).isoformat() == text
    except (TypeError, ValueError):
        return False


def check_epsilons(folder):
    """The queries add up to what privacy.json states, unit by unit."""
    resources = folder.json(PACKAGE).get("resources")
    require(isinstance(resources, list), PACKAGE + " declares no files")
    summaries = [one for one in resources if isinstance(one, dict) and one.get("path") == SUMMARY]
    require(summaries, "%s does not declare %s" % (PACKAGE, SUMMARY))
    rows = table_of(folder, summaries[0])
    statement = folder.json(PRIVACY)
    try:
        newer = statement["format"] not in ("hexveil-privacy-1", "hexveil-privacy-2")
        charges = {unit: Decimal(amount) for unit, amount in statement["charges"].items()}
        delta = Decimal(statement["headline"]["delta"])
        require(charges and set(charges) == {row["unit"] for row in rows}, PRIVACY + " states other units")
        for unit, charge in charges.items():
            of_unit = [row for row in rows if row["unit"] == unit]
            wrong = "the epsilons of %s do not add up to the charge" % shown(unit)
            if delta == 0:
                require(total(of_unit, "epsilon") == charge and "rho" not in of_unit[0], wrong)
                continue
            for column, name in (("epsilon_pure", "charges_pure"), ("rho", "charges_rho")):
                require(total(of_unit, column) == Decimal(statement[name][unit]), wrong)
            parts = total(of_unit, "epsilon_pure"), total(of_unit, "rho"), delta
            require(is_stated(charge, parts, statement.get("conversion") if newer else None), wrong)
        if newer:
            check_losses(statement, delta)
        for unit, charge in charges.items():
            check_cumulative(rows, unit, charge, Decimal(statement["cumulative"][unit]))
        head = Decimal(statement["headline"]["epsilon"])
        require(head == charges[statement["headline"]["unit"]], PRIVACY + ": the headline is no charge")
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
        raise Finding(PRIVACY + " does not state its charges as Hexveil does") from None
    queries = len({row["query_id"] for row in rows})
    return "%d %s up to the charge of every unit" % (queries, "query adds" if queries == 1 else "queries add")


def check_losses(statement, delta):
    """What release, headline and queries state of themselves is what their pure epsilon and rho come to.

    `conversion` names the formula: of Gaussian noise alone, or of the running total.
    """
    head = statement["headline"]
    wrong = PRIVACY + ": the headline is stated otherwise than the charges"
    require(head.get("conversion") == statement.get("conversion"), wrong)
    for figure in ("mu", "power_at_1_percent"):
        stated = statement.get("charges_" + figure, {})
        require(head.get(figure) == stated.get(head["unit"]), wrong)
    for part in [statement] + statement["queries"]:
        told = shown(part.get("query_id", "the release"))
        require(part.get("conversion", RUNNING) in (EXACT, RUNNING), PRIVACY + " names an unknown formula")
        for unit, epsilon in part["charges"].items():
            pure = Decimal(part.get("charges_pure", part["charges"])[unit])
            parts = pure, Decimal(part.get("charges_rho", {}).get(unit, "0")), delta
            exact = part.get("conversion") == EXACT and parts[1] > 0
            mu = part.get("charges_mu", {}).get(unit)
            found = part.get("charges_power_at_1_percent", {}).get(unit)
            require(
                is_stated(Decimal(epsilon), parts, part.get("conversion"))
                and (mu is None or (exact and is_root(Decimal(mu), 2 * parts[1])))
                and (found is None or 0 <= Decimal(found) - Decimal(power(parts, exact)) <= 3 * STEP),
                "what %s loses for each %s does not follow from its parts" % (told, shown(unit)),
            )


def check_counts(folder):
    """Each query says of its public counts what the released weights show (method 12.11)."""
    planned = 0
    try:
        tables = [one for one in folder.json(PACKAGE)["resources"] if one.get("type") == "table"]
        for query in folder.json(PRIVACY)["queries"]:
            facts = query.get("bounding") or {}
            told = query.get("counts_contradicted")
            if "expected_tokens" in (facts.get("enforcement") or {}):
                planned += 1
                weights = weights_of(folder, tables, "regions" in facts, query["statistic"] == "share")
                # of several numbers each has a line, with the same weight
                lines = max(len(weights) // len(facts["enforcement"]["record_prices"].split()), 1)
                found = counts_factor(facts, weights[::lines])
                # machines differ in floats, and so by one in the last of its two digits
                last = Decimal(0) if found is None else Decimal(1).scaleb(Decimal(found).adjusted() - 1)
                same = told == found or (
                    None not in (told, found) and abs(Decimal(told) - Decimal(found)) <= last
                )
            else:
                same = told is None
            require(same, "what %s says of its public counts is not what is seen" % shown(query["query_id"]))
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
        raise Finding(PRIVACY + " does not state its public counts as Hexveil does") from None
    return "%d with public counts" % planned


def check_signs(folder):
    """Where queries state a slope, published rows have the public sign that smoothing starts from."""
    signed = 0
    try:
        queries = folder.json(PRIVACY)["queries"]
        slopes = sum("slope" in (query.get("smoothing") or {}) for query in queries)
        for table in folder.json(PACKAGE)["resources"]:
            rows = table_of(folder, table) if table.get("type") == "table" else []
            signs = [float(row[SIGN]) for row in rows if row.get(SIGN)]
            if signs:
                signed += 1
                missing = any(bool(row[SIGN]) is (row["status"] == "suppressed") for row in rows)
                # cutting one side at 3 moves a mean of 0 by (sqrt(10) - 3) / 2 at most, and narrows
                lean = 0.0005 + 0.0812 * any(abs(sign) >= 3 for sign in signs)
                mean = math.fsum(signs) / len(signs)
                spread = math.sqrt(math.fsum((sign - mean) ** 2 for sign in signs) / len(signs))
                sound = abs(mean) <= lean and spread <= 1.0005 and not missing
                require(sound, "%s: %s is not standardised" % (shown(table["path"]), SIGN))
        require(signed == slopes, PRIVACY + " states other slopes than there are signs")
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
        raise Finding(PRIVACY + " does not state its smoothing as Hexveil does") from None
    return "%d with a public sign" % signed


def check_shares(folder):
    """Shares that tile add up to 1 before they are cut; percentiles rise, and end on edges of ranges.

    A mean among them is what the shares come to.
    """
    checked, means = 0, {}
    try:
        bounds = folder.json(PRIVACY)["bounds"]
        ends = {Decimal(bounds["lower"]), Decimal(bounds["upper"])}
        tables = [one for one in folder.json(PACKAGE)["resources"] if one.get("type") == "table"]
        keys = {one["path"]: one["schema"].get("primaryKey", []) for one in tables}
        labels = {path: [key for key in keys[path] if key.startswith("range_")] for path in keys}
        for table in tables:
            path = table["path"]
            if labels[path]:
                checked += 1
                rows = table_of(folder, table)
                ranges = sorted({tuple(Decimal(row[label]) for label in labels[path]) for row in rows})
                edges = [ranges[0][0]] + [high for _, high in ranges]
                apart = all((low, high) == one for low, high, one in zip(edges, edges[1:], ranges))
                apart = apart and {edges[0], edges[-1]} == ends
                for place in places_of(rows, keys[path]):
                    own = sorted(tuple(Decimal(row[label]) for label in labels[path]) for row in place)
                    require(own == ranges, path + ": places have other labels than one another")
                check_adding_up(path, rows, keys[path], len(ranges) if apart else 0)
                means = means_of_shares(folder, rows, keys[path], min(ends))
                ends |= {end for one in ranges for end in one}
        for table in tables:
            if "percentile" in keys[table["path"]]:
                rows, own = table_of(folder, table), keys[table["path"]]
                percentiles = [row for row in rows if row["percentile"] != MEAN]
                check_percentiles(table["path"], percentiles, own, ends)
                stated = [row for row in rows if row["percentile"] == MEAN]
                check_means(table["path"], stated, own, means, (bounds["lower"], bounds["upper"]))
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
        raise Finding(PRIVACY + " does not state its shares as Hexveil does") from None
    return "%d with shares" % checked


def places_of(rows, keys):
    """Published rows by what their key says beside a label: place, time and group."""
    places = {}
    for row in rows:
        if row["status"] != "suppressed":
            places.setdefault(place_of(row, keys), []).append(row)
    return places.values()


def place_of(row, keys):
    """What a row's key says beside a label."""
    return tuple(row[key] for key in keys if key != "percentile" and not key.startswith("range_"))


def check_adding_up(path, rows, keys, ranges):
    """Each share is the noisy one cut to [0, 1]; all of a place add up to 1. ranges: so many tile, or 0."""
    for place in places_of(rows, keys):
        noisy = [Decimal(row["share_unclamped"]) for row in place if "share_unclamped" in row]
        cut = [min(max(one, Decimal(0)), Decimal(1)) for one in noisy]
        require(
            not noisy or cut == [Decimal(row["share"]) for row in place], path + ": a share is not as noisy"
        )
        whole = not (noisy and ranges) or (
            len(noisy) == ranges and abs(total_of(noisy) - 1) <= ranges * STEP / 2
        )
        require(whole, path + ": shares do not add up to 1 before they are cut")
        for row in place:
            low, high = Decimal(row["ci95_low_share"]), Decimal(row["ci95_high_share"])
            require(low <= Decimal(row["share"]) <= high, path + ": a share lies outside of its interval")


def check_percentiles(path, rows, keys, edges):
    """Of each place they rise, and their intervals end on edges of ranges, or at the percentile itself."""
    for place in places_of(rows, keys):
        names = list(place[0])
        for at in (at for at, name in enumerate(names) if name.startswith(("ci95_low_", "smoothed_low_"))):
            before = None
            for row in sorted(place, key=lambda row: Decimal(row["percentile"])):
                value, low, high = (Decimal(row[name]) for name in names[at - 1 : at + 2])
                require(before is None or before <= value, path + ": percentiles do not rise")
                require(low <= value <= high, path + ": a percentile lies outside of its interval")
                require(
                    {low, high} <= edges | {value}, path + ": an interval does not end on edges of ranges"
                )
                before = value


def means_of_shares(folder, rows, keys, lower):
    """Place -> what its shares come to with the middles that privacy.json states, and what rounding takes.

    Empty where it states none; None of a place whose shares are known only as they were cut.
    """
    details = [one.get("made_by", {}).get("details", {}) for one in folder.json(PRIVACY)["queries"]]
    middles = [one[MIDDLES] for one in details if MIDDLES in one]
    found = {}
    for place in places_of(rows, keys) if middles else []:
        away = [Decimal(middle) / 1000 - lower for middle in middles[0]]
        shares = [Decimal(row.get("share_unclamped", row["share"])) for row in place]
        cut = "share_unclamped" not in place[0] and {0, 1} & set(shares)
        mean = lower + total_of([one * share for one, share in zip(away, shares)])
        known = not cut and len(away) == len(shares)
        # middles are stated in whole thousandths, and noisy shares may be large
        off = STEP / 2 * sum(away) + Decimal("0.0005") * total_of(map(abs, shares)) + Decimal("0.0006")
        found[place_of(place[0], keys)] = (mean, off) if known else None
    return found


def check_means(path, rows, keys, means, bounds):
    """Each is what the shares of its place come to, cut to the bounds, and lies in its interval."""
    lower, upper = map(Decimal, bounds)
    for row in rows:
        if row["status"] == "suppressed":
            continue
        names = list(row)
        at = next(at for at, name in enumerate(names) if name.startswith("ci95_low_"))
        value, low, high = (Decimal(row[name]) for name in names[at - 1 : at + 2])
        require(lower <= low <= value <= high <= upper, path + ": a mean lies outside of its interval")
        made = means[place_of(row, keys)]
        same = made is None or abs(value - min(max(made[0], lower), upper)) <= made[1]
        require(same, path + ": a mean does not follow from the shares")


def check_exact_counts(folder):
    """Where privacy.json says so published rows have exact counts that can be; elsewhere none has."""
    counted = set()
    try:
        statement = folder.json(PRIVACY)
        least, days = statement["selection"]["minimum_vehicles"] or 1, statement["period"]["days"]
        for table in folder.json(PACKAGE)["resources"]:
            names = [field["name"] for field in table.get("schema", {}).get("fields", [])]
            if "status" not in names:
                continue
            at = names.index("epsilon") - len(COUNTS) - 1
            counted.add(at >= 0 and tuple(names[at + 1 : at + 4]) == COUNTS)
            for row in table_of(folder, table) if True in counted else []:
                told = [row[name] for name in names[at : at + 4]]
                who, visits, records, dates = (int(one or 0) for one in told)
                between = max(who, dates) <= (visits or records) <= records and least <= who and dates <= days
                sound = not any(told) if row["status"] == "suppressed" else dates > 0 and between
                require(sound, shown(table["path"]) + ": a row has counts that cannot be")
        stated = statement.get("counts", False)
        require(counted == {stated}, PRIVACY + " and the tables do not agree on exact counts")
        require(not stated or statement["relation"] == "values", "relation user has no exact counts")
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
        raise Finding(PRIVACY + " does not state its counts as Hexveil does") from None
    return "beside each number" if stated else "none"


def weights_of(folder, tables, by_region, of_shares):
    """The noisy weights of the rows, None where one is suppressed."""
    for table in tables:
        names = [field["name"] for field in table["schema"]["fields"]]
        kind = ("region" in names, "share" in names)
        if "records_dp" in names and kind == (by_region, of_shares):
            return [
                float(row["records_dp"]) if row["records_dp"] else None for row in table_of(folder, table)
            ]
    raise ValueError


def counts_factor(facts, weights):
    """How many times too large the counts were, as it is stated; None where nothing contradicts them."""
    prices, expected = (list(map(int, facts["enforcement"][name].split())) for name in COUNTED)
    squared, scale = facts["noise"] == "gauss", float(facts["weight_noise_scale"])
    require(len(prices) == len(expected) == len(weights), PRIVACY + " has other rows than the data")
    least_price = min(price for price in prices if price > 0)
    listed = [
        (tokens * 2.0**20 / least_price / scale, price / least_price / scale, weight)
        for price, tokens, weight in zip(prices, expected, weights)
        if price > 0
    ]
    ends = [facts["threshold"] * of_record for _, of_record, _ in listed]
    seen = sum(
        end if weight is None else weight * of_record for (_, of_record, weight), end in zip(listed, ends)
    )

    def by_counts(times):
        """Sum and variance of what would be seen of so many times the counts."""
        found = [shown_weight(squared, times * tokens, end) for (tokens, _, _), end in zip(listed, ends)]
        return math.fsum(one for one, _ in found), math.fsum(one for _, one in found)

    total, variance = by_counts(1.0)
    # where all rows are suppressed both are the same but for how machines add
    if abs(seen - total) <= 4 * math.sqrt(variance) + 1e-9 * abs(total):
        return None
    empty, variance = by_counts(0.0)
    seen = max(seen, empty + 4 * math.sqrt(variance))
    low, high = -math.log(1000), math.log(1000)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if by_counts(math.exp(middle))[0] < seen else (low, middle)
    factor = math.exp(-high)
    return None if 1 / 1.1 < factor < 1.1 else "{:f}".format(Decimal("%.2g" % factor))


def shown_weight(squared, weight, least):
    """Mean and variance of the larger of a noisy weight and `least`, in scales of the noise."""
    above = least - weight
    if squared:
        tail = math.erfc(above / math.sqrt(2)) / 2
        density = math.exp(-above * above / 2) / math.sqrt(2 * math.pi)
        first, second = density - above * tail, (1 + above * above) * tail - above * density
    else:
        far = math.exp(-abs(above))
        first = far / 2 - min(above, 0)
        second = far if above >= 0 else 2 + above * above - far
    return least + first, max(second - first * first, 0)


def check_cumulative(rows, unit, charge, all_releases):
    """Table and statement tell one total of all releases, no less than the charge of this one."""
    told = "the epsilon of %s over all releases is " % shown(unit)
    in_table = {Decimal(row["epsilon_cumulative"]) for row in rows if row["unit"] == unit}
    require(in_table == {all_releases}, told + "told twice")
    require(all_releases >= charge, told + "less than this one alone costs")


def total(rows, column):
    """The exact sum of a column."""
    return total_of(Decimal(row[column]) for row in rows)


def total_of(amounts):
    """Their exact sum."""
    found = Decimal(0)
    for amount in amounts:
        found = EXACT_SUMS.add(found, amount)
    return found


def converted(pure, rho, delta):
    """What pure epsilon and rho come to at this delta, rounded up to a millionth."""
    if rho == 0:
        return pure
    least = None
    for order in ORDERS:
        less = order - 1
        share = UP.ln(UP.divide(Decimal(len(ORDERS)), delta)) - UP.ln(less)
        offset = UP.divide(share + order * UP.ln(UP.divide(less, order)), less)
        found = UP.add(UP.multiply(order, rho), offset)
        least = found if least is None else min(least, found)
    return UP.quantize(UP.add(pure, max(least, Decimal(0))), STEP)


# What one release loses by itself. With mu = sqrt(2 rho), the least epsilon with
# Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu) <= delta (Balle and Wang), and the most that an
# attacker finds at one false alarm in a hundred. A millionth more, of epsilon and of delta, is what noise on
# integers costs.


def is_stated(epsilon, parts, conversion):
    """Whether parts (pure, rho, delta) come to this epsilon, which was rounded up to a millionth."""
    pure, rho, delta = parts
    if conversion == EXACT and rho > 0 and Decimal("1e-30") <= delta < 1:
        least = exact_epsilon(math.sqrt(2 * rho), float(delta) / (1 + 1e-6))
        if least is not None:
            return 0 <= epsilon - (pure + Decimal(least) + STEP) <= 2 * STEP
    return epsilon == converted(pure, rho, delta)


def is_root(root, square):
    """Whether this is the root of a number, rounded up to a millionth."""
    return EXACT_SUMS.multiply(root, root) >= square > EXACT_SUMS.multiply(root - STEP, root - STEP)


def exact_epsilon(mu, delta):
    """The least epsilon of Gaussian noise at delta; None above 600."""
    low, high, most = 0.0, 600.0, math.log(delta)
    if log_profile(high, mu) > most:
        return None
    for _ in range(64):
        middle = (low + high) / 2
        low, high = (middle, high) if log_profile(middle, mu) > most else (low, middle)
    return high


def log_profile(epsilon, mu):
    """The logarithm of what escapes this epsilon."""
    near, far = (epsilon / mu - mu / 2) / math.sqrt(2), (epsilon / mu + mu / 2) / math.sqrt(2)
    if near < 0:
        found = (math.erfc(near) - math.exp(-near * near) * erfcx(far)) / 2
        return math.log(found) if found > 0 else -math.inf
    rest = erfcx(near) - erfcx(far)
    return math.log(rest / 2) - near * near if rest > 0 else -math.inf


def erfcx(x):
    """exp(x^2) erfc(x) for x >= 0."""
    if x < 25:
        return math.exp(x * x) * math.erfc(x)
    square = 2 * x * x
    return (1 - (1 - (3 - 15 / square) / square) / square) / (x * math.sqrt(math.pi))


def power(parts, exact):
    """The most that an attacker finds, from parts (pure, rho, delta): by the normal law where it is exact."""
    pure, rho, delta = parts
    if rho > 0 and not exact:
        return least_power(converted(*parts), float(delta))
    found = least_power(pure, 0.0)
    if rho == 0 or found >= 1:
        return found
    normal = statistics.NormalDist()
    return normal.cdf(math.sqrt(2 * rho) + normal.inv_cdf(found))


def least_power(epsilon, delta):
    """What (epsilon, delta) allows at one false alarm in a hundred."""
    factor = math.exp(min(float(epsilon), 600.0))
    return min(0.01 * factor + delta, 1 - max(0.99 - delta, 0.0) / factor)


def verify(path, given=None):
    """(name, whether it holds, what was found) of each check; after a broken seal nothing else is read."""
    try:
        folder = Packed(path) if is_packed(path) else Folder(path)
    except Finding as finding:
        return [("packed", False, str(finding))]
    sealed = (
        ("sizes", check_sizes),
        ("files", check_files),
        ("signature", lambda folder: check_signature(folder, given)),
        ("sums", check_sums),
    )
    inside = (
        ("notice", check_notice),
        ("names", check_names),
        ("tables", check_tables),
        ("epsilons", check_epsilons),
        ("counts", check_counts),
        ("signs", check_signs),
        ("shares", check_shares),
        ("exact_counts", check_exact_counts),
    )
    found = []
    for checks in (sealed, inside):
        for name, check in checks:
            try:
                found.append((name, True, check(folder)))
            except Finding as finding:
                found.append((name, False, str(finding)))
            except Exception as error:  # the folder is a stranger's: what was not foreseen does not hold
                found.append((name, False, "cannot be checked (%s)" % type(error).__name__))
            if name == "sizes" and not found[-1][1]:
                return found
        if not all(holds for _, holds, _ in found):
            return found
    return found


def main(arguments=None):
    """Print each check; the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", help="of the release, or the zip of it")
    parser.add_argument("--public-key", metavar="KEY", help="the publisher's key: its text or a .pub file")
    options = parser.parse_args(arguments)
    try:
        if not (is_packed(options.folder) or os.path.isfile(os.path.join(options.folder, MANIFEST))):
            raise WrongUse("this is no folder of a release, nor the zip of one: it holds no " + MANIFEST)
        found = verify(options.folder, read_key(options.public_key) if options.public_key else None)
    except WrongUse as error:
        print("error: %s" % error, file=sys.stderr)
        return 2
    for name, holds, told in found:
        print("%s %s: %s" % ("ok    " if holds else "FAILED", name, told))
    sound = all(holds for _, holds, _ in found)
    print(
        "Not checked: outlines and maps (beyond their sums), texts, and whether values, intervals and noise "
        "fit each other."
    )
    print("What was checked holds." if sound else "The release is NOT valid.")
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
